//! Between counts and points.

/// A count as a factor of points.
#[expect(
    clippy::cast_precision_loss,
    reason = "beyond 16 million, points are coarse anyway"
)]
pub(crate) fn float(count: usize) -> f32 {
    count as f32
}

/// How many whole times the part fits; none for what is negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion stops at both ends of the range"
)]
pub(crate) fn times(length: f32, part: f32) -> usize {
    (length / part).floor() as usize
}
