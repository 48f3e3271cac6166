//! The types of the functions in the pair table, and the macro that declares such functions.

use crate::dispatch::kernel::Kernel;
use crate::encoding::view::Uninit;
use crate::types::error::Error;
use crate::types::progress::Reach;

/// Converts bytes of one scheme to another scheme, up to an error or the end of the output.
pub(crate) type Transcode = fn(&[u8], &mut Uninit, Kernel) -> Reach;
/// Validates bytes of one scheme. Returns `Err` if and only if the text is ill-formed. The `Err`
/// holds the length in bytes of a prefix that is well-formed, except that its last sequence may be
/// incomplete. The result fits into registers. An [`Error`] would be returned in memory.
pub(crate) type Check = fn(&[u8], Kernel) -> Result<(), usize>;
/// Locates the error. The `usize` is the length of the prefix that a [`Check`] has returned.
pub(crate) type Locate = fn(&[u8], usize) -> Result<(), Error>;
/// Returns the number of code units or code points of a text in one scheme.
pub(crate) type Measure = fn(&[u8], Kernel) -> usize;

/// Declares functions with one signature. Each has its own body, usually a call of a generic
/// function.
///
/// The functions of the pair table have no type parameters, because every crate that uses a generic
/// function compiles it again. They are never inlined, so a caller only jumps to them.
macro_rules! table_functions {
    ($signature:tt -> $result:ty; $($(#[$meta:meta])* fn $name:ident = $body:expr;)*) => {$(
        $(#[$meta])*
        #[inline(never)]
        #[allow(unused_variables, reason = "some functions have one code for all kernels")]
        pub(crate) fn $name $signature -> $result {
            $body
        }
    )*};
}
pub(crate) use table_functions;
