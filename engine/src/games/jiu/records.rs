//! Stage records (N.5): `Stage[1]` lists the placements, `Stage[2]` the turns of the battle.

use super::ply::{Move, Spot};
use super::stage_reader::{Entry, Reader, StageWarning, error_at, path_text, stone};
use super::state::{Jiu, Phase};
use super::text::colour;
use super::turn_parts::TurnParts;
use super::variant::Variant;
use crate::game::{IllegalMove, Side};
use crate::text::TextError;

/// A game read from a Stage record.
#[derive(Clone, PartialEq, Debug)]
pub struct StageGame {
    /// The plies from the empty board on.
    pub plies: Vec<Move>,
    /// Slips of the record that do not change the game.
    pub warnings: Vec<StageWarning>,
}

/// Writes the plies of a game from the empty board as a Stage record.
///
/// # Errors
/// The first illegal ply.
pub fn write_stage(variant: &Variant, plies: &[Move]) -> Result<String, IllegalMove> {
    let mut game = Jiu::empty(variant).map_err(|error| IllegalMove {
        text: "the first placement".into(),
        position: error.to_string(),
    })?;
    let mut record = String::from("Stage[1]:");
    let mut left = plies;
    while !left.is_empty() {
        if game.phase() == Phase::Battle && !record.contains('\n') {
            record.push_str("\nStage[2]:");
        }
        let (parts, used) = game.play_turn(left)?;
        record.push_str(&turn_text(&parts));
        record.push(';');
        left = &left[used..];
    }
    record.push('\n');
    Ok(record)
}

fn turn_text(parts: &TurnParts) -> String {
    let stones = |side: Side, spots: &[Spot]| {
        let stones: Vec<_> = spots.iter().map(|&spot| stone(side, spot)).collect();
        stones.join(",")
    };
    let mut text = path_text(parts.side, &parts.path);
    for (tag, spots) in [(",TC:", &parts.jumped), (",FC:", &parts.removed)] {
        if !spots.is_empty() {
            text.push_str(tag);
            text.push_str(&stones(parts.side.other(), spots));
        }
    }
    text
}

/// Reads a Stage record of a game on a board of the variant's size.
///
/// The jumped stones follow from the path; where `TC` says otherwise the path counts and a warning names
/// the turn. A move of a flying side to the second point over an enemy is a jump if `TC` is given.
///
/// # Errors
/// An unreadable record or an illegal turn, with its line and column.
pub fn read_stage(text: &str, variant: &Variant) -> Result<StageGame, TextError> {
    let mut game = Jiu::empty(variant)?;
    let mut reader = Reader::new(text, game.size());
    let mut read = StageGame {
        plies: Vec::new(),
        warnings: Vec::new(),
    };
    reader.expect("Stage[1]:")?;
    while !reader.at_end() && reader.peek() != Some('S') {
        let entry = reader.entry()?;
        if !entry.landings.is_empty() || game.phase() == Phase::Battle {
            return Err(entry.error("Stage[1] lists the placements of the layout only".into()));
        }
        play_entry(&mut game, &entry, &mut read.plies)?;
    }
    if reader.at_end() {
        return Ok(read);
    }
    let stage_2 = reader.place();
    reader.expect("Stage[2]:")?;
    if game.phase() == Phase::Layout {
        return Err(error_at(
            stage_2,
            "the layout is not complete before Stage[2]".into(),
        ));
    }
    let mut number = 0;
    while !reader.at_end() {
        let entry = reader.entry()?;
        number += 1;
        let jumped = play_entry(&mut game, &entry, &mut read.plies)?;
        read.warnings.extend(entry.slip(number, &jumped));
    }
    Ok(read)
}

/// Plays an entry and gives the stones that it jumped over.
fn play_entry(
    game: &mut Jiu,
    entry: &Entry,
    plies: &mut Vec<Move>,
) -> Result<Vec<Spot>, TextError> {
    if entry.stone.side != game.side() {
        return Err(entry.error(format!("{} is to move", colour(game.side()))));
    }
    let mut path = vec![entry.stone.spot];
    path.extend(&entry.landings);
    let turn = game
        .plies_of(&path, entry.kind(game), &entry.taken_spots())
        .map_err(|fault| entry.error(fault.message))?;
    let (parts, _) = game
        .play_turn(&turn)
        .map_err(|illegal| entry.error(illegal.to_string()))?;
    plies.extend(turn);
    Ok(parts.jumped)
}
