//! Colours of messages. Colours are off if the output is not a terminal or if `NO_COLOR` is set
//! (<https://no-color.org>); `CLICOLOR_FORCE` turns them on.

use std::io;
use std::sync::OnceLock;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of the parts of messages. Formatting a style with `{}` writes the start of the styled
/// text, and formatting the style with `{:#}` writes the end.
#[derive(Clone, Copy)]
pub(crate) struct Styles {
    /// The style of the name of a file.
    pub(crate) name: Style,
    /// The style of the description of a problem, and of the carets under the offending text.
    pub(crate) problem: Style,
}

impl Styles {
    /// Styles without colours.
    pub(crate) const PLAIN: Self = Self { name: Style::new(), problem: Style::new() };

    const COLOURED: Self =
        Self { name: Style::new().bold(), problem: AnsiColor::Red.on_default().bold() };

    /// Returns the styles for standard output.
    pub(crate) fn of_output() -> Self {
        static STYLES: OnceLock<Styles> = OnceLock::new();
        *STYLES.get_or_init(|| Self::for_stream(&io::stdout()))
    }

    /// Returns the styles for standard error.
    pub(crate) fn of_errors() -> Self {
        static STYLES: OnceLock<Styles> = OnceLock::new();
        *STYLES.get_or_init(|| Self::for_stream(&io::stderr()))
    }

    fn for_stream(stream: &impl RawStream) -> Self {
        match AutoStream::choice(stream) {
            ColorChoice::Never => Self::PLAIN,
            _ => Self::COLOURED,
        }
    }
}
