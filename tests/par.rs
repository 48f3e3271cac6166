//! Tests of the public functions of `utflane::par` with long texts, in thread pools of several
//! sizes. The results must equal the results of the sequential functions. Unit tests in the crate
//! test how texts are split, with short texts.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    Ascii, Cesu8, Latin1, Mutf8, Unicode, Utf8, Utf16, Utf16Be, Utf32, Utf32Be, Wtf8, Wtf16,
    from_str, par,
};
#[cfg(feature = "columns")]
use utflane::{Repair, Scheme};

// The fuzz target uses the same checks.
#[path = "common/par.rs"]
mod checks;

#[cfg(feature = "columns")]
use checks::check_column;
use checks::{check_index, check_pair};

/// Returns a random text of characters up to `last`. It is about three times as long as the
/// threshold from which texts are split.
fn random_text(last: char, rng: &mut StdRng) -> String {
    random_text_of(3 * par::THRESHOLD, last, rng)
}

/// Returns a random text of at least `len` bytes, of characters up to `last`.
fn random_text_of(len: usize, last: char, rng: &mut StdRng) -> String {
    let chars: Vec<char> =
        "plain text, é ж 漢 \u{FFFD} 😀\n".chars().filter(|c| *c <= last).collect();
    let mut text = String::new();
    while text.len() < len {
        let run_len = rng.random_range(1..30);
        text.extend(std::iter::repeat_n(chars[rng.random_range(0..chars.len())], run_len));
    }
    text
}

/// Pools of two and four threads. Each check runs in one of them, in turn.
struct Pools {
    pools: [rayon::ThreadPool; 2],
    next: usize,
}

impl Pools {
    fn new() -> Self {
        let pool =
            |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        Self { pools: [2, 4].map(pool), next: 0 }
    }

    /// Runs `check` in the next pool.
    fn run(&mut self, check: impl FnOnce() + Send) {
        self.pools[self.next].install(check);
        self.next = (self.next + 1) % self.pools.len();
    }
}

/// Checks conversions from `A` of a well-formed text, and of the text with the sequence
/// `ill_formed` at several offsets.
fn check_from<A: Unicode>(pools: &mut Pools, rng: &mut StdRng, ill_formed: &[A::Unit])
where
    A::Owned: AsRef<[A::Unit]>,
{
    let text = from_str::<A>(&random_text(char::MAX, rng));
    let mut src = text.as_ref().to_vec();
    for error_offset in
        [None, Some(0), Some(src.len() / 2), Some(src.len() - 1), Some(7 * src.len() / 8)]
    {
        if let Some(error_offset) = error_offset {
            let at = error_offset.saturating_sub(rng.random_range(0..9));
            let end = (at + ill_formed.len()).min(src.len());
            src.splice(at..end, ill_formed.iter().copied());
        }
        pools.run(|| check_pair::<A, Utf8>(&src));
        pools.run(|| check_pair::<A, Utf16>(&src));
        pools.run(|| check_pair::<A, Utf32Be>(&src));
        pools.run(|| check_pair::<A, Latin1>(&src));
        pools.run(|| check_pair::<A, Wtf16>(&src));
        src = text.as_ref().to_vec();
    }
}

/// Runs `check` in pools of one, two and four threads.
fn in_pools(check: impl Fn() + Sync) {
    for pool in Pools::new().pools {
        pool.install(&check);
    }
}

#[test]
fn par_matches_sequential_from_bytes() {
    let (mut pools, mut rng) = (Pools::new(), StdRng::seed_from_u64(1));
    check_from::<Utf8>(&mut pools, &mut rng, b"\xFF");
    check_from::<Utf8>(&mut pools, &mut rng, b"\xE2\x82");
    check_from::<Utf16Be>(&mut pools, &mut rng, b"\xD8\0\xD8\0");
    check_from::<Cesu8>(&mut pools, &mut rng, b"\xED\xA0\xBD");
    check_from::<Mutf8>(&mut pools, &mut rng, b"\0");
    check_from::<Wtf8>(&mut pools, &mut rng, b"\xED\xA0\xBD\xED\xB8\x80");
}

