use std::fmt;
use std::str::FromStr;

use crate::{Error, Span, SpanSet};

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start() == self.end() {
            write!(f, "{}", self.start())
        } else {
            write!(f, "{}-{}", self.start(), self.end())
        }
    }
}

impl FromStr for Span {
    type Err = Error;

    fn from_str(text: &str) -> Result<Span, Error> {
        let number = |part: &str| {
            part.trim()
                .parse::<u64>()
                .map_err(|_| Error::Syntax(text.trim().to_string()))
        };
        match text.split_once('-') {
            Some((start, end)) => Span::new(number(start)?, number(end)?),
            None => Ok(Span::single(number(text)?)),
        }
    }
}

impl fmt::Display for SpanSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, span) in self.spans().iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{span}")?;
        }
        Ok(())
    }
}

/// Spans with commas between, in any order; a blank text is the empty set.
impl FromStr for SpanSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<SpanSet, Error> {
        if text.trim().is_empty() {
            return Ok(SpanSet::new());
        }
        text.split(',').map(str::parse).collect()
    }
}
