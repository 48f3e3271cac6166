//! Compares the functions with `datafusion-spark`'s: `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- chinese` measures one text.
//!
//! For each text and length of rows it prints how many times as fast a call is as the peer's, for
//! batches of 8,192 rows of which none is ill-formed, and of which 1 in 1,000 is. Both are called
//! as DataFusion calls them, in turns, and a figure is the median of the ratios of neighbours. The
//! figures of one machine at one time are ratios, nothing else.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{ArrayRef, BinaryArray, BinaryViewArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use datafusion_spark::function::string;
use utflane_datafusion::udf;

/// Rows of a batch, as DataFusion has them.
const ROWS: usize = 8192;
/// Bytes of a row, about.
const LENGTHS: [usize; 5] = [8, 16, 32, 64, 256];
/// Turns of each measurement.
const TURNS: usize = 15;

/// The texts: a name, and words of each script.
const TEXTS: [(&str, &[&str]); 5] = [
    ("ascii", &["plain", " words ", "of", " English", ", ", "and ", "42 "]),
    ("french", &["été ", "déjà", " vu, ", "garçon", " où ", "plain ", "words "]),
    ("russian", &["слово ", "и", " дело", ", ", "правда ", "да ", "нет"]),
    ("chinese", &["漢字", "。", "中文", "數", "據列", "，", "一二三"]),
    ("mixed", &["emoji 😀", "漢字 ", "é", "слово ", "plain ", "🎉", "word, "]),
];

/// Rows of about `len` bytes each; with `damaged`, 1 in 1,000 begins with an invalid byte.
fn rows(words: &[&str], len: usize, damaged: bool) -> Vec<Vec<u8>> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    (0..ROWS)
        .map(|row| {
            let most = len * 3 / 4 + next() % (len / 2 + 1);
            let mut text = String::new();
            while text.len() + 4 < most {
                for c in words[next() % words.len()].chars() {
                    if text.len() + c.len_utf8() <= most {
                        text.push(c);
                    }
                }
            }
            let mut bytes = text.into_bytes();
            if damaged && row % 1000 == 500 {
                bytes[0] = 0xFF;
            }
            bytes
        })
        .collect()
}

/// Calls a function as DataFusion calls it.
fn call(function: &ScalarUDF, array: &ArrayRef) -> ColumnarValue {
    let field = Arc::new(Field::new("b", array.data_type().clone(), true));
    let fields = [Arc::clone(&field)];
    let arguments = ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &[None] };
    let return_field = function.return_field_from_args(arguments).expect("a type");
    let arguments = ScalarFunctionArgs {
        args: vec![ColumnarValue::Array(Arc::clone(array))],
        arg_fields: vec![field],
        number_rows: array.len(),
        return_field,
        config_options: Arc::new(ConfigOptions::default()),
    };
    function.invoke_with_args(arguments).expect("a result")
}

/// The rows of a result.
fn array(value: ColumnarValue, kind: &DataType) -> ArrayRef {
    cast(&value.to_array(ROWS).expect("an array"), kind).expect("a cast")
}

/// The median of how many times as long `peer` takes as `ours`.
fn ratio(ours: &ScalarUDF, peer: &ScalarUDF, rows: &ArrayRef) -> f64 {
    let kind = match ours.name() {
        "is_valid_utf8" => DataType::Boolean,
        _ => DataType::Utf8,
    };
    assert_eq!(&array(call(ours, rows), &kind), &array(call(peer, rows), &kind));
    let began = Instant::now();
    black_box(call(ours, rows));
    let calls = (3_000_000 / began.elapsed().as_nanos().max(1)).clamp(1, 1000);
    let time = |function: &ScalarUDF| {
        let began = Instant::now();
        (0..calls).for_each(|_| drop(black_box(call(function, rows))));
        began.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<_> = (0..TURNS)
        .map(|_| {
            let first = time(ours);
            time(peer) / first
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TURNS / 2]
}

fn main() {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let (valid, spark_valid) = (udf::is_valid_utf8(), string::is_valid_utf8());
    let (repaired, spark_repaired) = (udf::make_valid_utf8(), string::make_valid_utf8());
    println!(
        "{:10} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "text", "bytes", "is_valid", "1 bad", "view", "make_valid", "1 bad"
    );
    for (name, words) in TEXTS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        for len in LENGTHS {
            let columns = [false, true].map(|damaged| {
                let rows = rows(words, len, damaged);
                let each = || rows.iter().map(|row| Some(&row[..]));
                let array: ArrayRef = Arc::new(each().collect::<BinaryArray>());
                let view: ArrayRef = Arc::new(each().collect::<BinaryViewArray>());
                (array, view)
            });
            let [(sound, _), (damaged, view)] = &columns;
            println!(
                "{name:10} {len:6} {:10.1} {:10.1} {:10.1} {:10.1} {:10.1}",
                ratio(&valid, &spark_valid, sound),
                ratio(&valid, &spark_valid, damaged),
                ratio(&valid, &spark_valid, view),
                ratio(&repaired, &spark_repaired, sound),
                ratio(&repaired, &spark_repaired, damaged),
            );
        }
    }
}
