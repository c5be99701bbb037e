//! How much a side threatens, counted without listing the shapes.

use super::moves::behind;
use super::patterns::Shapes;
use super::ply::{Direction, Spot};
use super::state::{Jiu, Phase};
use crate::bits::Wide;
use crate::game::Side;

/// Shapes of a side by number (docs/rules/jiu.md, Shapes).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    /// Triangles.
    pub triangles: u32,
    /// Triangles that a step, or for a flying side a flight, from outside the cell completes. Jumps into
    /// the empty point are not looked for, which is what a gate allows besides.
    pub gates: u32,
    /// Empty points of single and double dalians.
    pub dalians: u32,
    /// Steps to empty points.
    pub steps: u32,
}

impl Jiu {
    /// Counts a side's threats, as if the side were to begin a turn. Gates and steps are counted in the
    /// battle only.
    pub fn threats(&self, side: Side) -> Threats {
        let shapes = Shapes::of(self, side);
        let (own, vacant) = (self.stones(side), self.vacant());
        let mut threats = Threats::default();
        let mut gaps = Wide::EMPTY;
        let battle = self.phase() == Phase::Battle;
        for (corner, sides) in shapes.gap_sets() {
            threats.triangles += corner.count();
            gaps = gaps | corner;
            if battle {
                threats.gates += self.entered(side, corner, sides);
            }
        }
        let is_dalian = |gap: &u8| {
            let runs = |direction| shapes.runner(Spot(*gap), direction).is_some();
            Direction::ALL.into_iter().any(runs)
        };
        // A runner's step completes a square, so its empty point is that of a triangle.
        threats.dalians = gaps.iter().filter(is_dalian).count() as u32;
        if battle {
            let steps = Direction::ALL.map(|to| (own & behind(vacant, to)).count());
            threats.steps = steps.iter().sum();
        }
        threats
    }

    /// How many of the gaps, whose cells extend to the two `sides`, a stone outside the cell can enter.
    fn entered(&self, side: Side, gaps: Wide, sides: [Direction; 2]) -> u32 {
        // Three stones make the triangle, a fourth flies.
        if self.flies(side) && self.count(side) > 3 {
            return gaps.count();
        }
        let own = self.stones(side);
        let outside = Direction::ALL.into_iter().filter(|to| !sides.contains(to));
        let doors = outside.fold(Wide::EMPTY, |doors, from| doors | behind(own, from));
        (gaps & doors).count()
    }

    /// A key of the turns since the last capture; 0 if there are none.
    pub fn quiet_key(&self) -> u64 {
        self.quiet.key()
    }

    /// The plies played, if the cap on plies can cut the game within `plies` plies, and otherwise 0.
    pub fn cap_key(&self, plies: u32) -> u64 {
        let near = u32::from(self.plies) + plies >= u32::from(self.variant.most_plies());
        if near { u64::from(self.plies) } else { 0 }
    }
}
