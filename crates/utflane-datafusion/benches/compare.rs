//! Compares the functions with the functions of `datafusion-spark`: `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- chinese` measures one text.
//!
//! For each text and row length it prints the speed of a function divided by the speed of the
//! peer's function, for batches of 8,192 rows. No row is ill-formed, or 1 row in 1,000 is. Both
//! functions are called alternately, as DataFusion calls them, and a figure is the median of the
//! ratios of neighbouring times. The figures are ratios, not absolute speeds, and hold for one
//! machine at one time.

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

/// The number of rows of a batch: DataFusion's default.
const BATCH_ROWS: usize = 8192;
/// The approximate lengths of the rows, in bytes.
const ROW_LENGTHS: [usize; 5] = [8, 16, 32, 64, 256];
/// The number of turns of each measurement. Each turn times both functions once.
const TURNS: usize = 15;

/// The name of each text, and the words that its rows are made of.
const TEXTS: [(&str, &[&str]); 5] = [
    ("ascii", &["plain", " words ", "of", " English", ", ", "and ", "42 "]),
    ("french", &["été ", "déjà", " vu, ", "garçon", " où ", "plain ", "words "]),
    ("russian", &["слово ", "и", " дело", ", ", "правда ", "да ", "нет"]),
    ("chinese", &["漢字", "。", "中文", "數", "據列", "，", "一二三"]),
    ("mixed", &["emoji 😀", "漢字 ", "é", "слово ", "plain ", "🎉", "word, "]),
];

/// Returns rows of about `len` bytes each. If `ill_formed`, 1 row in 1,000 begins with an invalid
/// byte.
fn make_rows(words: &[&str], len: usize, ill_formed: bool) -> Vec<Vec<u8>> {
    let mut state = 1_u32;
    let mut next_random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    (0..BATCH_ROWS)
        .map(|row| {
            let max_len = len * 3 / 4 + next_random() % (len / 2 + 1);
            let mut text = String::new();
            while text.len() + 4 < max_len {
                for c in words[next_random() % words.len()].chars() {
                    if text.len() + c.len_utf8() <= max_len {
                        text.push(c);
                    }
                }
            }
            let mut bytes = text.into_bytes();
            if ill_formed && row % 1000 == 500 {
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
    let return_field =
        function.return_field_from_args(arguments).expect("the function accepts the type");
    let arguments = ScalarFunctionArgs {
        args: vec![ColumnarValue::Array(Arc::clone(array))],
        arg_fields: vec![field],
        number_rows: array.len(),
        return_field,
        config_options: Arc::new(ConfigOptions::default()),
    };
    function.invoke_with_args(arguments).expect("the call succeeds")
}

/// Returns a result as an array of type `kind`.
fn to_array(value: ColumnarValue, kind: &DataType) -> ArrayRef {
    let array = value.to_array(BATCH_ROWS).expect("the result is an array");
    cast(&array, kind).expect("the array can be cast")
}

/// Returns the median over all turns of the time of `peer` divided by the time of `ours`. Both must
/// have the same result.
fn ratio(ours: &ScalarUDF, peer: &ScalarUDF, rows: &ArrayRef) -> f64 {
    let kind = match ours.name() {
        "is_valid_utf8" => DataType::Boolean,
        _ => DataType::Utf8,
    };
    assert_eq!(&to_array(call(ours, rows), &kind), &to_array(call(peer, rows), &kind));
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
            let our_time = time(ours);
            time(peer) / our_time
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TURNS / 2]
}

fn main() {
    let chosen_text = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let (valid, spark_valid) = (udf::is_valid_utf8(), string::is_valid_utf8());
    let (repaired, spark_repaired) = (udf::make_valid_utf8(), string::make_valid_utf8());
    println!(
        "{:10} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "text", "bytes", "is_valid", "1 bad", "view", "make_valid", "1 bad"
    );
    for (name, words) in TEXTS {
        if chosen_text.as_ref().is_some_and(|chosen| chosen != name) {
            continue;
        }
        for len in ROW_LENGTHS {
            let columns = [false, true].map(|ill_formed| {
                let rows = make_rows(words, len, ill_formed);
                let slices = || rows.iter().map(|row| Some(&row[..]));
                let array: ArrayRef = Arc::new(slices().collect::<BinaryArray>());
                let view: ArrayRef = Arc::new(slices().collect::<BinaryViewArray>());
                (array, view)
            });
            let [(well_formed, _), (ill_formed, view)] = &columns;
            println!(
                "{name:10} {len:6} {:10.1} {:10.1} {:10.1} {:10.1} {:10.1}",
                ratio(&valid, &spark_valid, well_formed),
                ratio(&valid, &spark_valid, ill_formed),
                ratio(&valid, &spark_valid, view),
                ratio(&repaired, &spark_repaired, well_formed),
                ratio(&repaired, &spark_repaired, ill_formed),
            );
        }
    }
}