#[test]
fn par_matches_sequential_from_units() {
    let (mut pools, mut rng) = (Pools::new(), StdRng::seed_from_u64(2));
    check_from::<Utf16>(&mut pools, &mut rng, &[0xD83D]);
    check_from::<Utf16>(&mut pools, &mut rng, &[0xDE00, 0xDE00]);
    check_from::<Utf32>(&mut pools, &mut rng, &[0x11_0000]);
    check_from::<Wtf16>(&mut pools, &mut rng, &[0xD83D, 0xD83D]);
    let latin1 =
        utflane::transcode::<Utf8, Latin1>(random_text('ÿ', &mut rng).as_bytes()).expect("Latin-1");
    in_pools(|| {
        check_pair::<Latin1, Utf8>(&latin1);
        check_pair::<Latin1, Utf16>(&latin1);
        check_pair::<Latin1, Ascii>(&latin1);
        check_pair::<Ascii, Utf8>(&latin1);
    });
}

/// Several parts of a text have errors: the first error in the text is returned.
#[test]
fn par_finds_the_first_error() {
    in_pools(|| {
        let mut rng = StdRng::seed_from_u64(3);
        let text = random_text(char::MAX, &mut rng);
        for _ in 0..20 {
            let mut src = text.clone().into_bytes();
            for _ in 0..rng.random_range(1..5) {
                let at = rng.random_range(0..src.len());
                src[at] = rng.random_range(0x80..=0xFF);
            }
            assert_eq!(par::validate::<Utf8>(&src), utflane::validate::<Utf8>(&src));
            let mut got = Vec::new();
            let mut want = Vec::new();
            let result = par::transcode_append::<Utf8, Utf16>(&src, &mut got);
            assert_eq!(result, utflane::transcode_append::<Utf8, Utf16>(&src, &mut want));
            assert!(got == want);
        }
    });
}

#[test]
fn par_index_matches_sequential() {
    in_pools(|| {
        let mut rng = StdRng::seed_from_u64(4);
        let mut src = random_text(char::MAX, &mut rng).into_bytes();
        src[1_000_000] = 0xFF;
        check_index(&src, 10_007);
    });
}

/// Texts with lengths near the threshold from which texts are split.
#[test]
fn par_matches_sequential_near_the_threshold() {
    in_pools(|| {
        for len in [0, 1, 100, par::THRESHOLD - 1, par::THRESHOLD, par::THRESHOLD + 1] {
            let src: Vec<u8> = "ab漢".bytes().cycle().take(len).collect();
            check_pair::<Utf8, Utf16>(&src);
            check_pair::<Utf8, Utf8>(&src);
        }
    });
}

/// Columns in which only one row is ill-formed, in the first part, in a later part or in the last
/// part. All other rows must stay valid.
#[cfg(feature = "columns")]
#[test]
fn par_columns_with_one_ill_formed_row() {
    use utflane::columns::Column;

    let rows = 3 * par::THRESHOLD / 8;
    for bad in [0, 1, rows / 3, rows / 2 + 5, rows - 8, rows - 1] {
        let mut values = b"8 bytes ".repeat(rows);
        values[8 * bad + 3] = 0xFF;
        let column = Column::fixed(Utf8, &values, 8, rows).expect("rows inside the values");
        in_pools(|| {
            let error = column.with_threads().validate().expect_err("ill-formed");
            assert_eq!(error.row, bad);
            let texts = column.with_threads().transcode_or_null::<i32, _>(Utf16).expect("small");
            assert_eq!(texts.rows(), rows);
            let bits = texts.validity.as_ref().expect("a row is null");
            let null_rows: Vec<_> =
                (0..rows).filter(|row| bits[row / 8] >> (row % 8) & 1 == 0).collect();
            assert_eq!(null_rows, [bad]);
            assert!(Ok(texts.clone()) == column.transcode_or_null::<_, _>(Utf16));
            let mut valid = Vec::new();
            assert_eq!(column.with_threads().validity(&mut valid), 1);
            assert!(valid == *bits);
            assert_eq!(column.with_threads().fits_latin1(&mut valid), 1);
            assert!(valid == *bits);
            let strict = column.with_threads().transcode::<i32, _>(Utf16);
            assert_eq!(strict.expect_err("ill-formed").row, bad);
        });
    }
}

