//! Conversions that repair: what is well-formed goes through the strict conversion, and where that stops, text is mended.
//!
//! Mending stays within the encoding: a stretch of text becomes well-formed in a buffer, which is then converted like any
//! other text. So there is one algorithm for each encoding and none for each pair, and the buffer stays in the cache. Where
//! nothing has been wrong for a while, the strict conversion goes on.

use core::mem::MaybeUninit;

use crate::encoding::pairs::{self, Conversion, Fill, Mender, ToUnits};
use crate::encoding::view;
use crate::error::ErrorKind;
use crate::generic::utf8_fill::{FILL, FILL_ROOM};
use crate::generic::utf8_mend::ROOM;
use crate::policy::{Policy, Unmappable};
use crate::progress::{Reach, Stop};
use crate::scalar::mend::{End, Mended, Mending, held};
use crate::scalar::{self, wtf8};
use crate::{Kernel, Scheme};

/// Bytes of mended text that are converted at once.
const BUFFER: usize = 2048 + ROOM;

/// The way from one scheme to another that repairs: a constant of each pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    strict: Conversion,
    /// From mended text.
    mended: Conversion,
    mender: Mender,
}

impl Route {
    /// That of a pair.
    pub(crate) const fn of(from: Scheme, to: Scheme) -> Self {
        let mender = pairs::mender(from, to);
        let mended = match mender.scheme {
            Scheme::Utf8 => pairs::transcode_str(to),
            scheme => pairs::transcode(scheme, to),
        };
        Self { strict: pairs::transcode(from, to), mended, mender }
    }

    /// The conversion of what is well-formed.
    #[inline]
    pub(crate) const fn strict(&self) -> Conversion {
        self.strict
    }
}

/// A route, and what is done on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    route: Route,
    mending: Option<Mending>,
    unmappable: Option<Substitute>,
}

/// What is written for a character that the target doesn't have. Such a target has a byte for each.
#[derive(Clone, Copy, Debug)]
enum Substitute {
    Byte(u8),
    Nothing,
    Reference,
}

/// How far a conversion that repairs came, in bytes, and why it stopped. A sequence that may go on is an error without a
/// length. Where an error stands, `read` says, and not the error, which may come from a part of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
    pub(crate) stop: Stop,
}

impl Outcome {
    /// Adds what came behind.
    fn add(&mut self, read: usize, written: usize, repairs: usize) {
        self.read += read;
        self.written += written;
        self.repairs += repairs;
    }
}

impl Plan {
    /// What a policy does on a route.
    pub(crate) fn new(route: Route, policy: Policy) -> Self {
        let (from, to) = (route.strict.from, route.strict.to);
        let substitute = |unmappable| match unmappable {
            #[expect(clippy::cast_possible_truncation, reason = "only Latin-1 and ASCII need it")]
            Unmappable::Replace(c) => Substitute::Byte(held(c, to) as u32 as u8),
            Unmappable::Skip => Substitute::Nothing,
            Unmappable::NumericReference => Substitute::Reference,
        };
        Self {
            route,
            mending: policy.ill_formed.map(|ill_formed| Mending::new(from, to, ill_formed)),
            unmappable: policy.unmappable.map(substitute),
        }
    }

    /// Converts as much of `src` as possible. `open` says that it may go on: then a sequence that its end cuts is left.
    pub(crate) fn run(
        &self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
    ) -> Outcome {
        self.run_from(kernel, src, dst, open, false)
    }

