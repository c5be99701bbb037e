//! Shapes of stones (棋型), each recognised by its property, with the points that answer it.

use super::moves::behind;
use super::ply::{Direction, Spot};
use super::state::{Jiu, Phase};
use super::threats::CORNERS;
use crate::bits::Wide;
use crate::game::Side;

/// The shapes that are recognised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PatternKind {
    /// Three own stones on a cell, the fourth point empty (三角棋型).
    Triangle,
    /// A triangle whose empty point the side can fill in one move from elsewhere (棋门).
    Gate,
    /// Three own stones in a line side by side; one more beside the middle makes two triangles (三子棋型).
    Trinity,
    /// Two adjacent own stones with no other own stone around them (二子棋型).
    Twain,
    /// Two own stones on opposite corners of a cell, an enemy stone and an empty point on the others (对角棋型).
    Diagonal,
    /// A runner steps to and fro between two points and completes a square each time (单褡裢).
    SingleDalian,
    /// A dalian with two squares a step, or with two runners for the same empty point (双褡裢).
    DoubleDalian,
}

/// A shape found on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Which shape it is.
    pub kind: PatternKind,
    /// The stones that make it up.
    pub stones: Wide,
    /// Where the opponent answers it.
    pub answers: Wide,
}

impl Jiu {
    /// The shapes of a side's stones, by kind and then by place. A gate is judged as if the side were to
    /// begin a turn.
    pub fn patterns(&self, side: Side) -> Vec<Pattern> {
        let mut board = Shapes {
            own: self.stones(side),
            enemy: self.stones(side.other()),
            vacant: self.vacant(),
            found: Vec::new(),
        };
        board.triangles();
        board.gates(&self.landings(side));
        board.trinities();
        board.twains();
        board.diagonals();
        board.dalians();
        board.found.sort_by_key(|pattern| pattern.kind);
        board.found
    }

