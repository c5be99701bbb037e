//! What the plies of a turn did, and its text such as `C3xC5xE5+A1,B7`.

use super::paths::PathKind;
use super::ply::{Move, Spot};
use super::state::{Due, Jiu, Phase};
use super::text;
use crate::bits::Wide;
use crate::game::{Game, IllegalMove, Side};

/// What the plies of one turn did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnParts {
    /// Whose turn it was.
    pub side: Side,
    /// Its phase.
    pub phase: Phase,
    /// The placed point, or where the stone started and each of its landings. Empty where only
    /// removals were left of a turn.
    pub path: Vec<Spot>,
    /// Whether the stone jumped.
    pub kind: PathKind,
    /// The jumped stones in the order of the path.
    pub jumped: Vec<Spot>,
    /// The stones taken for squares, sorted by column, then by row.
    pub removed: Vec<Spot>,
}

impl TurnParts {
    /// The turn as text (N.4).
    pub fn text(&self) -> String {
        let names = |spots: &[Spot], between: &str| {
            let names: Vec<_> = spots.iter().map(|spot| spot.name()).collect();
            names.join(between)
        };
        let mut text = match (self.phase, self.kind, self.path.len()) {
            (Phase::Layout, ..) => names(&self.path, ""),
            (_, PathKind::Quiet, 1) => format!("{}^", names(&self.path, "")),
            (_, PathKind::Quiet, _) => names(&self.path, "-"),
            (_, PathKind::Jumps, 1) => "stop".into(),
            (_, PathKind::Jumps, _) => names(&self.path, "x"),
        };
        if !self.removed.is_empty() {
            text.push('+');
            text.push_str(&names(&self.removed, ","));
        }
        text
    }

    fn of(game: &Jiu) -> TurnParts {
        let (path, kind) = match game.due {
            Due::Drop { origin } => (vec![origin], PathKind::Quiet),
            Due::Hop { at, .. } => (vec![at], PathKind::Jumps),
            _ => (Vec::new(), PathKind::Quiet),
        };
        TurnParts {
            side: game.side,
            phase: game.phase,
            path,
            kind,
            jumped: Vec::new(),
            removed: Vec::new(),
        }
    }

    fn add(&mut self, ply: Move) {
        match ply {
            Move::Place(at) | Move::Lift(at) | Move::Drop(at) => self.path.push(at),
            Move::Step(from, direction) => self.path.extend([from, from.neighbour(direction)]),
            Move::Hop(from, direction) => {
                if self.path.is_empty() {
                    self.path.push(from);
                }
                self.kind = PathKind::Jumps;
                self.path.push(from.beyond(direction));
                self.jumped.push(from.neighbour(direction));
            }
            Move::Stop | Move::Take(_) => {}
        }
    }
}

impl Jiu {
    /// Plays the plies of one turn, leaving later ones alone, and says what they did and how many they were.
    ///
    /// # Errors
    /// The first illegal ply; the position is then as it was.
    pub fn play_turn(&mut self, plies: &[Move]) -> Result<(TurnParts, usize), IllegalMove> {
        let mut game = *self;
        let mut parts = TurnParts::of(&game);
        let enemy = self.enemy();
        let mut used = 0;
        for &ply in plies {
            game.try_play(ply)?;
            parts.add(ply);
            used += 1;
            if !game.in_mid_turn() {
                break;
            }
        }
        if parts.phase == Phase::Battle {
            let gone = enemy & !game.stones(parts.side.other());
            parts.removed = unjumped(gone, &parts.jumped);
        }
        *self = game;
        Ok((parts, used))
    }

    /// The text of the turn that the plies make up, which must not go beyond it.
    ///
    /// # Errors
    /// The first ply that is illegal or comes after the end of the turn.
    pub fn turn_text(&self, plies: &[Move]) -> Result<String, IllegalMove> {
        let mut game = *self;
        let (parts, used) = game.play_turn(plies)?;
        match plies.get(used) {
            Some(&late) => Err(IllegalMove {
                text: late.text(),
                position: text::write(&game),
            }),
            None => Ok(parts.text()),
        }
    }

    /// The texts of the turns that the plies of a game make up.
    ///
    /// # Errors
    /// The first illegal ply.
    pub fn turn_texts(&self, mut plies: &[Move]) -> Result<Vec<String>, IllegalMove> {
        let mut game = *self;
        let mut texts = Vec::new();
        while !plies.is_empty() {
            let (parts, used) = game.play_turn(plies)?;
            texts.push(parts.text());
            plies = &plies[used..];
        }
        Ok(texts)
    }
}

/// The points without those of jumped stones, sorted by column, then by row.
pub(super) fn unjumped(gone: Wide, jumped: &[Spot]) -> Vec<Spot> {
    let mut spots: Vec<_> = gone.iter().map(Spot).collect();
    spots.retain(|spot| !jumped.contains(spot));
    spots.sort_by_key(|spot| spot.by_column());
    spots
}
