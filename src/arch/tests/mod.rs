//! Every operation of every instruction set, lane by lane, against a plain model on arrays.
//!
//! A test is a function of a vector type. It runs for each set that this processor has, inside the
//! function that has the set's features. The inputs are the values at which something changes, in
//! each lane, and random vectors, always the same ones. The tests call the operations as their
//! documentation allows, and ask nothing of the lanes and bytes that it leaves open.

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

/// Runs a function of a vector type, or an expression, for each set that this processor has.
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

/// `UTFLANE_REQUIRE_KERNELS=avx2,sse42,scalar` makes this fail where a set can't run, so that
/// nothing is skipped in silence.
#[test]
fn the_sets_are_said_and_those_required_are_there() {
    let mut sets = Vec::new();
    on_every_set! { |_V, _token, name| sets.push(name) }
    // Nothing to do if even this fails.
    let _ = writeln!(std::io::stderr(), "operations tested: {}", sets.join(", "));
    let required = env::var("UTFLANE_REQUIRE_KERNELS").unwrap_or_default();
    let required = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    for name in required.filter(|&name| name != "scalar") {
        let message = format!("'{name}' is required, and here are {sets:?}");
        assert!(sets.contains(&name), "{message}");
    }
}
