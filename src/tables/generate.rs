// The lookup tables as pure functions. This file is compiled twice: by build.rs, which writes the
// tables, and by the unit tests, which test every row.

/// An entry of a shuffle row that gives a zero byte, with `pshufb` and with `tbl` alike.
pub(crate) const ZERO_LANE: u8 = 0x80;

/// Returns the row that moves the 16-bit lanes given by the bits of `mask` to the front, with zeros
/// after them. With `swap`, the bytes of each lane are swapped.
pub(crate) fn compress16(mask: u8, swap: bool) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let mut to = 0;
    for lane in 0..8u8 {
        if mask >> lane & 1 == 1 {
            row[to] = 2 * lane + u8::from(swap);
            row[to + 1] = 2 * lane + u8::from(!swap);
            to += 2;
        }
    }
    row
}

/// Returns the row that moves the bytes given by the bits of `mask`, of the eight from `first` on,
/// to the front, with zeros after them.
pub(crate) fn compress8(mask: u8, first: u8) -> [u8; 8] {
    let mut row = [ZERO_LANE; 8];
    let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
    for (to, lane) in row.iter_mut().zip(lanes) {
        *to = first + lane;
    }
    row
}

/// Returns the row that writes eight 16-bit lanes as UTF-8: byte 0 only or, if the bit of the lane
/// in `twos` is set, byte 1 and then byte 0. Zeros follow.
pub(crate) fn utf8_narrow(twos: u8) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let lanes = (0..8).flat_map(|lane| {
        let first = u8::from(twos >> lane & 1 == 1);
        (0..=first).rev().map(move |byte| 2 * lane + byte)
    });
    for (to, byte) in row.iter_mut().zip(lanes) {
        *to = byte;
    }
    row
}

/// Returns the row that writes four 32-bit lanes as UTF-8, the last byte of each first. The two
/// bits of a lane in `more` give the number of bytes: 00 is byte 0 only, 01 bytes 1 and 0, 11 bytes
/// 2, 1 and 0, and 10 all four. Zeros follow.
pub(crate) fn utf8_wide(more: u8) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let lanes = (0..4).flat_map(|lane| {
        let most = [0, 1, 3, 2][usize::from(more >> (2 * lane) & 3)];
        (0..=most).rev().map(move |byte| 4 * lane + byte)
    });
    for (to, byte) in row.iter_mut().zip(lanes) {
        *to = byte;
    }
    row
}
