//! Functions that detect an encoding, undo double encoding, and count UTF-16 code units.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::Documentation;

use super::function::scalar_udf;
use super::unary::{Unary, build_documentation};
use crate::kinds::Input;

/// `detect_encoding(bytes)`: see [`detect_encoding`](super::detect_encoding).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DetectEncoding;

/// `fix_mojibake(text)`: see [`fix_mojibake`](super::fix_mojibake).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FixMojibake;

/// `utf16_length(text)`: see [`utf16_length`](super::utf16_length).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Utf16Length;

scalar_udf!(unary: DetectEncoding, FixMojibake, Utf16Length);

/// The name and the description of an argument that is text.
const TEXT_ARGUMENT: (&str, &str) = ("text", "Text, or a dictionary of text.");

impl Unary for DetectEncoding {
    const NAME: &'static str = "detect_encoding";
    const INPUT: Input = Input::Bytes;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "detect_encoding(bytes)",
                "Returns the name of the likely encoding of a value, which decode_text accepts. \
                 Returns binary if no encoding is likely, and mixed if the value has parts in \
                 different encodings. Well-formed UTF-8 is always found. The encoding of a short \
                 text in another encoding is a guess.",
                ("bytes", "Binary, text, or a dictionary of either."),
                r"```sql
> SELECT detect_encoding(x'636166C3A9') AS a, detect_encoding(x'636166E9') AS b,
    detect_encoding(x'FFFE6100') AS c;
+-------+--------+----------+
| a     | b      | c        |
+-------+--------+----------+
| utf-8 | latin1 | utf-16le |
+-------+--------+----------+
```",
                &["decode_text"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(_data_type: &DataType) -> DataType {
        DataType::Utf8
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        Ok(Arc::new(utflane_arrow::detect(array)?))
    }
}

impl Unary for FixMojibake {
    const NAME: &'static str = "fix_mojibake";
    const INPUT: Input = Input::Text;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "fix_mojibake(text)",
                "Returns text with double encoding undone: UTF-8 that was decoded as Latin-1 \
                 or windows-1252. Other text is returned unchanged.",
                TEXT_ARGUMENT,
                r"```sql
> SELECT fix_mojibake('fÃ¶rste smÃ¶rgÃ¥s') AS text;
+----------------+
| text           |
+----------------+
| förste smörgås |
+----------------+
```",
                &["decode_text"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        data_type.clone()
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        utflane_arrow::fix_mojibake(array)
    }
}

impl Unary for Utf16Length {
    const NAME: &'static str = "utf16_length";
    const INPUT: Input = Input::Text;

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            build_documentation(
                "utf16_length(text)",
                "Returns the number of UTF-16 code units of text: its length in JavaScript, Java \
                 and C#.",
                TEXT_ARGUMENT,
                r"```sql
> SELECT utf16_length('naïve') AS a, utf16_length('😀') AS b;
+---+---+
| a | b |
+---+---+
| 5 | 2 |
+---+---+
```",
                &["character_length", "octet_length"],
            )
        });
        &DOCUMENTATION
    }

    fn result_type(_data_type: &DataType) -> DataType {
        DataType::Int64
    }

    fn evaluate(array: &ArrayRef) -> Result<ArrayRef, utflane_arrow::Error> {
        Ok(Arc::new(utflane_arrow::utf16_lengths(array)?))
    }
}
