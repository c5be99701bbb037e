//! Turn texts such as `C3xC5xE5+A1,B7`, read into the plies of the turn.

use super::paths::PathKind;
use super::ply::{Direction, Move, Spot};
use super::state::{Due, Jiu, Phase};
use super::text;
use super::turn_parts::unjumped;
use crate::bits::Wide;
use crate::game::Game;
use crate::text::TextError;

/// What is wrong with a turn: `item` counts the points of its path, then its removals.
pub(super) struct Fault {
    pub(super) item: usize,
    pub(super) message: String,
}

impl Jiu {
    /// The plies of a whole turn, or of the rest of a turn in progress, from its text.
    /// Removals may come in any order.
    ///
    /// # Errors
    /// A text that is unreadable, or that is not a legal turn here, with the column of the first fault.
    pub fn turn_plies(&self, text: &str) -> Result<Vec<Move>, TextError> {
        let (path_text, removals_text) = match text.split_once('+') {
            Some((path, removals)) => (path, Some(removals)),
            None => (text, None),
        };
        let (mut path, kind) = self.read_path(path_text)?;
        let mut removed = Vec::new();
        if let Some(removals) = removals_text {
            let cut = path_text.chars().count() + 1;
            path.extend_columns_of(removals, ',', cut, self.size(), &mut removed)?;
        }
        let columns = path.columns;
        self.plies_of(&path.spots, kind, &removed).map_err(|fault| {
            let column = columns.get(fault.item).or(columns.last());
            TextError::at(column.copied().unwrap_or(1), fault.message)
        })
    }

    fn read_path(&self, text: &str) -> Result<(Items, PathKind), TextError> {
        let mut items = Items::default();
        let kind = if text.contains('x') || matches!(self.due, Due::Hop { .. }) {
            PathKind::Jumps
        } else {
            PathKind::Quiet
        };
        match (self.due, text) {
            (Due::Take { .. }, "") => {}
            (Due::Hop { at, .. }, "stop") => items.push(at, 1),
            (Due::Drop { origin }, _) if text.starts_with('-') => {
                items.push(origin, 1);
                let to = Spot::parse(&text[1..], self.size()).map_err(|error| error.shifted(1))?;
                items.push(to, 2);
            }
            _ => {
                let between = if kind == PathKind::Jumps { 'x' } else { '-' };
                let mut spots = Vec::new();
                items.extend_columns_of(text, between, 0, self.size(), &mut spots)?;
                items.spots = spots;
            }
        }
        Ok((items, kind))
    }

    /// The plies of a turn given by its points, checked one by one.
    pub(super) fn plies_of(
        &self,
        path: &[Spot],
        kind: PathKind,
        removed: &[Spot],
    ) -> Result<Vec<Move>, Fault> {
        let mut played = Played {
            game: *self,
            plies: Vec::new(),
        };
        played.path(path, kind)?;
        let last = path.len().saturating_sub(1);
        if let Due::Hop { .. } = played.game.due {
            played.add(Move::Stop, last)?;
        }
        if let Due::Take { owed } = played.game.due {
            if removed.len() != usize::from(owed) {
                return Err(Fault {
                    item: path.len(),
                    message: format!(
                        "{owed} stones are to be taken for squares, not {}",
                        removed.len()
                    ),
                });
            }
            for (item, &at) in (path.len()..).zip(removed) {
                played.add(Move::Take(at), item)?;
            }
            return Ok(played.plies);
        }
        // What is gone without a ply of its own was jumped, or was the rest of the enemy's stones.
        let gone = match self.phase {
            Phase::Layout => Wide::EMPTY,
            Phase::Battle => self.enemy() & !played.game.stones(self.side.other()),
        };
        let taken = unjumped(gone, &played.jumped());
        let mut sorted = removed.to_vec();
        sorted.sort_by_key(|spot| spot.by_column());
        if sorted != taken {
            let names: Vec<_> = taken.iter().map(|spot| spot.name()).collect();
            return Err(Fault {
                item: path.len(),
                message: match names.len() {
                    0 => "the turn makes no square and takes no further stone".into(),
                    _ => format!("the turn takes all stones left: {}", names.join(",")),
                },
            });
        }
        Ok(played.plies)
    }
}

/// Points read from a text, each with its column; removals follow the path.
#[derive(Default)]
struct Items {
    spots: Vec<Spot>,
    columns: Vec<usize>,
}

impl Items {
    fn push(&mut self, spot: Spot, column: usize) {
        self.spots.push(spot);
        self.columns.push(column);
    }

    /// Reads points into `spots` and their columns into this list; `cut` columns precede the text.
    fn extend_columns_of(
        &mut self,
        text: &str,
        between: char,
        cut: usize,
        size: u8,
        spots: &mut Vec<Spot>,
    ) -> Result<(), TextError> {
        let mut column = cut + 1;
        for name in text.split(between) {
            let spot = Spot::parse(name, size).map_err(|error| error.shifted(column - 1))?;
            spots.push(spot);
            self.columns.push(column);
            column += name.chars().count() + 1;
        }
        Ok(())
    }
}

/// A turn being played, ply by ply.
struct Played {
    game: Jiu,
    plies: Vec<Move>,
}

impl Played {
    fn add(&mut self, ply: Move, item: usize) -> Result<(), Fault> {
        self.game.try_play(ply).map_err(|error| Fault {
            item,
            message: error.to_string(),
        })?;
        self.plies.push(ply);
        Ok(())
    }

    fn path(&mut self, path: &[Spot], kind: PathKind) -> Result<(), Fault> {
        match (self.game.due, kind, path) {
            (Due::Take { .. }, _, []) => Ok(()),
            (Due::Placement, PathKind::Quiet, &[at]) => self.add(Move::Place(at), 0),
            (Due::Turn | Due::Hop { .. }, PathKind::Jumps, [_, ..]) => {
                for (item, hop) in (1..).zip(path.windows(2)) {
                    let direction = Direction::between(hop[0], hop[1], 2).ok_or_else(|| Fault {
                        item,
                        message: format!(
                            "a hop leads to the second point along a line, not from {} to {}",
                            hop[0].name(),
                            hop[1].name()
                        ),
                    })?;
                    self.add(Move::Hop(hop[0], direction), item)?;
                }
                Ok(())
            }
            (Due::Drop { origin }, PathKind::Quiet, &[from, to]) if from == origin => {
                self.add(Move::Drop(to), 1)
            }
            (Due::Turn, PathKind::Quiet, &[from, to]) if self.game.flies(self.game.side) => {
                self.add(Move::Lift(from), 0)?;
                self.add(Move::Drop(to), 1)
            }
            (Due::Turn, PathKind::Quiet, &[from, to]) => {
                let direction = Direction::between(from, to, 1).ok_or_else(|| Fault {
                    item: 1,
                    message: format!(
                        "{} is not beside {}, and the side has no right to fly",
                        to.name(),
                        from.name()
                    ),
                })?;
                self.add(Move::Step(from, direction), 1)
            }
            _ => Err(Fault {
                item: 0,
                message: format!("this is not a turn for {}", text::write(&self.game)),
            }),
        }
    }

    fn jumped(&self) -> Vec<Spot> {
        let over = |ply: &Move| match *ply {
            Move::Hop(from, direction) => Some(from.neighbour(direction)),
            _ => None,
        };
        self.plies.iter().filter_map(over).collect()
    }
}
