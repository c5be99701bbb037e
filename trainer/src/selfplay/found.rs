//! What the games of a round show: lengths, results, entropy, calibration.

use crate::record::{GameRecord, Step};

/// Sums over the games of a round.
#[derive(Debug, Default)]
pub struct Found {
    /// Plies.
    pub plies: f64,
    /// Policies of full searches.
    pub policies: f64,
    /// Their entropies in nats.
    pub entropy: f64,
    /// Games won by the first side.
    pub first_wins: f64,
    /// Games that a cap cut short.
    pub truncated: f64,
    /// Per bin of the search's value: positions, sum of values, sum of results.
    bins: [(f64, f64, f64); 20],
}

impl Found {
    /// Adds up the games of a round.
    pub fn of(games: &[GameRecord]) -> Found {
        let mut found = Found::default();
        for game in games {
            let result = game.end.and_then(|end| end.value());
            found.first_wins += f64::from(u8::from(result.is_some_and(|value| value.0 > 0.0)));
            found.truncated += f64::from(u8::from(result.is_none()));
            for step in &game.steps {
                let Step::Ply(ply) = step else {
                    continue;
                };
                found.plies += 1.0;
                let Some(note) = &ply.search else { continue };
                if note.full {
                    found.policies += 1.0;
                    let shares = note
                        .policy
                        .iter()
                        .map(|&(_, share)| f64::from(share) / 65_535.0);
                    found.entropy -= shares.map(|share| share * share.ln()).sum::<f64>();
                }
                if let Some(result) = result {
                    let bin = ((f64::from(note.value) + 1.0) * 10.0).clamp(0.0, 19.0) as usize;
                    found.bins[bin].0 += 1.0;
                    found.bins[bin].1 += f64::from(note.value);
                    found.bins[bin].2 += result.0;
                }
            }
        }
        found
    }

    /// The mean distance between the search's values and the results, over bins of the value.
    pub fn calibration_error(&self) -> f64 {
        let positions: f64 = self.bins.iter().map(|bin| bin.0).sum();
        let off: f64 = self
            .bins
            .iter()
            .map(|(_, values, results)| (values - results).abs())
            .sum();
        off / positions.max(1.0)
    }
}
