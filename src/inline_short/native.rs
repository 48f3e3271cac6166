//! Conversions of a few units between encoding forms in memory, inlined into the caller.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::inline_short::{latin1, utf16, utf32};
use crate::types::progress::{Progress, Reach, Units};

impl Conversion {
    /// [`run`](Self::run) on `kernel`, which a copy does not need.
    #[inline(always)]
    pub(crate) fn run_on(
        self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        units: Units,
    ) -> Progress {
        if let (Scheme::Latin1, Scheme::Latin1) = (self.from, self.to) {
            return latin1::copied(view::as_uninit(src), dst);
        }
        self.run(kernel, src, dst, units)
    }

    /// [`run`](Self::run) on the active kernel, which is not loaded for a copy.
    #[inline(always)]
    pub(crate) fn run_active(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        units: Units,
    ) -> Progress {
        if let (Scheme::Latin1, Scheme::Latin1) = (self.from, self.to) {
            return latin1::copied(view::as_uninit(src), dst);
        }
        let short = if src.is_empty() {
            Some(0)
        } else if units.are_native(self.from, self.to) {
            native(self.from, self.to, src, dst)
        } else {
            None
        };
        let reach = match short {
            Some(written) => Reach { read: src.len(), written },
            None => self.reach(Kernel::active(), src, dst),
        };
        self.progress(src, reach, units)
    }
}

/// Converts a few units between encoding forms in memory, if they fit and can be converted without
/// context; returns the bytes written. Schemes with the other byte order call the kernel: this code
/// is inlined into the caller once for each pair.
#[inline(always)]
pub(crate) fn native(
    from: Scheme,
    to: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // CESU-8, Modified UTF-8, WTF-8 and WTF-16 have no code here.
    if to as u8 != to.base() as u8 {
        return None;
    }
    match from {
        Scheme::Utf16Le => utf16::convert(src, to, dst),
        Scheme::Utf32Le => utf32::convert(src, to, dst),
        Scheme::Latin1 => latin1::convert(src, to, dst),
        _ => None,
    }
}
