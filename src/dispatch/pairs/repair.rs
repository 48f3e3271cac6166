//! The functions of the [pair table](super::table) that repair text with vectors.

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::encoding::view::{self, Uninit};
use crate::generic;
use crate::generic::repair::RepairReach;
use crate::generic::repair::utf8 as repair_utf8;
use crate::scalar;
use crate::tables::{BIG_UNITS, LITTLE_UNITS, UnitOrder};

/// Repairs the start of a text, as far as the vector code and the capacity of the output allow. The
/// arguments are the text, the output, the replacement for each ill-formed sequence (`None` removes
/// the sequences), a flag that is true if more text may follow, and the kernel.
pub(crate) type RepairFn = fn(&[u8], &mut Uninit, Option<char>, bool, Kernel) -> RepairReach;

/// Returns the function that repairs a text in the scheme `from`, for a conversion to `to`. `None`
/// if there is no vector code.
pub(crate) const fn repair_fn(from: Scheme, to: Scheme) -> Option<RepairFn> {
    match (from, to.has_surrogates()) {
        (Scheme::Utf8, _) => Some(utf8),
        (Scheme::Utf16Le, _) | (Scheme::Wtf16Le, false) => Some(utf16le),
        (Scheme::Utf16Be, _) | (Scheme::Wtf16Be, false) => Some(utf16be),
        _ => None,
    }
}

table_functions! {
    (src: &[u8], dst: &mut Uninit, replacement: Option<char>, may_continue: bool, kernel: Kernel)
        -> RepairReach;
    fn utf8 = dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => RepairReach::NONE,
        |V, token, src, dst| repair_utf8::repair::<V>(token, src, dst, replacement, may_continue));
    fn utf16le = utf16(src, dst, replacement, false, kernel);
    fn utf16be = utf16(src, dst, replacement, true, kernel);
}

/// Copies UTF-16 and replaces unpaired surrogates by U+FFFD in the copy.
#[inline(never)]
fn utf16(
    src: &[u8],
    dst: &mut Uninit,
    replacement: Option<char>,
    big: bool,
    kernel: Kernel,
) -> RepairReach {
    if replacement != Some(char::REPLACEMENT_CHARACTER) || kernel == Kernel::SCALAR {
        return RepairReach::NONE;
    }
    let (scheme, order) = match big {
        false => (Scheme::Utf16Le, &LITTLE_UNITS),
        true => (Scheme::Utf16Be, &BIG_UNITS),
    };
    // Copy complete units only, and no high surrogate at the end, because a low surrogate may
    // follow it.
    let len = scalar::floor_boundary(scheme, &src[..src.len().min(dst.len())]);
    dst[..len].copy_from_slice(view::as_uninit(&src[..len]));
    // SAFETY: the copy in the line above has initialised these `len` bytes.
    let text = unsafe { view::init_mut(&mut dst[..len]) };
    let repairs = make_well_formed(text, order, kernel);
    RepairReach { read: len, written: len, repairs }
}

/// Returns the function that replaces each unpaired surrogate by U+FFFD in UTF-16 of complete
/// units, and returns the number of replaced surrogates.
pub(crate) const fn make_well_formed_fn(scheme: Scheme) -> fn(&mut [u8], Kernel) -> usize {
    match scheme {
        Scheme::Utf16Le => |text, kernel| make_well_formed(text, &LITTLE_UNITS, kernel),
        Scheme::Utf16Be => |text, kernel| make_well_formed(text, &BIG_UNITS, kernel),
        _ => unreachable!(),
    }
}

/// Repairs UTF-16 in place. The byte order is a run-time argument, so both byte orders share one
/// function.
#[inline(never)]
fn make_well_formed(text: &mut [u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(text.len()), wide if text.len() >= 2 * WIDE_BYTES,
        scalar => if order.big { Utf16Be::repair(text) } else { Utf16Le::repair(text) },
        |V, token, text, order| generic::repair::utf16::in_place::<V>(order, token, text))
}
