//! One-sided bounds for players whose likeliest rating is infinite: those who won or lost everything that
//! would tie them to the others.

use super::Result;
use super::clusters::Clusters;
use super::fit::Fit;

/// How far the logarithm of the likelihood may fall: a clean sweep is less likely than 5 % beyond.
const FALL: f64 = 2.995_732_273_553_991;

/// Far beyond any strength that games can tell apart, in natural units.
const FAR: f64 = 60.0;

/// The lowest and the highest strength of each player that its results allow, from the strengths that are
/// known. Known players keep theirs; bounds of players who met only bounded ones follow from those.
pub(super) fn bounds(
    fit: &Fit,
    clusters: &Clusters,
    known: &[Option<[f64; 2]>],
) -> [Vec<Option<f64>>; 2] {
    [0, 1].map(|end| {
        let mut bounds: Vec<_> = known
            .iter()
            .map(|known| known.map(|ends| ends[end]))
            .collect();
        // Each pass may reach players one game further away.
        for _ in 0..known.len() {
            let before = bounds.clone();
            for player in (0..known.len()).filter(|&player| known[player].is_none()) {
                bounds[player] = limit(fit, clusters, player, &before, end == 0);
            }
            if bounds == before {
                break;
            }
        }
        bounds
    })
}

/// The lowest (or highest) strength of a player at which its games against rated players are likely enough.
fn limit(
    fit: &Fit,
    clusters: &Clusters,
    player: usize,
    rated: &[Option<f64>],
    lowest: bool,
) -> Option<f64> {
    let games: Vec<_> = clusters
        .counts
        .iter()
        // The games of a pair count as one observation, as if they were the same.
        .flat_map(|(cluster, &count)| {
            let weight = count as f64 / cluster.len() as f64;
            cluster.iter().map(move |&game| (game, weight))
        })
        .filter_map(|((first, second, result), weight)| {
            let opponent = match player {
                _ if player == first => second,
                _ if player == second => first,
                _ => return None,
            };
            Some((player == first, rated[opponent]?, result, weight))
        })
        .collect();
    let likelihood = |strength: f64| -> f64 {
        let game = |&(is_first, opponent, result, weight): &(bool, f64, Result, f64)| {
            let [win, draw, loss] = if is_first {
                fit.chances(strength, opponent)
            } else {
                fit.chances(opponent, strength)
            };
            let chance = match result {
                Result::First => win,
                Result::Level => draw,
                Result::Second => loss,
            };
            weight * chance.max(f64::MIN_POSITIVE).ln()
        };
        games.iter().map(game).sum()
    };
    let top = peak(&likelihood);
    let (mut near, mut far) = (
        top,
        if lowest {
            top - 2.0 * FAR
        } else {
            top + 2.0 * FAR
        },
    );
    let least = likelihood(top) - FALL;
    if games.is_empty() || likelihood(far) >= least {
        return None;
    }
    for _ in 0..100 {
        let middle = 0.5 * (near + far);
        if likelihood(middle) >= least {
            near = middle;
        } else {
            far = middle;
        }
    }
    Some(near)
}

/// Where a concave function is highest within reach, by golden sections.
fn peak(function: &impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (-FAR, FAR);
    for _ in 0..100 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if function(left) < function(right) {
            low = left;
        } else {
            high = right;
        }
    }
    0.5 * (low + high)
}
