//! Colours of messages. They are off where the output is no terminal, and where `NO_COLOR` is set
//! (<https://no-color.org>); `CLICOLOR_FORCE` turns them on.

use std::io;
use std::sync::OnceLock;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of the parts of messages. Formatting one begins it, and `{:#}` ends it.
#[derive(Clone, Copy)]
pub(crate) struct Styles {
    /// Of the name of a file.
    pub(crate) name: Style,
    /// Of the description of a problem, and of the carets under it.
    pub(crate) problem: Style,
}

impl Styles {
    /// No colours.
    pub(crate) const PLAIN: Self = Self { name: Style::new(), problem: Style::new() };

    const COLOURED: Self =
        Self { name: Style::new().bold(), problem: AnsiColor::Red.on_default().bold() };

    /// The styles for standard output.
    pub(crate) fn of_output() -> Self {
        static STYLES: OnceLock<Styles> = OnceLock::new();
        *STYLES.get_or_init(|| Self::of(&io::stdout()))
    }

    /// The styles for standard error.
    pub(crate) fn of_errors() -> Self {
        static STYLES: OnceLock<Styles> = OnceLock::new();
        *STYLES.get_or_init(|| Self::of(&io::stderr()))
    }

    fn of(stream: &impl RawStream) -> Self {
        match AutoStream::choice(stream) {
            ColorChoice::Never => Self::PLAIN,
            _ => Self::COLOURED,
        }
    }
}
