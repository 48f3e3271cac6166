// The lookup tables as pure functions. This file is compiled twice: by build.rs, which writes the tables down, and by
// the unit tests, which check every row.

/// An entry of a shuffle row that gives a zero byte, with `pshufb` and with `tbl` alike.
pub(crate) const ZERO: u8 = 0x80;

/// The row that moves the 16-bit lanes named by the bits of `mask` to the front and puts zeros behind them; the bytes of
/// each lane swapped if `swap`.
pub(crate) fn compress16(mask: u8, swap: bool) -> [u8; 16] {
    let mut row = [ZERO; 16];
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

/// The row that moves the eight bytes named by the bits of `mask`, of those from `first` on, to the front and puts zeros
/// behind them.
pub(crate) fn compress8(mask: u8, first: u8) -> [u8; 8] {
    let mut row = [ZERO; 8];
    let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
    for (to, lane) in row.iter_mut().zip(lanes) {
        *to = first + lane;
    }
    row
}
