use spanset::{Span, SpanSet};

fn span(start: u64, end: u64) -> Span {
    Span::new(start, end).unwrap()
}

fn spans(set: &SpanSet) -> Vec<(u64, u64)> {
    set.spans()
        .iter()
        .map(|span| (span.start(), span.end()))
        .collect()
}

#[test]
fn keeps_spans_sorted() {
    let set: SpanSet = [span(8, 9), span(1, 2), span(5, 5)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 2), (5, 5), (8, 9)]);
}

#[test]
fn overlapping_spans_become_one() {
    let set: SpanSet = [span(1, 5), span(4, 8)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 8)]);
}

#[test]
fn touching_spans_become_one() {
    let set: SpanSet = [span(1, 3), span(4, 6)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 6)]);
    let set: SpanSet = [span(4, 6), span(1, 3)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 6)]);
}

#[test]
fn a_gap_of_one_number_stays() {
    let set: SpanSet = [span(1, 3), span(5, 6)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 3), (5, 6)]);
}

#[test]
fn a_gap_can_be_filled() {
    let set: SpanSet = [span(1, 3), span(5, 6), span(4, 4)].into_iter().collect();
    assert_eq!(spans(&set), [(1, 6)]);
}

#[test]
fn a_span_inside_changes_nothing() {
    let mut set: SpanSet = [span(1, 9)].into_iter().collect();
    set.insert(span(3, 4));
    assert_eq!(spans(&set), [(1, 9)]);
}

#[test]
fn the_largest_number_has_no_neighbour() {
    let set: SpanSet = [span(u64::MAX, u64::MAX), span(0, 0)].into_iter().collect();
    assert_eq!(spans(&set), [(0, 0), (u64::MAX, u64::MAX)]);
}
