//! How far two rows of numbers are apart.

/// The largest difference of two rows of numbers; of rows that cannot be compared no number.
pub(crate) fn largest(ours: &[f32], theirs: &[f32]) -> f32 {
    if ours.len() != theirs.len() {
        return f32::NAN;
    }
    let differences = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs());
    // A difference that is no number stays.
    differences.fold(0.0, |most, off| {
        if most.is_nan() || off <= most {
            most
        } else {
            off
        }
    })
}
