use crate::Error;

/// The numbers from `start` to `end`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: u64,
    end: u64,
}

impl Span {
    pub fn new(start: u64, end: u64) -> Result<Span, Error> {
        if start > end {
            return Err(Error::Backwards { start, end });
        }
        Ok(Span { start, end })
    }

    /// The span of a single number.
    pub fn single(number: u64) -> Span {
        Span {
            start: number,
            end: number,
        }
    }

    pub fn start(&self) -> u64 {
        self.start
    }

    pub fn end(&self) -> u64 {
        self.end
    }

    /// How many numbers it holds; `u128` since a span may hold every `u64`.
    pub fn count(&self) -> u128 {
        u128::from(self.end - self.start) + 1
    }

    pub fn contains(&self, number: u64) -> bool {
        self.start <= number && number <= self.end
    }

    /// The smallest span that holds both.
    pub fn hull(&self, other: &Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_both_ends() {
        let span = Span::new(3, 5).unwrap();
        assert!(span.contains(3) && span.contains(5));
        assert!(!span.contains(2) && !span.contains(6));
    }

    #[test]
    fn counts_every_number() {
        assert_eq!(Span::single(7).count(), 1);
        assert_eq!(Span::new(0, u64::MAX).unwrap().count(), 1 << 64);
    }

    #[test]
    fn does_not_run_backwards() {
        assert_eq!(Span::new(5, 3), Err(Error::Backwards { start: 5, end: 3 }));
    }

    #[test]
    fn hull_reaches_over_the_gap() {
        assert_eq!(
            Span::single(9).hull(&Span::single(2)),
            Span::new(2, 9).unwrap()
        );
    }
}
