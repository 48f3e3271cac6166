//! From a code page to Unicode.

use core::mem::MaybeUninit;

use crate::code_page::CodePage;
use crate::code_page::conversion::{PageConversion, decoded_len};
use crate::dispatch::kernel::Kernel;
use crate::encoding::buffer::Buffer as _;
use crate::encoding::output::Output;
use crate::encoding::types::Unicode;
use crate::encoding::view;
use crate::lossy::operations::{LossyProgress, Repaired, convert_into};
use crate::lossy::page::{DirectedPage, Direction};
use crate::lossy::plan::LossyRun;
use crate::types::error::Error;
use crate::types::policy::{Policy, Repair};
use crate::types::progress::{LossyReach, Progress, Reach, Stop, Units};

impl CodePage {
    /// Decodes `src` into a new text.
    ///
    /// # Errors
    ///
    /// The first unassigned byte.
    ///
    /// ```
    /// use utflane::code_page::ISO_8859_2;
    /// use utflane::{Utf8, Utf16};
    ///
    /// assert_eq!(ISO_8859_2.decode::<Utf8>(b"\xA3\xF3d\xBC")?, "Łódź");
    /// assert_eq!(ISO_8859_2.decode::<Utf16>(b"\xA3")?, [0x141]);
    /// # Ok::<(), utflane::Error>(())
    /// ```
    pub fn decode<B: Unicode>(&self, src: &[u8]) -> Result<B::Owned, Error> {
        let mut out = B::Owned::default();
        self.decode_append::<B>(src, &mut out)?;
        Ok(out)
    }

    /// Decodes `src` and appends the result to `out`.
    ///
    /// # Errors
    ///
    /// The first unassigned byte. The text before it has then been appended.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::code_page::WINDOWS_1253;
    ///
    /// let mut out = String::from("1. ");
    /// WINDOWS_1253.decode_append::<Utf8>(b"\xE1", &mut out)?;
    /// assert_eq!(out, "1. α");
    /// # Ok::<(), utflane::Error>(())
    /// ```
    pub fn decode_append<B: Unicode>(&self, src: &[u8], out: &mut B::Owned) -> Result<(), Error> {
        // SAFETY: only decoded text is appended to a `String`, whole characters.
        let units = unsafe { out.units_mut() };
        self.append(Direction::Decode(B::SCHEME), Policy::STOP, src, units).map(|_| ())
    }

    /// Decodes as much of `src` as fits into `dst`. `dst[written..]` is scratch.
    ///
    /// ```
    /// use utflane::code_page::CP850;
    /// use utflane::{Stop, Utf8};
    ///
    /// let mut dst = [0; 5];
    /// let progress = CP850.decode_into::<Utf8>(b"\x82t\x82!", &mut dst);
    /// assert_eq!((progress.read, progress.stop), (3, Stop::OutputFull));
    /// assert_eq!(&dst, "été".as_bytes());
    /// ```
    pub fn decode_into<B: Unicode>(
        &self,
        src: &[u8],
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
        let direction = Direction::Decode(B::SCHEME);
        let conversion = const { &Direction::Decode(B::SCHEME).conversion() };
        self.convert_into((direction, conversion), src, dst)
            .in_units(Units::for_types::<u8, B::Unit>())
    }

    /// Returns the number of code units (bytes for schemes) that `src` becomes. An unassigned byte
    /// counts as U+FFFD.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1252;
    /// use utflane::{Utf8, Utf16};
    ///
    /// assert_eq!(WINDOWS_1252.decoded_len::<Utf8>(b"5 \x80"), 5);
    /// assert_eq!(WINDOWS_1252.decoded_len::<Utf16>(b"5 \x80"), 3);
    /// ```
    #[must_use]
    pub fn decoded_len<B: Unicode>(&self, src: &[u8]) -> usize {
        let units = decoded_len(self.page, B::SCHEME, src, self.kernel());
        units.saturating_mul(B::SCHEME.unit_size() / size_of::<B::Unit>())
    }

    /// Decodes `src` into a new text, and repairs unassigned bytes.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1255;
    /// use utflane::{Repair, Utf8};
    ///
    /// let repaired = WINDOWS_1255.decode_lossy::<Utf8>(b"\xE0\xFF", Repair::REPLACE);
    /// assert_eq!((repaired.text.as_str(), repaired.repairs), ("א\u{FFFD}", 1));
    /// ```
    #[must_use]
    pub fn decode_lossy<B: Unicode>(&self, src: &[u8], repair: Repair) -> Repaired<B::Owned> {
        let mut text = B::Owned::default();
        let repairs = self.decode_lossy_append::<B>(src, repair, &mut text);
        Repaired { text, repairs }
    }

    /// Decodes `src` with repairs, and appends the result to `out`. Returns the number of repairs.
    pub fn decode_lossy_append<B: Unicode>(
        &self,
        src: &[u8],
        repair: Repair,
        out: &mut B::Owned,
    ) -> usize {
        // SAFETY: only decoded text is appended to a `String`, whole characters.
        let units = unsafe { out.units_mut() };
        let repairs = self.append(Direction::Decode(B::SCHEME), repair.into(), src, units);
        debug_assert!(repairs.is_ok(), "a repair never fails");
        repairs.unwrap_or(0)
    }

    /// Decodes as much of `src` as fits into `dst`, with repairs. `dst[written..]` is scratch.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1255;
    /// use utflane::{Repair, Stop, Utf16};
    ///
    /// let mut dst = [0; 2];
    /// let repair = Repair::REPLACE;
    /// let progress = WINDOWS_1255.decode_lossy_into::<Utf16>(b"\xFF!!", repair, &mut dst);
    /// assert_eq!((progress.read, progress.repairs, progress.stop), (2, 1, Stop::OutputFull));
    /// assert_eq!(dst, [0xFFFD, 0x21]);
    /// ```
    pub fn decode_lossy_into<B: Unicode>(
        &self,
        src: &[u8],
        repair: Repair,
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> LossyProgress {
        // SAFETY: the kernels write only initialised values.
        let dst = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
        self.lossy_into(Direction::Decode(B::SCHEME), repair, src, dst)
            .in_units(Units::for_types::<u8, B::Unit>())
    }

    /// Converts as much of `src` as possible, and returns progress in bytes. One function serves
    /// all encodings: its code has more than 300 bytes.
    #[inline(never)]
    pub(super) fn convert_into(
        &self,
        (direction, conversion): (Direction, &'static PageConversion),
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress {
        let kernel = self.kernel();
        let reach = conversion.reach(self.page, kernel, src, dst);
        if reach.read == src.len() {
            return Progress { read: reach.read, written: reach.written, stop: Stop::Done };
        }
        self.stopped(direction, (src, reach), dst, kernel)
    }

    /// Returns the progress of a conversion that stopped early.
    #[cold]
    fn stopped(
        &self,
        direction: Direction,
        (src, Reach { read, written }): (&[u8], Reach),
        dst: &mut [MaybeUninit<u8>],
        kernel: Kernel,
    ) -> Progress {
        let mut run = LossyRun::new(DirectedPage { page: self.page, direction }, Policy::STOP);
        let rest = run.run(kernel, &src[read..], &mut dst[written..], false);
        let LossyReach { read, written, stop, .. } = rest.after(read, written);
        Progress { read, written, stop }
    }

    /// Converts as much of `src` as fits into `dst`, with repairs, in bytes.
    pub(super) fn lossy_into(
        &self,
        direction: Direction,
        repair: Repair,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyProgress {
        let conversion = DirectedPage { page: self.page, direction };
        convert_into(&conversion, src, repair, dst, self.kernel())
    }
}