    /// [`run`](Self::run), which is `stuck` where the strict conversion can't do anything at the front.
    #[inline(never)]
    pub(crate) fn run_from(
        &self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
        mut stuck: bool,
    ) -> Outcome {
        let mut sum = Outcome { read: 0, written: 0, repairs: 0, stop: Stop::Done };
        // What mends takes whatever comes, so there is no need to know what stands there: if all that can be is wrong.
        if stuck
            && self.route.strict.to.largest() == u32::from(char::MAX)
            && let Some(mending) = &self.mending
        {
            if self.mend(kernel, mending, src, dst, open, &mut sum) {
                return sum;
            }
            stuck = false;
        }
        loop {
            let rest = &src[sum.read..];
            let settled = wtf8::settled(self.route.strict.from, rest, open);
            let room = &mut dst[sum.written..];
            let strict = self.mapped(kernel, self.route.strict, settled, room, stuck);
            stuck = false;
            sum.add(strict.read, strict.written, strict.repairs);
            sum.stop = match strict.stop {
                Stop::Done if settled.len() < rest.len() => {
                    sum.stop = Stop::Error(wtf8::unsettled(self.route.strict.from, sum.read));
                    return sum;
                }
                // What is not settled says more of what stands in front of it.
                Stop::Error(_) if settled.len() < rest.len() => {
                    scalar::stop(self.route.strict.from, self.route.strict.to, src, sum.read)
                }
                stop => stop,
            };
            let (Stop::Error(error), Some(mending)) = (sum.stop, &self.mending) else { return sum };
            let waits = error.is_incomplete() || mending.waits(&src[sum.read..]);
            if error.kind() == ErrorKind::Unmappable || open && waits {
                // What waits for more is no error as yet.
                if waits && !error.is_incomplete() {
                    sum.stop = Stop::Error(error.incomplete());
                }
                return sum;
            }
            if self.mend(kernel, mending, src, dst, open, &mut sum) {
                return sum;
            }
        }
    }

    /// Mends until nothing is wrong any more. Whether that is all, since nothing is left or the output is full.
    #[inline(never)]
    fn mend(
        &self,
        kernel: Kernel,
        mending: &Mending,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
        sum: &mut Outcome,
    ) -> bool {
        if (self.route.strict.from, self.route.strict.to) == (Scheme::Utf8, Scheme::Utf8) {
            self.mend_in_place(kernel, mending, src, dst, open, sum)
        } else if let Some(units) = self.units(kernel, mending) {
            self.fill_and_patch(kernel, units, src, dst, open, sum)
        } else {
            self.mend_in_buffer(kernel, mending, src, dst, open, sum)
        }
    }

    /// Mends from UTF-8 into UTF-8, without a buffer, until nothing is wrong any more. Whether the output is full,
    /// or nothing is left.
    #[inline(never)]
    fn mend_in_place(
        &self,
        kernel: Kernel,
        mending: &Mending,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
        sum: &mut Outcome,
    ) -> bool {
        let Mender { fast, exact, .. } = self.route.mender;
        let mut mended = fast(kernel, &src[sum.read..], &mut dst[sum.written..], mending, open);
        sum.add(mended.read, mended.written, mended.repairs);
        if mended.end == End::Output {
            // Less room than vectors need.
            mended = exact(&src[sum.read..], &mut dst[sum.written..], mending, open);
            sum.add(mended.read, mended.written, mended.repairs);
        }
        sum.stop = if mended.end == End::Output { Stop::OutputFull } else { Stop::Done };
        mended.end == End::Output || sum.read == src.len()
    }

    /// How to put units in place of what is wrong, if a unit can be.
    fn units(&self, kernel: Kernel, mending: &Mending) -> Option<Units> {
        let c = mending.uniform()??;
        let Mender { fill: Some(fill), lone: Some(lone), .. } = self.route.mender else {
            return None;
        };
        if kernel == Kernel::SCALAR {
            return None;
        }
        let (number, size) = match self.route.strict.to {
            Scheme::Utf16Le => (0, 2),
            Scheme::Utf16Be => (1, 2),
            Scheme::Utf32Le => (2, 4),
            Scheme::Utf32Be => (3, 4),
            _ => return None,
        };
        if size == 2 && c.len_utf16() > 1 {
            return None;
        }
        let wide = u32::from(c).to_le_bytes();
        let unit = match (number, wide) {
            (1, [low, high, ..]) => [high, low, 0, 0],
            (3, [a, b, c, d]) => [d, c, b, a],
            _ => wide,
        };
        Some(Units { fill: fill[number / 2], lone: lone[number], unit, size })
    }

