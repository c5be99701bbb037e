//! Which positions a game can have: the checks of a position text beyond its form.

use super::ply::Spot;
use super::state::Jiu;
use super::text::colour;
use super::turn::FEWEST_STONES;
use crate::game::Side;
use crate::text::TextError;

/// J2: columns of the errors count from the side's field.
pub(super) fn check_layout(game: &Jiu) -> Result<(), TextError> {
    let [white, black] = game.counts;
    let complaint = |message: String| Err(TextError::at(1, message));
    let to_place = match white.checked_sub(black) {
        Some(0) => Side::First,
        Some(1) => Side::Second,
        _ => {
            return complaint(format!(
                "the layout cannot have {white} white and {black} black stones"
            ));
        }
    };
    if game.vacant().is_empty() {
        return complaint("the layout ends when the board is full".into());
    }
    if game.side != to_place {
        return complaint(format!(
            "{} places next after {white} white and {black} black stones",
            colour(to_place)
        ));
    }
    let central = game.stones.map(|stones| (stones & game.central()).count());
    if central != [u32::from(white.min(1)), u32::from(black.min(1))] {
        return complaint("White and then Black place their first stones on the centre".into());
    }
    Ok(())
}

pub(super) fn check_counts(game: &Jiu, board_at: usize) -> Result<(), TextError> {
    let most = game.variant.most_stones();
    for side in Side::BOTH {
        let enemy_jumped = if side == game.side { 0 } else { game.jumped() };
        let count = game.count(side) + enemy_jumped;
        if count > most {
            return Err(TextError::at(
                board_at,
                format!(
                    "{} cannot have had {count} stones in the battle, at most {most}",
                    colour(side)
                ),
            ));
        }
    }
    Ok(())
}

/// Why a stone cannot have been lifted from `origin`.
pub(super) fn lift_complaint(game: &Jiu, origin: Spot) -> Option<String> {
    let complaint = if !game.vacant().has(origin.0) {
        format!("the lifted stone left {} empty", origin.name())
    } else if !game.flies(game.side) {
        format!("{} has too many stones to fly", colour(game.side))
    } else if game.count(game.side.other()) < FEWEST_STONES {
        format!(
            "{} has lost with fewer than 4 stones",
            colour(game.side.other())
        )
    } else {
        return None;
    };
    Some(complaint)
}

/// Why no chain can be where the text says, or cannot go on.
pub(super) fn hop_complaint(game: &Jiu, at: Spot, jumped: u8, origin: Spot) -> Option<String> {
    let across = at.column().abs_diff(origin.column());
    let along = at.row().abs_diff(origin.row());
    let least_hops = (across + along) / 2;
    let reachable = across.is_multiple_of(2)
        && along.is_multiple_of(2)
        && least_hops <= jumped
        && (jumped - least_hops).is_multiple_of(2)
        && (at != origin || jumped >= 4);
    let mut hops = Jiu::hops(at, game.enemy(), game.vacant());
    let complaint = if !game.own().has(at.0) {
        format!("{} has no stone on {}", colour(game.side), at.name())
    } else if at != origin && !game.vacant().has(origin.0) {
        format!("the chain left {} empty", origin.name())
    } else if !reachable {
        format!(
            "no chain of {jumped} leads from {} to {}",
            origin.name(),
            at.name()
        )
    } else if u16::from(game.count(game.side.other())) + u16::from(jumped)
        > u16::from(game.variant.most_stones())
    {
        format!("{} had fewer stones than that", colour(game.side.other()))
    } else if game.count(game.side.other()) + jumped < FEWEST_STONES {
        "the game was over before this turn".into()
    } else if hops.next().is_none() {
        format!("the chain on {} cannot go on and has ended", at.name())
    } else {
        return None;
    };
    Some(complaint)
}

/// Why that many stones cannot be owed.
pub(super) fn take_complaint(game: &Jiu, owed: u8) -> Option<String> {
    let own = game.own();
    let most = if game.flies(game.side) { 4 } else { 2 };
    let made = own.iter().map(|at| own.cells_at(at)).max().unwrap_or(0);
    let complaint = if owed > most {
        format!("{} can be owed {most} stones at most", colour(game.side))
    } else if made < u32::from(owed) {
        format!("no stone lies in {owed} squares of {}", colour(game.side))
    } else if owed >= game.count(game.side.other()) {
        "as many stones as the enemy has left are taken at once".into()
    } else {
        return None;
    };
    Some(complaint)
}
