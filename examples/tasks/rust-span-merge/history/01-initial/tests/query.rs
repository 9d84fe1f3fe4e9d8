use spanset::{Span, SpanSet};

fn set(text: &str) -> SpanSet {
    text.parse().unwrap()
}

#[test]
fn contains_what_is_in_a_span() {
    let pages = set("1-3, 8");
    assert!([1, 2, 3, 8].iter().all(|&page| pages.contains(page)));
    assert!([0, 4, 7, 9].iter().all(|&page| !pages.contains(page)));
}

#[test]
fn counts_numbers_not_spans() {
    assert_eq!(set("1-3, 8").count(), 4);
    assert_eq!(SpanSet::new().count(), 0);
}

#[test]
fn removing_splits_a_span() {
    let mut pages = set("1-9");
    pages.remove(Span::new(4, 5).unwrap());
    assert_eq!(pages, set("1-3, 6-9"));
}

#[test]
fn removing_cuts_and_drops_spans() {
    let mut pages = set("1-3, 5, 7-9");
    pages.remove(Span::new(3, 7).unwrap());
    assert_eq!(pages, set("1-2, 8-9"));
}

#[test]
fn removing_everything_leaves_nothing() {
    let mut pages = set("1-3, 5");
    pages.remove(Span::new(0, u64::MAX).unwrap());
    assert!(pages.is_empty());
}
