//! smoke
use rand::{RngExt, SeedableRng};
use utflane::*;
#[test]
fn smoke() {
    let mut r = rand::rngs::StdRng::seed_from_u64(1);
    let pool = [
        0x41u8, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
        0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff,
    ];
    for _ in 0..200_000 {
        let n = r.random_range(0..300);
        let mut v = Vec::new();
        let bad = r.random_range(0..400u32);
        let maxc = [0x80u32, 0x800, 0x10000, 0x110000][r.random_range(0..4)];
        while v.len() < n {
            if r.random_range(0..400) < bad / 20 {
                v.push(pool[r.random_range(0..pool.len())]);
            } else {
                if let Some(c) = char::from_u32(r.random_range(0..maxc)) {
                    let mut b = [0; 4];
                    v.extend_from_slice(c.encode_utf8(&mut b).as_bytes());
                }
            }
        }
        let std =
            core::str::from_utf8(&v).map(|_| ()).map_err(|e| (e.valid_up_to(), e.error_len()));
        let up = std.err().map_or(v.len(), |e| e.0);
        let want: Vec<u16> = core::str::from_utf8(&v[..up]).unwrap().encode_utf16().collect();
        for k in Kernel::available() {
            let got = k.validate::<Utf8>(&v).map_err(|e| (e.valid_up_to(), e.error_len()));
            assert_eq!(got, std, "{k} {v:02x?}");
            let mut out = vec![0u16; want.len() + r.random_range(0..100)];
            let p = k.transcode_into::<Utf8, Utf16>(&v, &mut out);
            assert_eq!(&out[..p.written], &want[..], "{k} {v:02x?} {p:?}");
            assert_eq!(p.read, up);
            let cut = r.random_range(0..=want.len());
            let p = k.transcode_into::<Utf8, Utf16>(&v, &mut out[..cut]);
            let s = Kernel::SCALAR.transcode_into::<Utf8, Utf16>(&v, &mut vec![0; cut]);
            assert_eq!(p, s);
            assert_eq!(&out[..p.written], &want[..p.written]);
        }
    }
}
