//! Cycles: players that beat one another in a ring, which no single number can show.

use super::components::{closure, mutual};

/// The cycles among decided results. `beats` holds (winner, loser) where a match was decided. One shortest
/// cycle is given for each set of players that beat one another in rings, beginning with its first player.
pub fn cycles(players: usize, beats: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut edges = vec![vec![false; players]; players];
    for &(winner, loser) in beats {
        edges[winner][loser] = true;
    }
    let parts = mutual(&closure(edges.clone()));
    let first_members = (0..players).filter(|&player| {
        parts[player] == player && parts.iter().filter(|&&part| part == player).count() > 1
    });
    first_members
        .filter_map(|part| {
            let members = (0..players).filter(|&player| parts[player] == part);
            members
                .filter_map(|player| shortest_ring(player, &edges))
                .min_by_key(Vec::len)
        })
        .collect()
}

/// The shortest way from a player back to itself, by breadth.
fn shortest_ring(from: usize, edges: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut before = vec![None; edges.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(player) = queue.pop_front() {
        for next in (0..edges.len()).filter(|&next| edges[player][next]) {
            if next == from {
                let mut ring = vec![player];
                while let Some(earlier) = before[ring[ring.len() - 1]] {
                    ring.push(earlier);
                }
                ring.reverse();
                return Some(ring);
            }
            if before[next].is_none() {
                before[next] = Some(player);
                queue.push_back(next);
            }
        }
    }
    None
}