    /// Where each move of a side may end, with the point it starts from; placements have no start.
    fn landings(&self, side: Side) -> Vec<(Option<Spot>, Spot)> {
        if self.phase == Phase::Layout {
            let points = self.vacant().iter();
            return points.map(|at| (None, Spot(at))).collect();
        }
        let mut found = Vec::new();
        self.begun_by(side).for_each_path(|path| {
            if let Some(&end) = path.landings.last() {
                found.push((Some(path.origin), end));
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

struct Shapes {
    own: Wide,
    enemy: Wide,
    vacant: Wide,
    found: Vec<Pattern>,
}

impl Shapes {
    fn add(&mut self, kind: PatternKind, stones: Wide, answers: Wide) {
        self.found.push(Pattern {
            kind,
            stones,
            answers,
        });
    }

    /// Cells with three own stones and an empty point: the stones and the point.
    fn gaps(&self) -> Vec<(Wide, Spot)> {
        let mut gaps = Vec::new();
        for gap in self.vacant {
            for [across, along] in CORNERS {
                let cell = cell(Spot(gap), across, along);
                let stones = cell & self.own;
                if stones.count() == 3 {
                    gaps.push((stones, Spot(gap)));
                }
            }
        }
        gaps
    }

    fn triangles(&mut self) {
        for (stones, gap) in self.gaps() {
            self.add(PatternKind::Triangle, stones, Wide::single(gap.0));
        }
    }

    fn gates(&mut self, landings: &[(Option<Spot>, Spot)]) {
        for (stones, gap) in self.gaps() {
            let from_elsewhere = |&(from, to): &(Option<Spot>, Spot)| {
                to == gap && !from.is_some_and(|from| stones.has(from.0))
            };
            if landings.iter().any(from_elsewhere) {
                self.add(PatternKind::Gate, stones, Wide::single(gap.0));
            }
        }
    }

    fn trinities(&mut self) {
        for along in [Direction::East, Direction::North] {
            let has_next = self.own & behind(self.own, along);
            for first in has_next & behind(has_next, along) {
                let line = [
                    Spot(first),
                    Spot(first).neighbour(along),
                    Spot(first).beyond(along),
                ];
                // A stone beside the middle makes two triangles if the points beside the ends are empty.
                let mut answers = Wide::EMPTY;
                for side in sideways(along) {
                    let beside = line.map(|spot| spot.neighbour(side));
                    if beside.iter().all(|spot| self.vacant.has(spot.0)) {
                        answers.insert(beside[1].0);
                    }
                }
                if !answers.is_empty() {
                    self.add(PatternKind::Trinity, set(&line), answers);
                }
            }
        }
    }

    fn twains(&mut self) {
        for along in [Direction::East, Direction::North] {
            for first in self.own & behind(self.own, along) {
                let pair = [Spot(first), Spot(first).neighbour(along)];
                let stones = set(&pair);
                if !(around(stones) & self.own & !stones).is_empty() {
                    continue;
                }
                let [left, right] = sideways(along);
                let mut answers = Wide::EMPTY;
                // The next stone makes three in a line …
                let back = along.opposite();
                for end in [pair[0].neighbour(back), pair[1].neighbour(along)] {
                    if self.vacant.has(end.0) {
                        answers.insert(end.0);
                    }
                }
                // … or a triangle, whose fourth point has to be empty.
                for side in [left, right] {
                    let beside = set(&pair.map(|spot| spot.neighbour(side)));
                    if (beside & self.vacant) == beside {
                        answers = answers | beside;
                    }
                }
                if !answers.is_empty() {
                    self.add(PatternKind::Twain, stones, answers);
                }
            }
        }
    }

    fn diagonals(&mut self) {
        for first in self.own {
            for across in [Direction::East, Direction::West] {
                let cell = cell(Spot(first), across, Direction::North);
                let opposite = Spot(first).neighbour(across).neighbour(Direction::North);
                if !self.own.has(opposite.0) {
                    continue;
                }
                let (between, empty) = (cell & self.enemy, cell & self.vacant);
                if between.count() == 1 && empty.count() == 1 {
                    self.add(PatternKind::Diagonal, cell & self.own, empty);
                }
            }
        }
    }

    fn dalians(&mut self) {
        for gap in self.vacant {
            let runners: Vec<_> = Direction::ALL
                .into_iter()
                .filter_map(|direction| self.runner(Spot(gap), direction))
                .collect();
            if runners.is_empty() {
                continue;
            }
            let twice = runners.iter().any(|runner| runner.least_squares >= 2);
            let kind = if twice || runners.len() >= 2 {
                PatternKind::DoubleDalian
            } else {
                PatternKind::SingleDalian
            };
            // Other stones that complete a square by stepping into the gap belong to the shape.
            let movers = Direction::ALL.map(|direction| self.mover(Spot(gap), direction));
            let movers = movers
                .into_iter()
                .fold(Wide::EMPTY, |all, mover| all | mover);
            let stones = runners
                .iter()
                .fold(movers, |all, runner| all | runner.stones);
            self.add(kind, stones, Wide::single(gap));
        }
    }

    /// The neighbour of the gap, if stepping into the gap completes a square there and stepping back
    /// completes one at its own point.
    fn runner(&self, gap: Spot, direction: Direction) -> Option<Runner> {
        let home = gap.neighbour(direction);
        if !self.own.has(home.0) {
            return None;
        }
        let mut others = self.own;
        others.remove(home.0);
        let squares = [home, gap].map(|at| others.cells_at(at.0));
        let corners = squares_around(others, home) | squares_around(others, gap);
        let least_squares = squares[0].min(squares[1]);
        (least_squares > 0).then(|| Runner {
            stones: (corners | Wide::single(home.0)) & self.own,
            least_squares,
        })
    }

    fn mover(&self, gap: Spot, direction: Direction) -> Wide {
        let from = gap.neighbour(direction);
        let mut others = self.own;
        others.remove(from.0);
        if self.own.has(from.0) && others.cells_at(gap.0) > 0 {
            Wide::single(from.0)
        } else {
            Wide::EMPTY
        }
    }
}

struct Runner {
    stones: Wide,
    least_squares: u32,
}

fn cell(corner: Spot, across: Direction, along: Direction) -> Wide {
    let beside = corner.neighbour(across);
    set(&[
        corner,
        beside,
        corner.neighbour(along),
        beside.neighbour(along),
    ])
}

/// The points of the cells around `at` that are complete once a stone stands there.
fn squares_around(others: Wide, at: Spot) -> Wide {
    let stones = others | Wide::single(at.0);
    let cells = CORNERS.map(|[across, along]| cell(at, across, along));
    let complete = cells.into_iter().filter(|&cell| (cell & stones) == cell);
    complete.fold(Wide::EMPTY, |all, cell| all | cell)
}

fn set(spots: &[Spot]) -> Wide {
    spots.iter().map(|spot| spot.0).collect()
}

/// The points of a set and their eight neighbours, guard points among them.
fn around(stones: Wide) -> Wide {
    let wide = stones | stones.east() | stones.west();
    wide | wide.north() | wide.south()
}

const fn sideways(along: Direction) -> [Direction; 2] {
    match along {
        Direction::East | Direction::West => [Direction::North, Direction::South],
        Direction::North | Direction::South => [Direction::East, Direction::West],
    }
}
