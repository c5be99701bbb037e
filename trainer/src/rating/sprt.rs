//! The sequential probability ratio test on pairs of games (pentanomial).
//!
//! Wald's test (1945) with the likelihood of the five pair scores, generalised as by Van den Bergh for the
//! test programs of chess engines: under each hypothesis the five probabilities are the likeliest that
//! have its expected score.

use std::fmt;

use serde::Serialize;

/// A test of "`elo1` or more" against "`elo0` or less", both as player A sees it on the logistic scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    minimum: u64,
}

/// Arguments that make no test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal or the wrong way round.
    #[error("elo0 = {0} must be below elo1 = {1}")]
    Order(f64, f64),
    /// Beyond what a score can tell apart.
    #[error("elo bounds must lie between -2000 and 2000, not be {0}")]
    Range(f64),
    /// Not a rate of errors.
    #[error("{0} must lie between 0 and 0.5, both left out, not be {1}")]
    Rate(&'static str, f64),
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum SprtVerdict {
    /// `elo1` or more is accepted.
    #[serde(rename = "elo1 accepted")]
    Elo1,
    /// `elo0` or less is accepted.
    #[serde(rename = "elo0 accepted")]
    Elo0,
    /// More pairs are needed.
    #[serde(rename = "not decided")]
    NotDecided,
}

/// The test's report. Once decided it does not change with further pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The verdict.
    pub verdict: SprtVerdict,
    /// Pairs that the verdict rests on, in their scheduled order.
    pub pairs: u64,
    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points, up to there.
    pub pentanomial: [u64; 5],
    /// Logarithm of the likelihood ratio, up to there.
    pub llr: f64,
    /// At or below the first number `elo0` is accepted, at or above the second `elo1`.
    pub bounds: [f64; 2],
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            SprtVerdict::Elo1 => "elo1 accepted",
            SprtVerdict::Elo0 => "elo0 accepted",
            SprtVerdict::NotDecided => "not decided",
        };
        let counts = self.pentanomial.map(|count| count.to_string()).join("-");
        write!(
            f,
            "{verdict} after {} pairs ({counts} with 0, ½, 1, 1½ and 2 points), llr {:+.2}, bounds {:+.2} and {:+.2}",
            self.pairs, self.llr, self.bounds[0], self.bounds[1]
        )
    }
}

/// A pair score that has not been seen counts as this many pairs.
const UNSEEN: f64 = 1e-3;

/// The test takes the spread of the pairs from the same few pairs that it judges, and is too sure early
/// on. It weighs its evidence as if this many pairs more had been played and had said nothing.
/// `tests/pipeline/sequential.rs` measures both rates of errors.
const SILENT_PAIRS: f64 = 10.0;

impl Sprt {
    /// A test that decides after `minimum` pairs at the earliest.
    ///
    /// # Errors
    /// Bounds in the wrong order or out of range, or rates that are none.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        minimum: u64,
    ) -> Result<Sprt, SprtError> {
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > 2000.0 {
                return Err(SprtError::Range(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if rate.is_nan() || rate <= 0.0 || rate >= 0.5 {
                return Err(SprtError::Rate(name, rate));
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            minimum,
        })
    }

    /// The bounds of the logarithm of the likelihood ratio (Wald 1945).
    pub fn bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    /// The logarithm of the likelihood ratio of `elo1` against `elo0`.
    pub fn llr(&self, pentanomial: [u64; 5]) -> f64 {
        let counts = pentanomial.map(|count| (count as f64).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let (zero, one) = (
            likeliest(shares, score(self.elo0)),
            likeliest(shares, score(self.elo1)),
        );
        let terms = counts.iter().zip(zero.iter().zip(&one));
        let llr: f64 = terms
            .map(|(count, (zero, one))| count * (one / zero).ln())
            .sum();
        llr * total / (total + SILENT_PAIRS)
    }

    /// Judges pairs in their scheduled order, each as player A's points in halves, 0 to 4. The first bound
    /// that is reached decides, and later pairs change nothing.
    pub fn judge(&self, pairs: impl IntoIterator<Item = u64>) -> SprtReport {
        let mut report = SprtReport {
            verdict: SprtVerdict::NotDecided,
            pairs: 0,
            pentanomial: [0; 5],
            llr: 0.0,
            bounds: self.bounds(),
        };
        for halves in pairs {
            report.pairs += 1;
            report.pentanomial[halves.min(4) as usize] += 1;
            report.llr = self.llr(report.pentanomial);
            if report.pairs < self.minimum {
                continue;
            }
            if report.llr >= report.bounds[1] {
                report.verdict = SprtVerdict::Elo1;
                break;
            }
            if report.llr <= report.bounds[0] {
                report.verdict = SprtVerdict::Elo0;
                break;
            }
        }
        report
    }
}

/// The expected score, from 0 to 1, of a player that is stronger by so many Elo points.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The probabilities nearest to the observed shares, in likelihood, whose mean pair score is `mean`:
/// `share / (1 + t · (value - mean))` with the `t` that makes them sum to one.
fn likeliest(shares: [f64; 5], mean: f64) -> [f64; 5] {
    let offsets = [0.0, 0.25, 0.5, 0.75, 1.0].map(|value| value - mean);
    let slope = |t: f64| -> f64 {
        let terms = shares.iter().zip(offsets);
        terms
            .map(|(share, offset)| share * offset / (1.0 + t * offset))
            .sum()
    };
    // The slope falls from +∞ to -∞ between the poles, so halving always ends at its one root.
    let (mut low, mut high) = (-1.0 / offsets[4], -1.0 / offsets[0]);
    loop {
        let middle = 0.5 * (low + high);
        // No number lies between two neighbours.
        if middle <= low || middle >= high {
            break;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = 0.5 * (low + high);
    let mut likeliest = [0.0; 5];
    for (into, (share, offset)) in likeliest.iter_mut().zip(shares.iter().zip(offsets)) {
        *into = share / (1.0 + t * offset).max(f64::MIN_POSITIVE);
    }
    likeliest
}
