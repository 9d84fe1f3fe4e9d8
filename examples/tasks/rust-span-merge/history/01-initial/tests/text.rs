use spanset::{Error, Span, SpanSet};

#[test]
fn reads_spans_and_numbers() {
    let set: SpanSet = "8, 1-3".parse().unwrap();
    assert_eq!(set.spans(), [Span::new(1, 3).unwrap(), Span::single(8)]);
}

#[test]
fn blank_text_is_the_empty_set() {
    assert!(" ".parse::<SpanSet>().unwrap().is_empty());
}

#[test]
fn writes_what_it_reads() {
    assert_eq!("1-3, 8".parse::<SpanSet>().unwrap().to_string(), "1-3, 8");
}

#[test]
fn names_the_part_that_cannot_be_read() {
    assert_eq!(
        "1, x".parse::<SpanSet>(),
        Err(Error::Syntax("x".to_string()))
    );
    assert_eq!(
        "1-2-3".parse::<Span>(),
        Err(Error::Syntax("1-2-3".to_string()))
    );
}

#[test]
fn refuses_a_span_that_runs_backwards() {
    let error = "5-3".parse::<SpanSet>().unwrap_err();
    assert_eq!(error.to_string(), "a span from 5 to 3 runs backwards");
}
