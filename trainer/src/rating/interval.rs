//! The interval of a mean of pair scores.

/// Standard deviations of a normal distribution on either side of its mean that hold 95 %.
pub const NORMAL_95: f64 = 1.96;

/// The 95 % interval of the mean of pair scores, each from 0 to 1. With no spread to go by, one more pair
/// each way is assumed to have scored nothing or all (the rule of succession), so that it is never a point.
pub fn mean_interval(pairs: &[f64]) -> [f64; 2] {
    let count = pairs.len() as f64;
    if pairs.len() < 2 {
        return [0.0, 1.0];
    }
    let mean = pairs.iter().sum::<f64>() / count;
    let spread = spread(pairs);
    // Rounding alone is no spread.
    let variance = if spread > count * f64::EPSILON {
        spread / (count - 1.0)
    } else {
        let assumed = (count * mean + 0.5) / (count + 1.0);
        assumed * (1.0 - assumed)
    };
    let half = NORMAL_95 * (variance / count).sqrt();
    [(mean - half).max(0.0), (mean + half).min(1.0)]
}

/// The sum of the squared distances from the mean.
pub(crate) fn spread(scores: &[f64]) -> f64 {
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    scores.iter().map(|score| (score - mean).powi(2)).sum()
}
