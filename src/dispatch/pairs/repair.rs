//! The functions of the [pair table](super::table) that repair text with vectors.

use core::mem::MaybeUninit;

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view;
use crate::generic;
use crate::generic::repair::RepairReach;
use crate::generic::repair::isolated;
use crate::generic::repair::utf8 as repair_utf8;
use crate::scalar;
use crate::scalar::code::Encode;
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little, Order, UnitOrder};

/// The functions that repair text of one scheme for a conversion to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairFns {
    /// Repairs a text without changing its scheme. `None` if there is no vector code.
    pub(crate) same: Option<RepairFn>,
    /// Converts ASCII that contains isolated ill-formed bytes to UTF-16 or UTF-32. `None` for other
    /// pairs of schemes.
    pub(crate) isolated: Option<RepairFn>,
}

/// Repairs the start of a text, as far as the vector code and the capacity of the output allow. The
/// arguments are the text, the output, the replacement for each ill-formed sequence (`None` removes
/// the sequences), a flag that is true if more text may follow, and the kernel.
pub(crate) type RepairFn =
    fn(&[u8], &mut [MaybeUninit<u8>], Option<char>, bool, Kernel) -> RepairReach;

/// Returns the repair functions for a pair of schemes.
pub(crate) const fn repair_fns(from: Scheme, to: Scheme) -> RepairFns {
    let same: Option<RepairFn> = match (from, to.has_surrogates()) {
        (Scheme::Utf8, _) => Some(utf8),
        (Scheme::Utf16Le, _) | (Scheme::Wtf16Le, false) => Some(utf16le),
        (Scheme::Utf16Be, _) | (Scheme::Wtf16Be, false) => Some(utf16be),
        _ => None,
    };
    let isolated: Option<RepairFn> = match (from, to) {
        (Scheme::Utf8, Scheme::Utf16Le) => Some(isolated_to_utf16le),
        (Scheme::Utf8, Scheme::Utf16Be) => Some(isolated_to_utf16be),
        (Scheme::Utf8, Scheme::Utf32Le) => Some(isolated_to_utf32le),
        (Scheme::Utf8, Scheme::Utf32Be) => Some(isolated_to_utf32be),
        _ => None,
    };
    RepairFns { same, isolated }
}

/// Repairs UTF-8.
#[inline(never)]
fn utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replacement: Option<char>,
    may_continue: bool,
    kernel: Kernel,
) -> RepairReach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => RepairReach::NONE,
        |V, token, src, dst| repair_utf8::repair::<V>(token, src, dst, replacement, may_continue))
}

table_functions! {
    (
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        replacement: Option<char>,
        _may_continue: bool,
        kernel: Kernel,
    ) -> RepairReach;
    fn isolated_to_utf16le = isolated::<Utf16Le, Little, 2>(src, dst, replacement, kernel);
    fn isolated_to_utf16be = isolated::<Utf16Be, Big, 2>(src, dst, replacement, kernel);
    fn isolated_to_utf32le = isolated::<Utf32Le, Little, 4>(src, dst, replacement, kernel);
    fn isolated_to_utf32be = isolated::<Utf32Be, Big, 4>(src, dst, replacement, kernel);
    fn utf16le = utf16(src, dst, replacement, &LITTLE_UNITS, kernel);
    fn utf16be = utf16(src, dst, replacement, &BIG_UNITS, kernel);
}

/// Converts ASCII with isolated ill-formed bytes to `B`, whose units have `SIZE` bytes.
#[inline(always)]
fn isolated<B: Encode, O: Order, const SIZE: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replacement: Option<char>,
    kernel: Kernel,
) -> RepairReach {
    let mut unit = [MaybeUninit::new(0); SIZE];
    if replacement.and_then(|c| B::encode(c.into(), &mut unit)).is_none() {
        return RepairReach::NONE;
    }
    dispatch!(kernel,
        scalar => RepairReach::NONE,
        |V, token, src, dst| isolated::convert::<V, O, SIZE>(token, src, dst, unit))
}

/// Copies UTF-16 and replaces unpaired surrogates by U+FFFD in the copy.
#[inline(never)]
fn utf16(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replacement: Option<char>,
    order: &'static UnitOrder,
    kernel: Kernel,
) -> RepairReach {
    if replacement != Some(char::REPLACEMENT_CHARACTER) || kernel == Kernel::SCALAR {
        return RepairReach::NONE;
    }
    let scheme = if order.big { Scheme::Utf16Be } else { Scheme::Utf16Le };
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
