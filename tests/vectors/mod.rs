//! Tests that compare every operation of every instruction set, lane by lane, with a simple model
//! on arrays.
//!
//! A test is a function of a vector type. It runs for each instruction set that this processor has,
//! inside a function that enables the features. The inputs are, in each lane, the values at which a
//! result changes, and random vectors, which are the same in each run. The tests call the
//! operations as their documentation allows, and do not check unspecified lanes and bytes.

extern crate std;

mod lanes16;
mod lanes32;
mod model;
mod optional;
mod stores;
mod vector;

use std::io::Write;
use std::vec::Vec;
use std::{env, format};

/// Runs a function of a vector type, or an expression, for each instruction set that this processor
/// has.
macro_rules! on_every_set {
    ($check:ident) => {
        $crate::arch::tests::on_every_set! { |V, token, _name| $check::<V>(token) }
    };
    (|$V:ident, $token:ident, $name:ident| $body:expr) => {
        #[cfg(vectors = "x86")]
        $crate::arch::tests::on_every_set! { @ sse42::Sse42, U8x16, |$V, $token, $name| $body }
        #[cfg(vectors = "x86")]
        $crate::arch::tests::on_every_set! { @ avx2::Avx2, U8x32, |$V, $token, $name| $body }
        #[cfg(avx512)]
        $crate::arch::tests::on_every_set! { @ avx512::Avx512, U8x64, |$V, $token, $name| $body }
        #[cfg(vectors = "neon")]
        $crate::arch::tests::on_every_set! { @ neon::Neon, U8x16, |$V, $token, $name| $body }
        #[cfg(vectors = "simd128")]
        $crate::arch::tests::on_every_set! { @ simd128::Simd128, U8x16, |$V, $token, $name| $body }
    };
    (@ $set:ident::$Token:ident, $Vector:ident,
        |$V:ident, $token:ident, $name:ident| $body:expr) => {
        if let Some(token) = $crate::arch::$set::$Token::detected() {
            type $V = $crate::arch::$set::$Vector;
            let $name = stringify!($set);
            token.run(
                (),
                (),
                #[inline(always)]
                |$token, (), ()| $body,
            );
        }
    };
}
use on_every_set;

/// Makes a test of each function of a vector type `V` and its token.
macro_rules! operations {
    ($($(#[$attribute:meta])* fn $name:ident<$V:ident>($token:ident) $body:block)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            #[inline(always)]
            fn check<$V: $crate::arch::lanes32::Lanes32>(
                $token: <$V as $crate::arch::vector_types::VectorTypes>::Token,
            ) $body
            $crate::arch::tests::on_every_set!(check);
        }
    )*};
}
use operations;

/// With `UTFLANE_REQUIRE_KERNELS=avx2,sse42,scalar`, for example, this test fails if one of these
/// instruction sets can't run, so that no tests are skipped in silence.
#[test]
fn required_instruction_sets_are_available() {
    let mut sets = Vec::new();
    on_every_set! { |_V, _token, name| sets.push(name) }
    // The test does not depend on this output, so an error is ignored.
    let _ = writeln!(std::io::stderr(), "operations tested: {}", sets.join(", "));
    let required = env::var("UTFLANE_REQUIRE_KERNELS").unwrap_or_default();
    let required = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    for name in required.filter(|&name| name != "scalar") {
        let message = format!("'{name}' is required, but this processor has only {sets:?}");
        assert!(sets.contains(&name), "{message}");
    }
}
