//! Tests of the command: each module starts it in its own way, and checks its output, its messages
//! and its exit status.

mod access;
mod cesu8_mutf8;
mod check;
mod code_pages;
mod common;
mod compressed;
mod convert;
mod detect;
mod directories;
mod encodings;
mod findings;
mod hints;
mod late;
mod legacy;
mod limits;
mod line_ends;
mod marks;
mod memory;
mod names;
mod needs;
mod output;
mod policies;
mod repair;
mod several;
mod substitutes;
mod terminal;
mod translit;
mod trees;
mod unchanged;
