//! The logic of the page: detects the encoding of a file, finds errors and their positions, counts,
//! finds and undoes double encoding, and converts. The file arrives in chunks of any size.
//!
//! JavaScript calls only the functions of [`abi`]. The other modules do not depend on WebAssembly,
//! so their tests run on any machine.

pub mod abi;
mod analysis;
mod candidates;
mod conversion;
mod detection;
mod double_encoding;
mod encoding;
mod errors;
mod json;
mod position;
mod segments;
mod state;
