//! The nine definitions of the static player, on the board as its mover sees it.

use crate::game::Side;
use crate::games::einstein::{Cube, Einstein, Square};
use crate::text::Point;

/// A cell by the rows and columns that lie between it and the mover's home corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub row: u8,
    pub column: u8,
}

/// Definition 5: the mover's starting corner, which is the enemy's goal.
pub(super) const START: Place = Place { row: 0, column: 0 };

/// Definition 6: the mover's goal, which is the enemy's starting corner.
pub(super) const GOAL: Place = Place { row: 4, column: 4 };

/// A step as its mover sees it. The seed writes for Blue: across is to the left, along is up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Direction {
    Diagonal,
    Across,
    Along,
}

impl Direction {
    pub const ALL: [Direction; 3] = [Direction::Diagonal, Direction::Across, Direction::Along];
}

/// What stands on a cell; cubes by their number less one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Empty,
    Own(u8),
    Enemy(u8),
}

/// The board as the mover sees it.
#[derive(Clone, Debug)]
pub(super) struct Board {
    cells: [[Cell; 5]; 5],
    /// The living cubes of each kind as six bits.
    pub own: u8,
    pub enemy: u8,
}

impl Place {
    /// A square as `mover` sees it.
    pub fn of(square: Square, mover: Side) -> Place {
        let Point { column, row } = square.seen_by(mover).point();
        Place {
            row: 4 - row,
            column,
        }
    }

    /// The square of the place.
    pub fn square(self, mover: Side) -> Square {
        let seen = Square::of(Point {
            column: self.column,
            row: 4 - self.row,
        });
        // Turning the board twice turns it back.
        seen.seen_by(mover)
    }

    /// Where a step leads, or `None` off the board.
    pub fn to(self, direction: Direction) -> Option<Place> {
        let (down, right) = match direction {
            Direction::Diagonal => (1, 1),
            Direction::Across => (0, 1),
            Direction::Along => (1, 0),
        };
        let place = Place {
            row: self.row + down,
            column: self.column + right,
        };
        (place.row < 5 && place.column < 5).then_some(place)
    }

    /// The fewest steps to the goal; a diagonal step counts as one.
    pub fn steps_to_goal(self) -> u8 {
        (GOAL.row - self.row).max(GOAL.column - self.column)
    }

    /// The fewest steps of an enemy cube to the mover's starting corner.
    pub fn steps_to_start(self) -> u8 {
        (self.row - START.row).max(self.column - START.column)
    }

    /// Definition 2: the line from corner to corner that joins start and goal.
    pub fn is_on_main_diagonal(self) -> bool {
        self.row == self.column
    }

    /// Definition 3: the line between the other two corners. Places beyond it are nearer to the goal
    /// than to the start.
    pub fn is_beyond_side_diagonal(self) -> bool {
        self.row + self.column > 4
    }
}

impl Board {
    pub fn of(game: &Einstein, mover: Side) -> Board {
        let mut board = Board {
            cells: [[Cell::Empty; 5]; 5],
            own: game.alive(mover),
            enemy: game.alive(mover.other()),
        };
        for cube in 0..6 {
            for (side, cell) in [(mover, Cell::Own(cube)), (mover.other(), Cell::Enemy(cube))] {
                if let Some(square) = game.square_of(side, Cube(cube)) {
                    let place = Place::of(square, mover);
                    board.cells[usize::from(place.row)][usize::from(place.column)] = cell;
                }
            }
        }
        board
    }

    /// What stands on a place.
    pub fn at(&self, place: Place) -> Cell {
        self.cells[usize::from(place.row)][usize::from(place.column)]
    }

    /// What stands where a step leads, or `None` off the board.
    pub fn ahead(&self, from: Place, direction: Direction) -> Option<Cell> {
        from.to(direction).map(|place| self.at(place))
    }

    /// Definition 1: the surroundings of a cube are the cells across, along and diagonally before it.
    /// Only from there an enemy can take it.
    pub fn around(&self, place: Place) -> impl Iterator<Item = (Direction, Cell)> {
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, self.ahead(place, direction)?)))
    }

    /// Definition 4: the number of all enemy cubes, 0 to 6.
    pub fn enemies(&self) -> u32 {
        self.enemy.count_ones()
    }

    /// Definition 7: the steps to the enemy cubes of the surroundings with their numbers.
    pub fn enemies_around(&self, place: Place) -> impl Iterator<Item = (Direction, u8)> {
        self.around(place)
            .filter_map(|(direction, cell)| match cell {
                Cell::Enemy(cube) => Some((direction, cube)),
                _ => None,
            })
    }

    /// Definition 8: the steps to the own cubes of the surroundings with their numbers.
    pub fn own_around(&self, place: Place) -> impl Iterator<Item = (Direction, u8)> {
        self.around(place)
            .filter_map(|(direction, cell)| match cell {
                Cell::Own(cube) => Some((direction, cube)),
                _ => None,
            })
    }

    /// Definition 9: annihilation is lost when some enemy cube can be taken by no own cube any more.
    /// A cube can only take what lies in no row and no column behind it, and once passed, always passed.
    pub fn annihilation_is_lost(&self) -> bool {
        let places = || {
            (0..25).map(|index| Place {
                row: index / 5,
                column: index % 5,
            })
        };
        let takes = |own: Place, enemy: Place| own.row <= enemy.row && own.column <= enemy.column;
        let mut enemies = places().filter(|&place| matches!(self.at(place), Cell::Enemy(_)));
        enemies.any(|enemy| {
            let mut own = places().filter(|&place| matches!(self.at(place), Cell::Own(_)));
            !own.any(|own| takes(own, enemy))
        })
    }
}
