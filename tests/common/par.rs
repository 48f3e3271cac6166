//! Checks of `utflane::par`: each function must return the result of the sequential function.

#![allow(unreachable_pub, reason = "several crates compile this module")]

use utflane::{Encoding, Index, Metric, par};
#[cfg(feature = "columns")]
use utflane::{Repair, Scheme};

/// Returns the name of an encoding.
fn name<E: Encoding>() -> &'static str {
    std::any::type_name::<E>()
}

/// Checks all functions of a pair of encodings.
pub fn check_pair<A: Encoding, B: Encoding>(src: &[A::Unit])
where
    B::Owned: PartialEq,
{
    assert_eq!(par::validate::<A>(src), utflane::validate::<A>(src), "{}", name::<A>());
    assert_eq!(par::count::<A>(src), utflane::count::<A>(src), "{}", name::<A>());
    assert_eq!(par::len::<A, B>(src), utflane::len::<A, B>(src), "{}", name::<A>());
    let (got, want) = (par::transcode::<A, B>(src), utflane::transcode::<A, B>(src));
    assert!(got == want, "{} to {}: {:?}, {:?}", name::<A>(), name::<B>(), got.err(), want.err());
    // If there is an error, the output keeps the text before it.
    let (mut got, mut want) = (B::Owned::default(), B::Owned::default());
    let appended = par::transcode_append::<A, B>(src, &mut got);
    assert_eq!(appended, utflane::transcode_append::<A, B>(src, &mut want));
    assert!(got == want, "{} to {}, appended", name::<A>(), name::<B>());
}

/// Checks that an index that is built in parallel gives the same results as an index that is built
/// sequentially, at every `step`th offset.
pub fn check_index(src: &[u8], step: usize) {
    let (got, want) = (par::index(src), Index::new(src));
    assert_eq!((got.size(), got.lines()), (want.size(), want.lines()));
    for offset in (0..src.len()).step_by(step) {
        for metric in [Metric::CodePoints, Metric::Utf16] {
            assert_eq!(got.position_of(offset, metric), want.position_of(offset, metric));
            assert_eq!(got.offset_of(offset, metric), want.offset_of(offset, metric));
        }
    }
}

/// Checks all functions of a column with threads.
#[cfg(feature = "columns")]
pub fn check_column(column: &utflane::columns::Column<'_, Scheme>) {
    let parallel = column.with_threads();
    let (mut got, mut want) = (Vec::new(), Vec::new());
    assert_eq!(parallel.validate(), column.validate());
    assert_eq!(parallel.validity(&mut got), column.validity(&mut want), "{column:?}");
    assert!(got == want, "{column:?}");
    let bad = parallel.fits_latin1(&mut got);
    assert_eq!(bad, column.fits_latin1(&mut want), "{column:?}");
    assert!(got == want, "{column:?}");
    let (mut got, mut want) = (Vec::new(), Vec::new());
    parallel.counts(&mut got);
    column.counts(&mut want);
    assert!(got == want, "{column:?}");
    for to in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Latin1, Scheme::Cesu8] {
        let strict = parallel.transcode::<i32, _>(to);
        assert!(strict == column.transcode(to), "{column:?} to {to}");
        let or_null = parallel.transcode_or_null::<i64, _>(to);
        assert!(or_null == column.transcode_or_null(to), "{column:?} to {to}");
        let (repair, counts) = (Repair::REPLACE, Some(&mut got));
        let lossy = parallel.transcode_lossy::<i32, _>(to, repair, counts);
        assert!(lossy == column.transcode_lossy(to, repair, Some(&mut want)), "{column:?} to {to}");
        assert!(got == want, "{column:?} to {to}");
        parallel.lens(to, &mut got);
        column.lens(to, &mut want);
        assert!(got == want, "{column:?} to {to}");
    }
}
