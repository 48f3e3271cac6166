//! Latin-1 to UTF-8 by vectors of 64 lanes, where they can be loaded and stored in part: a text is whole vectors and the rest
//! of one, and no length is a case of its own. What has less room is cut to what fits, and is one of these again.

use core::mem::MaybeUninit;

use super::{BLOCK, ascii_run};
use crate::arch::lanes16::Lanes16;
use crate::progress::Reach;

/// Converts `src` into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut reach = whole::<V>(token, src, dst);
    while reach.read < src.len() {
        let rest = &src[reach.read..];
        let step = convert_short::<V>(token, rest, &mut dst[reach.written..]);
        reach = step.behind(reach.read, reach.written);
        if step.read < rest.len().min(BLOCK) {
            break;
        }
    }
    reach
}

/// Converts `src`, but for what is behind the first 64 bytes, into `dst`: as much of it as fits, writing nothing but that.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut len = src.len().min(BLOCK);
    loop {
        let characters = Characters::<V>::new(V::load_first(token, &src[..len]));
        let written = len + characters.twos();
        if let Some(room) = dst.get_mut(..written) {
            characters.put_first(token, len, room);
            return Reach { read: len, written };
        }
        len = that_fit(characters.high, dst.len());
        if len == 0 {
            return Reach { read: 0, written: 0 };
        }
    }
}

/// Converts whole vectors, as long as there are any and `dst` has room for whatever may come of them.
#[inline(always)]
fn whole<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let (mut read, mut written) = (0, 0);
    while let (Some(block), Some(room)) =
        (src.get(read..read + BLOCK), dst.get_mut(written..written + 2 * BLOCK))
    {
        let characters = Characters::<V>::new(V::load(token, block, 0));
        read += BLOCK;
        if characters.high == 0 {
            characters.bytes.store_bytes(room, 0);
            written += BLOCK;
            let run = ascii_run::<V>(token, &src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        let [first, second] = characters.utf8(token);
        first.store_bytes(room, 0);
        second.store_bytes(room, characters.bytes_of_half());
        written += BLOCK + characters.twos();
    }
    Reach { read, written }
}

/// How many characters fit into `room` bytes, where not all of a vector do. Those in `high` take two bytes.
#[cold]
fn that_fit(mut high: u64, room: usize) -> usize {
    let (mut fit, mut left) = (0, room);
    while left > (high & 1) as usize {
        left -= 1 + (high & 1) as usize;
        high >>= 1;
        fit += 1;
    }
    fit
}

/// A vector of characters.
struct Characters<V> {
    bytes: V,
    /// Those that take two bytes.
    high: u64,
}

impl<V: Lanes16> Characters<V> {
    #[inline(always)]
    fn new(bytes: V) -> Self {
        Self { bytes, high: V::bits(&[bytes.high()]) }
    }

    /// How many take two bytes.
    #[inline(always)]
    fn twos(&self) -> usize {
        self.high.count_ones() as usize
    }

    /// Bytes that the first half of the vector becomes.
    #[inline(always)]
    fn bytes_of_half(&self) -> usize {
        BLOCK / 2 + (self.high as u32).count_ones() as usize
    }

    /// Writes what the first `len` become, which is as long as `room`.
    #[inline(always)]
    fn put_first(&self, token: V::Token, len: usize, room: &mut [MaybeUninit<u8>]) {
        if self.high == 0 {
            self.bytes.store_first(len, room);
            return;
        }
        let [first, second] = self.utf8(token);
        if len <= BLOCK / 2 {
            first.store_first(room.len(), room);
            return;
        }
        if let Some((front, behind)) = room.split_at_mut_checked(self.bytes_of_half()) {
            first.store_first(front.len(), front);
            second.store_first(behind.len(), behind);
        }
    }

    /// What the first and the second half of the vector become, and anything behind that.
    #[inline(always)]
    fn utf8(&self, token: V::Token) -> [V; 2] {
        // From C0 on bit 6 is taken away.
        let surplus = self.bytes.shr16::<1>().and(V::splat(token, 0x40));
        let last = self.bytes.and(surplus.xor(V::splat(token, 0xFF)));
        // C2 and C3; of ASCII C0 and C1.
        let top = self.bytes.shr16::<6>().and(V::splat(token, 0x03));
        V::led(top.or(V::splat(token, 0xC0)), last, 0xC2)
    }
}
