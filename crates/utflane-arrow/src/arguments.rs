//! The arguments of conversions: the encoding, and what happens to a row that fails.

use utflane::code_page::CodePage;
use utflane::{Repair, Scheme};

/// The encoding of bytes: a scheme of the library, or a code page. Both convert into it, so a
/// function takes `Scheme::Latin1` or `WINDOWS_1251`.
///
/// ```
/// use utflane::Scheme;
/// use utflane::code_page::{CodePage, WINDOWS_1251};
/// use utflane_arrow::Encoding;
///
/// assert_eq!(Encoding::from(Scheme::Utf16Be), Encoding::Scheme(Scheme::Utf16Be));
/// let page = CodePage::by_label("cp1251").ok_or("no such page")?;
/// assert_eq!(Encoding::from(page), Encoding::Page(WINDOWS_1251));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// An encoding of Unicode, Latin-1 or ASCII.
    Scheme(Scheme),
    /// A code page.
    Page(CodePage),
}

impl From<Scheme> for Encoding {
    fn from(scheme: Scheme) -> Self {
        Self::Scheme(scheme)
    }
}

impl From<CodePage> for Encoding {
    fn from(page: CodePage) -> Self {
        Self::Page(page)
    }
}

impl From<&CodePage> for Encoding {
    fn from(page: &CodePage) -> Self {
        Self::Page(*page)
    }
}

/// The handling of a row that is ill-formed, or has a character that the target lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The function returns the error of the row.
    #[default]
    Error,
    /// The row becomes null.
    Null,
    /// The row is repaired.
    Repair(Repair),
}

impl OnFailure {
    /// Returns the repair of a row, or `None` if the row fails or becomes null.
    pub(crate) fn repair(self) -> Option<Repair> {
        match self {
            Self::Repair(repair) => Some(repair),
            Self::Error | Self::Null => None,
        }
    }
}
