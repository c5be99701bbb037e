//! The pattern player of Tibetan Jiu: the shapes of Li et al. and their answers, no search beyond the turn
//! and the enemy's immediate reply.
//!
//! 李霞丽 (Li Xiali) et al., "基于棋型的藏族“久”棋计算机博弈研究" (Tibetan Jiu by patterns). The source names
//! the shapes and their answers and wants squares made and denied in layout and battle; how the ideas are
//! weighed against each other is this player's own (docs/rules/jiu.md).

mod battle;
mod layout;
mod removal;
mod reply;
mod worth;

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Status};
use crate::games::jiu::{Due, Jiu, Move};

/// The player's ply. Equally good plies are drawn between, so the same position and draws give the same ply.
/// Plies of one turn are chosen by the position that the whole turn leads to.
///
/// # Panics
/// When no ply is due: the status must be `ToMove`.
pub fn choose(game: &Jiu, draws: &mut ChaCha8Rng) -> Move {
    let Status::ToMove(mover) = game.status() else {
        panic!("the pattern player is asked when a ply is due")
    };
    match game.due() {
        Due::Placement => layout::placement(game, mover, draws),
        Due::Take { .. } => removal::stone(game, mover, draws),
        Due::Turn | Due::Drop { .. } | Due::Hop { .. } | Due::End(_) => {
            battle::ply(game, mover, draws)
        }
    }
}
