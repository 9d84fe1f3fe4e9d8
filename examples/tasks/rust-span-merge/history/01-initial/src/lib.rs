//! Sets of numbers kept as sorted, disjoint spans.

mod error;
mod set;
mod span;
mod text;

pub use error::Error;
pub use set::SpanSet;
pub use span::Span;
