//! From Unicode to a code page.

use alloc::vec::Vec;

use crate::code_page::CodePage;
use crate::encoding::output::Output;
use crate::encoding::types::{Unicode, Utf8};
use crate::encoding::view;
use crate::lossy::operations::{LossyProgress, Repaired};
use crate::lossy::page::Direction;
use crate::types::error::Error;
use crate::types::policy::{Policy, Repair};
use crate::types::progress::{Progress, Units};

impl CodePage {
    /// Encodes `src` into a new vector of bytes: one for each character.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, or character that the page lacks, in code units of `src`
    /// (bytes for schemes).
    ///
    /// ```
    /// use utflane::code_page::CP037;
    /// use utflane::{ErrorKind, Utf8, Utf16};
    ///
    /// assert_eq!(CP037.encode::<Utf8>("Ærø 1".as_bytes())?, b"\x9E\x99\x70\x40\xF1");
    /// let error = CP037.encode::<Utf16>(&[0x41, 0x20AC]).unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.kind()), (1, ErrorKind::Unmappable));
    /// # Ok::<(), utflane::Error>(())
    /// ```
    pub fn encode<A: Unicode>(&self, src: &[A::Unit]) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.encode_append::<A>(src, &mut out)?;
        Ok(out)
    }

    /// Encodes a string into a new vector of bytes.
    ///
    /// # Errors
    ///
    /// The first character that the page lacks.
    ///
    /// ```
    /// use utflane::code_page::KOI8_U;
    ///
    /// assert_eq!(KOI8_U.encode_str("їжа")?, b"\xA7\xD6\xC1");
    /// # Ok::<(), utflane::Error>(())
    /// ```
    pub fn encode_str(&self, src: &str) -> Result<Vec<u8>, Error> {
        self.encode::<Utf8>(src.as_bytes())
    }

    /// Encodes `src` and appends the result to `out`.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, or character that the page lacks. The text before it has then
    /// been appended.
    pub fn encode_append<A: Unicode>(
        &self,
        src: &[A::Unit],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.append(Direction::Encode(A::SCHEME), Policy::STOP, view::bytes(src), out)
            .map(|_| ())
            .map_err(|error| error.in_units(size_of::<A::Unit>()))
    }

    /// Encodes as much of `src` as fits into `dst`. `dst[written..]` is scratch.
    ///
    /// ```
    /// use utflane::code_page::MACINTOSH;
    /// use utflane::{Stop, Utf8};
    ///
    /// let mut dst = [0; 2];
    /// let progress = MACINTOSH.encode_into::<Utf8>("déjà".as_bytes(), &mut dst);
    /// assert_eq!((progress.read, progress.stop), (3, Stop::OutputFull));
    /// assert_eq!(&dst, b"d\x8E");
    /// ```
    pub fn encode_into<A: Unicode>(
        &self,
        src: &[A::Unit],
        dst: &mut (impl Output<u8> + ?Sized),
    ) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { dst.uninit_mut() };
        let direction = Direction::Encode(A::SCHEME);
        let conversion = const { &Direction::Encode(A::SCHEME).conversion() };
        self.convert_into((direction, conversion), view::bytes(src), dst)
            .in_units(Units::for_types::<A::Unit, u8>())
    }

    /// Encodes `src` into a new vector of bytes, and repairs ill-formed sequences and characters
    /// that the page lacks. A replacement that the page lacks too is `?`.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1252;
    /// use utflane::{Repair, Unmappable, Utf8};
    ///
    /// let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    /// let repaired = WINDOWS_1252.encode_lossy::<Utf8>("π ≈ 3".as_bytes(), repair);
    /// assert_eq!((&repaired.text[..], repaired.repairs), (&b"&#960; &#8776; 3"[..], 2));
    /// ```
    #[must_use]
    pub fn encode_lossy<A: Unicode>(&self, src: &[A::Unit], repair: Repair) -> Repaired<Vec<u8>> {
        let mut text = Vec::new();
        let repairs = self.encode_lossy_append::<A>(src, repair, &mut text);
        Repaired { text, repairs }
    }

    /// Encodes `src` with repairs, and appends the result to `out`. Returns the number of repairs.
    pub fn encode_lossy_append<A: Unicode>(
        &self,
        src: &[A::Unit],
        repair: Repair,
        out: &mut Vec<u8>,
    ) -> usize {
        let direction = Direction::Encode(A::SCHEME);
        let repairs = self.append(direction, repair.into(), view::bytes(src), out);
        debug_assert!(repairs.is_ok(), "a repair never fails");
        repairs.unwrap_or(0)
    }

    /// Encodes as much of `src` as fits into `dst`, with repairs. `dst[written..]` is scratch.
    pub fn encode_lossy_into<A: Unicode>(
        &self,
        src: &[A::Unit],
        repair: Repair,
        dst: &mut (impl Output<u8> + ?Sized),
    ) -> LossyProgress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { dst.uninit_mut() };
        self.lossy_into(Direction::Encode(A::SCHEME), repair, view::bytes(src), dst)
            .in_units(Units::for_types::<A::Unit, u8>())
    }
}
