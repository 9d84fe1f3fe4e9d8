use std::fmt;

/// What cannot be a span or a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The end stands before the start.
    Backwards { start: u64, end: u64 },
    /// The part of a text that is neither a number nor two with a dash between.
    Syntax(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Backwards { start, end } => {
                write!(f, "a span from {start} to {end} runs backwards")
            }
            Error::Syntax(part) => write!(
                f,
                "cannot read {part:?}: expected a number or a span such as 3-7"
            ),
        }
    }
}

impl std::error::Error for Error {}