    /// Puts placeholders into a copy, converts that, and puts the replacement over what they became, until nothing is wrong any
    /// more. Whether the output is full, or nothing is left.
    #[inline(never)]
    fn fill_and_patch(
        &self,
        kernel: Kernel,
        units: Units,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
        sum: &mut Outcome,
    ) -> bool {
        let mut buffer = [MaybeUninit::uninit(); FILL_ROOM];
        let mut places = [MaybeUninit::uninit(); FILL];
        loop {
            let (rest, room) = (&src[sum.read..], &mut dst[sum.written..]);
            if rest.get(1..9).is_some_and(<[u8]>::is_ascii) {
                let alone = (units.lone)(kernel, rest, room, units.unit);
                sum.add(alone.read, alone.read * units.size, alone.repairs);
            }
            // No more than there is room for: each byte becomes at most a unit.
            let rest = &src[sum.read..];
            let (part, open) = stretch(rest, (dst.len() - sum.written) / units.size, open);
            let filled = (units.fill)(kernel, part, &mut buffer, &mut places, open);
            if filled.read == 0 {
                return false;
            }
            // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
            let text = unsafe { view::init_mut(&mut buffer[..filled.read]) };
            let room = &mut dst[sum.written..];
            let Reach { read, written } = self.route.mended.reach(kernel, text, room);
            let mut repairs = 0;
            // SAFETY: nor does it say more places than it has written.
            let places = unsafe { view::init_mut(&mut places[..filled.places]) };
            for &place in &*places {
                let at = usize::from(place) * units.size;
                if at >= written {
                    break;
                }
                units.put(&mut room[at..]);
                repairs += 1;
            }
            sum.add(read, written, repairs);
            if read < filled.read {
                sum.stop = Stop::OutputFull;
                return true;
            }
            if sum.read == src.len() {
                sum.stop = Stop::Done;
                return true;
            }
            if filled.places == 0 {
                return false;
            }
        }
    }

    /// Mends in a buffer and converts from there, until nothing is wrong any more. Whether that is the end, and `sum.stop` says
    /// of what kind.
    #[inline(never)]
    fn mend_in_buffer(
        &self,
        kernel: Kernel,
        mending: &Mending,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        open: bool,
        sum: &mut Outcome,
    ) -> bool {
        let Mender { fast, exact, .. } = self.route.mender;
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        loop {
            // No more than there is room for, so that little is mended again if not all of it finds room.
            let rest = &src[sum.read..];
            let (part, open) = stretch(rest, dst.len() - sum.written, open);
            let Mended { read, written, repairs, end } =
                fast(kernel, part, &mut buffer, mending, open);
            if read == 0 {
                return false;
            }
            // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
            let text = unsafe { view::init_mut(&mut buffer[..written]) };
            let room = &mut dst[sum.written..];
            let mut converted = self.mapped(kernel, self.route.mended, text, room, false);
            if let Stop::Done = converted.stop {
                sum.add(read, converted.written, repairs + converted.repairs);
            } else {
                // How much of the input is that? The reason is the same there: what is well-formed has the same bytes.
                let limit = converted.read;
                let mended = exact(rest, &mut buffer[..limit], mending, open);
                sum.stop = converted.stop;
                if mended.written < limit {
                    // The last sequence became several characters, of which not all fit.
                    // SAFETY: `exact` has initialised as many bytes as it says that it has written.
                    let text = unsafe { view::init_mut(&mut buffer[..mended.written]) };
                    converted = self.mapped(kernel, self.route.mended, text, room, false);
                }
                sum.add(mended.read, converted.written, mended.repairs + converted.repairs);
                return true;
            }
            if sum.read == src.len() {
                sum.stop = Stop::Done;
                return true;
            }
            if end != End::Output || repairs == 0 {
                return false;
            }
        }
    }

