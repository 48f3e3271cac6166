//! Writes JSON for the page.

use std::fmt::{Display, Write as _};

/// A JSON object that is being written.
pub(crate) struct Object(String);

impl Object {
    /// Returns an object without fields.
    pub(crate) fn new() -> Self {
        Self("{".into())
    }

    /// Adds a field whose value is a number, a Boolean value, or JSON.
    pub(crate) fn with(mut self, name: &str, value: impl Display) -> Self {
        let comma = if self.0.len() > 1 { "," } else { "" };
        // Writing to a `String` cannot fail.
        let _ = write!(self.0, "{comma}\"{name}\":{value}");
        self
    }

    /// Adds a field whose value is a string.
    pub(crate) fn with_text(self, name: &str, text: &str) -> Self {
        self.with(name, string(text))
    }

    /// Ends the object, and returns it as text.
    pub(crate) fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Returns a text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\x1F' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns a JSON array of values that are already JSON.
pub(crate) fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"\\\n\0\u{202E}é"), "\"a\\\"\\\\\\u000a\\u0000\u{202E}é\"");
    }

    #[test]
    fn arrays_and_objects_can_be_nested() {
        let inner = Object::new().with("a", 1).with("b", true).end();
        let outer = Object::new().with_text("name", "x").with("list", array([inner])).end();
        assert_eq!(outer, r#"{"name":"x","list":[{"a":1,"b":true}]}"#);
    }
}
