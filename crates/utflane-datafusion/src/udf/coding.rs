//! Decodes bytes to text, and encodes text to bytes.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{Documentation, ScalarUDF};
use utflane::{IllFormed, Scheme, Unmappable};
use utflane_charset::{Charset, Legacy};

use super::SECTION;
use super::conversion::Conversion;
use super::function::scalar_udf;
use crate::encoding::OnError;
use crate::error::TextErrorKind;
use crate::kinds::{Input, binary_type, text_type};
use crate::legacy_rows;

/// `decode_text(bytes, encoding[, on_error])`: see [`decode_text`](super::decode_text).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodeText;

/// `encode_text(text, encoding[, on_error])`: see [`encode_text`](super::encode_text).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodeText;

scalar_udf!(conversion: DecodeText, EncodeText);

impl Conversion for DecodeText {
    const NAME: &'static str = "decode_text";
    const INPUT: Input = Input::Bytes;
    const DETECTS: bool = true;
    type Repair = IllFormed;

    fn function() -> Arc<ScalarUDF> {
        super::decode_text()
    }

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            Documentation::builder(
                SECTION,
                "Decodes bytes in an encoding to text. A byte order mark is kept as the character \
                 U+FEFF, unless the encoding is auto.",
                "decode_text(bytes, encoding[, on_error])",
            )
            .with_argument(
                "bytes",
                "Binary, text (taken as its UTF-8 bytes), or a dictionary of either.",
            )
            .with_argument(
                "encoding",
                "A constant or a column: utf-8, utf-16le, utf-16be, utf-32le, utf-32be, latin1, \
                 ascii, cesu-8, mutf-8, wtf-8, an encoding of the Encoding Standard, such as \
                 windows-1252 or shift_jis, or auto: the likely encoding of each row. With auto, a \
                 row that mixes encodings is an error, whatever on_error is.",
            )
            .with_argument(
                "on_error",
                "A constant that says how to handle ill-formed rows: error (the default), null, \
                 replace (U+FFFD), skip, latin1, replace-as-java, replace-runs.",
            )
            .with_sql_example(
                r"```sql
> SELECT decode_text(x'636166E9', 'latin1') AS text,
    decode_text(x'00610062D800', 'utf-16be', 'replace') AS repaired;
+------+----------+
| text | repaired |
+------+----------+
| café | ab�      |
+------+----------+
```",
            )
            .with_related_udf("encode_text")
            .with_related_udf("detect_encoding")
            .build()
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        text_type(data_type)
    }

    fn convert(
        array: &ArrayRef,
        encoding: Charset,
        on_error: OnError<IllFormed>,
    ) -> Result<ArrayRef, TextErrorKind> {
        match encoding {
            // Does not copy the values if all of them are well-formed.
            Charset::Scheme(Scheme::Utf8) => {
                Ok(utflane_arrow::to_utf8(array, on_error.of_arrays())?)
            }
            Charset::Scheme(scheme) => {
                Ok(utflane_arrow::decode(array, scheme, on_error.of_arrays())?)
            }
            Charset::Legacy(Legacy::Page(page)) => {
                utflane_arrow::decode(array, page, on_error.of_arrays())
                    .map_err(|error| legacy_rows::page_error(array, page, error))
            }
            Charset::Legacy(encoding) => legacy_rows::decode(array, encoding, on_error),
        }
    }
}

impl Conversion for EncodeText {
    const NAME: &'static str = "encode_text";
    const INPUT: Input = Input::Text;
    const DETECTS: bool = false;
    type Repair = Unmappable;

    fn function() -> Arc<ScalarUDF> {
        super::encode_text()
    }

    fn sql_documentation() -> &'static Documentation {
        static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
            Documentation::builder(
                SECTION,
                "Encodes text to bytes in an encoding, without a byte order mark.",
                "encode_text(text, encoding[, on_error])",
            )
            .with_argument("text", "Text, or a dictionary of text.")
            .with_argument(
                "encoding",
                "A constant or a column: an encoding that decode_text accepts, except auto.",
            )
            .with_argument(
                "on_error",
                "A constant that says how to handle rows with a character that the encoding lacks: \
                 error (the default), null, replace (?), skip, numeric-reference.",
            )
            .with_sql_example(
                r"```sql
> SELECT encode_text('été', 'utf-16le') AS bytes,
    encode_text('5 €', 'latin1', 'replace') AS repaired;
+--------------+----------+
| bytes        | repaired |
+--------------+----------+
| e9007400e900 | 35203f   |
+--------------+----------+
```",
            )
            .with_related_udf("decode_text")
            .build()
        });
        &DOCUMENTATION
    }

    fn result_type(data_type: &DataType) -> DataType {
        binary_type(data_type)
    }

    fn convert(
        array: &ArrayRef,
        encoding: Charset,
        on_error: OnError<Unmappable>,
    ) -> Result<ArrayRef, TextErrorKind> {
        match encoding {
            Charset::Scheme(scheme) => {
                Ok(utflane_arrow::encode(array, scheme, on_error.of_arrays())?)
            }
            Charset::Legacy(Legacy::Page(page)) => {
                utflane_arrow::encode(array, page, on_error.of_arrays())
                    .map_err(|error| legacy_rows::page_error(array, page, error))
            }
            Charset::Legacy(encoding) => legacy_rows::encode(array, encoding, on_error),
        }
    }
}
