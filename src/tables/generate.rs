// Pure functions that compute the rows of the lookup tables. This file is compiled twice: by
// build.rs, which writes the tables, and by the unit tests, which test every row.

/// An entry of a shuffle row that gives a zero byte, both with `pshufb` and with `tbl`.
pub(crate) const ZERO_LANE: u8 = 0x80;

/// Returns the row that moves the 16-bit lanes whose bits are set in `mask` to the front, followed
/// by zeros. With `swap`, the bytes of each lane are swapped.
pub(crate) fn compress16(mask: u8, swap: bool) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let mut end = 0;
    for lane in 0..8u8 {
        if mask >> lane & 1 == 1 {
            row[end] = 2 * lane + u8::from(swap);
            row[end + 1] = 2 * lane + u8::from(!swap);
            end += 2;
        }
    }
    row
}

/// Returns the row that moves some of the eight bytes from index `first` on to the front, followed
/// by zeros. Bit `i` of `mask` selects byte `first + i`.
pub(crate) fn compress8(mask: u8, first: u8) -> [u8; 8] {
    let mut row = [ZERO_LANE; 8];
    let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
    for (entry, lane) in row.iter_mut().zip(lanes) {
        *entry = first + lane;
    }
    row
}

/// Returns the row that writes eight 16-bit lanes as UTF-8, followed by zeros. It writes byte 1 and
/// then byte 0 of a lane whose bit in `two_byte` is set, and only byte 0 of the other lanes.
pub(crate) fn utf8_narrow(two_byte: u8) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let lanes = (0..8).flat_map(|lane| {
        let first = u8::from(two_byte >> lane & 1 == 1);
        (0..=first).rev().map(move |byte| 2 * lane + byte)
    });
    for (entry, byte) in row.iter_mut().zip(lanes) {
        *entry = byte;
    }
    row
}

/// Returns the row that writes four 32-bit lanes as UTF-8, followed by zeros. It writes the bytes
/// of a lane in reverse order, up to byte 0. The two bits of the lane in `lengths` select the
/// bytes: binary 00 is byte 0, 01 is the bytes 1 and 0, 11 is the bytes 2, 1 and 0, and 10 is all
/// four bytes.
pub(crate) fn utf8_wide(lengths: u8) -> [u8; 16] {
    let mut row = [ZERO_LANE; 16];
    let lanes = (0..4).flat_map(|lane| {
        let first = [0, 1, 3, 2][usize::from(lengths >> (2 * lane) & 3)];
        (0..=first).rev().map(move |byte| 4 * lane + byte)
    });
    for (entry, byte) in row.iter_mut().zip(lanes) {
        *entry = byte;
    }
    row
}