    /// Converts, with something for each character that the target doesn't have; of which one stands at the front, or something
    /// wrong, if it is `stuck` there.
    fn mapped(
        &self,
        kernel: Kernel,
        conversion: Conversion,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        mut stuck: bool,
    ) -> Outcome {
        let mut sum = Outcome { read: 0, written: 0, repairs: 0, stop: Stop::Done };
        loop {
            if sum.read == src.len() {
                sum.stop = Stop::Done;
                return sum;
            }
            if !stuck {
                let reach = conversion.reach(kernel, &src[sum.read..], &mut dst[sum.written..]);
                sum.add(reach.read, reach.written, 0);
            }
            stuck = false;
            sum.stop = conversion.stop(src, sum.read);
            let (Stop::Error(error), Some(substitute)) = (sum.stop, self.unmappable) else {
                return sum;
            };
            if error.kind() != ErrorKind::Unmappable
                || !substitute.run(conversion, src, dst, &mut sum)
            {
                return sum;
            }
        }
    }
}

/// What puts a unit of the target in place of each sequence that is wrong.
#[derive(Clone, Copy)]
struct Units {
    fill: Fill,
    lone: ToUnits,
    unit: [u8; 4],
    size: usize,
}

impl Units {
    /// Writes the unit to the front of `dst`.
    #[inline]
    fn put(self, dst: &mut [MaybeUninit<u8>]) {
        // One store each, where a copy of so many bytes would be a call.
        if self.size == 2 {
            dst[..2].copy_from_slice(view::as_uninit(&self.unit[..2]));
        } else {
            dst[..4].copy_from_slice(view::as_uninit(&self.unit));
        }
    }
}

/// As much of `rest` as there is room for, and [`BEYOND`] bytes; and whether that goes on.
fn stretch(rest: &[u8], room: usize, open: bool) -> (&[u8], bool) {
    match rest.split_at_checked(room.saturating_add(BEYOND)) {
        Some((part, [_, ..])) => (part, true),
        _ => (rest, open),
    }
}

/// Bytes that are mended beyond the room of the output, so that little room is no reason for many small steps.
const BEYOND: usize = 64;

/// Characters that are converted one by one behind one that the target doesn't have.
const NEAR: usize = 8;

impl Substitute {
    /// Goes on one by one as long as there are characters nearby that the target doesn't have. False if it stops for good,
    /// with the reason in `sum`.
    fn run(
        self,
        conversion: Conversion,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        sum: &mut Outcome,
    ) -> bool {
        let mut near = NEAR;
        while near > 0 && sum.read < src.len() {
            let decoded = scalar::decode_for(conversion.to, conversion.from, &src[sum.read..]);
            let Ok((c, len)) = decoded else { break };
            let room = &mut dst[sum.written..];
            let repairs = usize::from(c > conversion.to.largest());
            let put = if repairs == 0 { put(&[c as u8], room) } else { self.put(c, room) };
            let Some(put) = put else {
                sum.stop = Stop::OutputFull;
                return false;
            };
            near = if repairs == 0 { near - 1 } else { NEAR };
            sum.add(len, put, repairs);
        }
        true
    }

    /// Writes what stands for `c`, if it fits.
    fn put(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match self {
            Self::Byte(byte) => put(&[byte], dst),
            Self::Nothing => Some(0),
            Self::Reference => {
                // Seven digits at most, from the last one on.
                let mut text = *b"&#0000000;";
                let (mut at, mut rest) = (text.len() - 1, c);
                while rest > 0 {
                    at -= 1;
                    text[at] = b'0' + (rest % 10) as u8;
                    rest /= 10;
                }
                let digits = text.len() - at;
                text.copy_within(at.., 2);
                put(&text[..2 + digits], dst)
            }
        }
    }
}

/// Writes `bytes`, if they fit.
fn put(bytes: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    dst.get_mut(..bytes.len())?.copy_from_slice(view::as_uninit(bytes));
    Some(bytes.len())
}