/// A long column of short rows: all well-formed, with one ill-formed byte, and with many ill-formed
/// bytes.
#[cfg(feature = "columns")]
#[test]
fn par_columns_match_sequential() {
    use utflane::columns::Column;

    in_pools(|| {
        let mut rng = StdRng::seed_from_u64(5);
        let text = random_text(char::MAX, &mut rng);
        let mut offsets = vec![0];
        while offsets[offsets.len() - 1] < text.len() {
            let next = offsets[offsets.len() - 1] + rng.random_range(0..40);
            offsets.push(text.ceil_char_boundary(next));
        }
        let offsets: Vec<_> = offsets.iter().map(|&at| i32::try_from(at).expect("small")).collect();
        let mut values = text.into_bytes();
        for new_errors in [0, 1, 1000] {
            for _ in 0..new_errors {
                let at = rng.random_range(0..values.len());
                values[at] = 0xFF;
            }
            let column = Column::new(Utf8, &values, &offsets).expect("rows inside the values");
            assert_eq!(column.with_threads().validate(), column.validate());
            let (mut got, mut want) = (Vec::new(), Vec::new());
            let bad = column.with_threads().validity(&mut got);
            assert_eq!(bad, column.validity(&mut want));
            assert!(got == want);
            let bad = column.with_threads().fits_latin1(&mut got);
            assert_eq!(bad, column.fits_latin1(&mut want));
            assert!(got == want);
            assert!(column.with_threads().transcode::<i32, _>(Utf16) == column.transcode(Utf16));
            assert!(
                column.with_threads().transcode_or_null::<i64, _>(Latin1)
                    == column.transcode_or_null(Latin1)
            );
            let (mut got, mut want) = (Vec::new(), Vec::new());
            let (repair, counts) = (Repair::REPLACE, Some(&mut got));
            let texts = column.with_threads().transcode_lossy::<i32, _>(Utf8, repair, counts);
            assert!(texts == column.transcode_lossy(Utf8, repair, Some(&mut want)));
            assert!(got == want);
            column.with_threads().lens(Utf16, &mut got);
            column.lens(Utf16, &mut want);
            assert!(got == want);
            column.with_threads().counts(&mut got);
            column.counts(&mut want);
            assert!(got == want);
        }
    });
}

/// Returns the Arrow view of a row of `values` between two offsets. Its prefix is 0 if it is long.
#[cfg(feature = "columns")]
fn view(values: &[u8], offsets: &[i64]) -> u128 {
    let (start, end) = (offsets[0] as usize, offsets[1] as usize);
    let len = end - start;
    if len > 12 {
        return (start as u128) << 96 | len as u128;
    }
    let mut bytes = [0; 16];
    bytes[0] = len as u8;
    bytes[4..4 + len].copy_from_slice(&values[start..end]);
    u128::from_le_bytes(bytes)
}

/// Byte columns, whose encodings are chosen at run time: with offsets, in views, and with rows of a
/// fixed width; the first two with and without nulls.
#[cfg(feature = "columns")]
#[test]
fn par_byte_columns_match_sequential() {
    use utflane::columns::Column;

    let (mut pools, mut rng) = (Pools::new(), StdRng::seed_from_u64(6));
    // Just long enough to be split, because there are many columns.
    let text = random_text_of(par::THRESHOLD + 10_000, char::MAX, &mut rng);
    let schemes = [Scheme::Utf8, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Latin1];
    for (index, scheme) in schemes.into_iter().chain([Scheme::Mutf8, Scheme::Wtf8]).enumerate() {
        let mut values = Vec::new();
        Scheme::Utf8.transcode_lossy_append(text.as_bytes(), scheme, Repair::REPLACE, &mut values);
        let unit = scheme.unit_size();
        let mut offsets = vec![0_i64];
        while let Some(&last) = offsets.last()
            && (last as usize) < values.len()
        {
            let next = last as usize + rng.random_range(0..40) * unit;
            offsets.push(values.len().min(next) as i64);
        }
        let nulls: Vec<u8> = (0..offsets.len() / 8 + 2).map(|_| rng.random()).collect();
        let column = Column::new(scheme, &values, &offsets).expect("rows inside the values");
        let views: Vec<_> = offsets.windows(2).map(|row| view(&values, row)).collect();
        let buffers = [&values[..]];
        let of_views = Column::of_views(scheme, &views, &buffers).expect("rows in the buffer");
        // In turn, the rows with offsets or the rows in views have nulls.
        let (plain, other) = if index % 2 == 0 { (column, of_views) } else { (of_views, column) };
        let with_nulls = other.with_nulls(&nulls, 3).expect("the bitmap has a bit for each row");
        let rows = values.len() / (8 * unit);
        let fixed = Column::fixed(scheme, &values, 8 * unit, rows).expect("rows inside the values");
        pools.next = index / 2 % 2;
        for column in [plain, with_nulls, fixed] {
            pools.run(|| check_column(&column));
        }
    }
}
