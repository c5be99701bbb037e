//! Which players can be compared: islands share games, strong components share finite ratings.

use super::Result;
use super::clusters::Clusters;

/// Numbers of the parts that players belong to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Components {
    /// Players that are joined by games, directly or through others, share an island.
    pub island: Vec<usize>,
    /// Players share a strong component where each has scored against the other, directly or through
    /// others; only then is the likelihood of their difference highest at a finite value (Ford 1957).
    pub strong: Vec<usize>,
}

impl Components {
    pub fn of(players: usize, clusters: &Clusters) -> Components {
        let mut met = vec![vec![false; players]; players];
        let mut scored = vec![vec![false; players]; players];
        for &(first, second, result) in clusters.counts.keys().flatten() {
            met[first][second] = true;
            met[second][first] = true;
            scored[first][second] |= result != Result::Second;
            scored[second][first] |= result != Result::First;
        }
        Components {
            island: mutual(&closure(met)),
            strong: mutual(&closure(scored)),
        }
    }

    /// The sizes of the strong components, by number.
    pub fn strong_size(&self, player: usize) -> usize {
        self.strong
            .iter()
            .filter(|&&part| part == self.strong[player])
            .count()
    }
}

/// What can be reached from where, in any number of steps (Warshall 1962).
pub(super) fn closure(mut edges: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    for over in 0..edges.len() {
        let reached = edges[over].clone();
        for row in edges.iter_mut().filter(|row| row[over]) {
            for (edge, &further) in row.iter_mut().zip(&reached) {
                *edge |= further;
            }
        }
    }
    edges
}

/// Numbers parts whose members reach one another; a part has the number of its first member.
pub(super) fn mutual(reached: &[Vec<bool>]) -> Vec<usize> {
    let part = |player: usize| {
        let other = (0..player).find(|&other| reached[player][other] && reached[other][player]);
        other.unwrap_or(player)
    };
    (0..reached.len()).map(part).collect()
}
