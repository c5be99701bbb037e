//! Where a side could make squares, as sets of points: the shapes of [`patterns`](super::patterns) that a
//! player looks at in every position, without lists.

use super::moves::behind;
use super::ply::Direction;
use super::state::{Due, Jiu, Phase};
use crate::bits::Wide;
use crate::game::Side;

/// The four cells of a point by the two directions that lead into each.
pub(super) const CORNERS: [[Direction; 2]; 4] = [
    [Direction::East, Direction::North],
    [Direction::West, Direction::North],
    [Direction::West, Direction::South],
    [Direction::East, Direction::South],
];

/// What a side's stones threaten, by points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// The empty points of triangles.
    pub triangles: Wide,
    /// Those of them that a stone outside the cell can fill by a step, a single jump or a flight; in the
    /// layout all of them. A gate that only a longer chain can fill is not among them.
    pub gates: Wide,
    /// The empty points of dalians, single and double.
    pub dalians: Wide,
    /// The empty points of double dalians.
    pub double_dalians: Wide,
    /// The points of complete squares.
    pub squares: Wide,
}

impl Jiu {
    /// What a side's stones threaten, as if the side were to begin a turn.
    pub fn threats(&self, side: Side) -> Threats {
        let (own, vacant) = (self.stones(side), self.vacant());
        // For each corner: the points whose other three points of that cell are own stones.
        let three = CORNERS.map(|[across, along]| {
            let beside = behind(own, along);
            behind(own, across) & beside & behind(beside, across)
        });
        let gaps = three.map(|points| points & vacant);
        let squares = three.map(|points| points & own);
        let (dalians, double_dalians) = dalians(gaps, squares);
        let union = |sets: [Wide; 4]| sets.into_iter().fold(Wide::EMPTY, |all, set| all | set);
        Threats {
            triangles: union(gaps),
            gates: if self.phase == Phase::Layout || self.flies(side) {
                union(gaps)
            } else {
                self.filled_from_outside(side, gaps)
            },
            dalians,
            double_dalians,
            squares: union(squares),
        }
    }

    /// The number of steps of a side to empty points.
    pub fn step_count(&self, side: Side) -> u32 {
        let (own, vacant) = (self.stones(side), self.vacant());
        let steps = Direction::ALL.map(|to| (own & behind(vacant, to)).count());
        steps.iter().sum()
    }

    /// The gaps that a step or a single jump of a stone outside the cell fills.
    fn filled_from_outside(&self, side: Side, gaps: [Wide; 4]) -> Wide {
        let (own, enemy) = (self.stones(side), self.stones(side.other()));
        let single_jumps = !self.begun_by(side).limited();
        let mut gates = Wide::EMPTY;
        for ([across, along], gaps) in CORNERS.into_iter().zip(gaps) {
            for from in [across, along].map(Direction::opposite) {
                let mut fillers = behind(own, from);
                if single_jumps {
                    fillers = fillers | behind(enemy & fillers, from);
                }
                gates = gates | (gaps & fillers);
            }
        }
        gates
    }

    /// The position as if a side were to begin a turn in it.
    pub fn begun_by(&self, side: Side) -> Jiu {
        let mut game = *self;
        game.side = side;
        game.due = match self.phase {
            Phase::Layout => Due::Placement,
            Phase::Battle => Due::Turn,
        };
        game
    }
}

/// The gaps beside which a runner stands: with it in the gap a cell away from its home is complete, and at
/// home one away from the gap. Those of double dalians are the second set.
fn dalians(gaps: [Wide; 4], squares: [Wide; 4]) -> (Wide, Wide) {
    let (mut single, mut double) = (Wide::EMPTY, Wide::EMPTY);
    for direction in Direction::ALL {
        let [first, second] = cells_towards(direction.opposite());
        let ahead = (gaps[first], gaps[second]);
        let [first, second] = cells_towards(direction);
        let home = (squares[first], squares[second]);
        let runs = (ahead.0 | ahead.1) & behind(home.0 | home.1, direction);
        let twice = (ahead.0 & ahead.1) & behind(home.0 & home.1, direction);
        double = double | twice | (single & runs);
        single = single | runs;
    }
    (single, double)
}

/// The two cells of a point on one side of it, by their place in [`CORNERS`].
fn cells_towards(direction: Direction) -> [usize; 2] {
    match direction {
        Direction::East => [0, 3],
        Direction::North => [0, 1],
        Direction::West => [1, 2],
        Direction::South => [2, 3],
    }
}
