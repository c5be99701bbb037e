//! Games that share luck: a pair is one observation, and a pair that repeats another adds nothing.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Game, Result};

/// The distinct observations of a set of games.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Clusters {
    /// How often each cluster was seen.
    pub counts: BTreeMap<Cluster, u64>,
    /// Games in all of them.
    pub games: u64,
}

/// The games of one pair, or a game that stands alone: who moved first, who second, and the result.
pub(crate) type Cluster = Vec<(usize, usize, Result)>;

/// A pair's games under their two players.
type Groups<'a> = BTreeMap<([usize; 2], u64), Vec<&'a Game>>;

impl Clusters {
    /// Puts the games of each pair together and leaves out what repeats: the same two players, the same
    /// sides and the same moves.
    pub fn of(games: &[Game]) -> Clusters {
        let mut clusters = Clusters::default();
        let mut pairs = Groups::new();
        let mut seen = HashSet::new();
        for game in games {
            match game.pair {
                Some(pair) => pairs.entry((couple(game), pair)).or_default().push(game),
                None => clusters.add(&[game], &mut seen),
            }
        }
        for games in pairs.values() {
            clusters.add(games, &mut seen);
        }
        clusters
    }

    fn add<'a>(&mut self, games: &[&'a Game], seen: &mut HashSet<Vec<(usize, u64)>>) {
        let print = |game: &&'a Game| Some((game.first, game.fingerprint?));
        let prints: Option<Vec<_>> = games.iter().map(print).collect();
        if let Some(mut prints) = prints {
            // A key of its own for each two players; the second one is not in the prints of a lone game.
            prints.push((games[0].second, 0));
            if !seen.insert(prints) {
                return;
            }
        }
        self.count(
            games
                .iter()
                .map(|game| (game.first, game.second, game.result))
                .collect(),
            1,
        );
    }

    /// Counts a cluster that was seen `times` times.
    pub fn count(&mut self, mut cluster: Cluster, times: u64) {
        cluster.sort_unstable();
        self.games += times * cluster.len() as u64;
        *self.counts.entry(cluster).or_default() += times;
    }

    /// Every two players that have met, the lower number first.
    pub fn couples(&self) -> BTreeSet<[usize; 2]> {
        let games = self.counts.keys().flatten();
        games
            .map(|&(first, second, _)| [first.min(second), first.max(second)])
            .collect()
    }
}

/// The two players of a game, the lower number first.
pub(super) fn couple(game: &Game) -> [usize; 2] {
    [game.first.min(game.second), game.first.max(game.second)]
}
