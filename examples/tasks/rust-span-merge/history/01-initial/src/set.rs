use crate::Span;

/// A set of numbers. The spans are sorted, and between two of them at least one number is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SpanSet {
    spans: Vec<Span>,
}

impl SpanSet {
    pub fn new() -> SpanSet {
        SpanSet::default()
    }

    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many numbers it holds.
    pub fn count(&self) -> u128 {
        self.spans.iter().map(Span::count).sum()
    }

    pub fn contains(&self, number: u64) -> bool {
        let after = self.spans.partition_point(|span| span.start() <= number);
        after > 0 && self.spans[after - 1].contains(number)
    }

    /// Adds every number of the span.
    pub fn insert(&mut self, span: Span) {
        self.spans.push(span);
        self.spans.sort_unstable();
        let mut merged: Vec<Span> = Vec::with_capacity(self.spans.len());
        for &next in &self.spans {
            match merged.last_mut() {
                Some(last) if next.start() <= last.end().saturating_add(1) => {
                    *last = last.hull(&next)
                }
                _ => merged.push(next),
            }
        }
        self.spans = merged;
    }

    /// Takes every number of the span out.
    pub fn remove(&mut self, span: Span) {
        let mut kept = Vec::with_capacity(self.spans.len() + 1);
        for old in &self.spans {
            if old.end() < span.start() || old.start() > span.end() {
                kept.push(*old);
                continue;
            }
            if old.start() < span.start() {
                kept.extend(Span::new(old.start(), span.start() - 1));
            }
            if old.end() > span.end() {
                kept.extend(Span::new(span.end() + 1, old.end()));
            }
        }
        self.spans = kept;
    }
}

impl FromIterator<Span> for SpanSet {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> SpanSet {
        let mut set = SpanSet::new();
        set.extend(spans);
        set
    }
}

impl Extend<Span> for SpanSet {
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        for span in spans {
            self.insert(span);
        }
    }
}
