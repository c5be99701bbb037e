//! The plain twin of Surakarta, from docs/rules/surakarta.md (S1 to S8, S10), with flights walked on the extended 8×8 board.

use super::{Board, EMPTY, End, Point, Twin, name, point};

/// S4: the eight directions of a step.
const STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// S10: left, right, down, up.
const HEADINGS: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// S2: each arc joins two cells of the rim around the board. The board's points are 1 to 6 in
/// column and row, the rim is 0 and 7. A stone that steps onto one end comes back from the other.
const ARCS: [((i32, i32), (i32, i32)); 8] = [
    // Inner track: A2–B1, F2–E1, A5–B6, F5–E6.
    ((0, 2), (2, 0)),
    ((7, 2), (5, 0)),
    ((0, 5), (2, 7)),
    ((7, 5), (5, 7)),
    // Outer track: A3–C1, F3–D1, A4–C6, F4–D6.
    ((0, 3), (3, 0)),
    ((7, 3), (4, 0)),
    ((0, 4), (3, 7)),
    ((7, 4), (4, 7)),
];

/// A walk along a track.
#[derive(Default)]
struct Walk {
    /// The points it comes to, each with the number of arcs passed before.
    stops: Vec<(Point, usize)>,
    /// The points from which it leaves the grid onto an arc, in order.
    exits: Vec<Point>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Surakarta {
    board: Board,
    red_to_move: bool,
    /// Plies since the last capture.
    quiet: u32,
    /// The positions since the last capture, the present one included.
    seen: Vec<String>,
    /// S8 b: this many quiet plies in a row end the game.
    pub(crate) quiet_limit: u32,
    /// S8 c: the occurrence of a position that ends the game; 2 is the first repetition.
    pub(crate) occurrence_limit: usize,
}

impl Surakarta {
    /// S10: the exit points of a capture's route with the fewest arcs, the first found among equals.
    pub(crate) fn exits(&self, ply: &str) -> Vec<String> {
        let mut best: Option<Vec<Point>> = None;
        for route in self.routes(ply) {
            if best.as_ref().is_none_or(|b| route.exits.len() < b.len()) {
                best = Some(route.exits);
            }
        }
        let best = best.unwrap_or_else(|| panic!("{ply} is no capture in {}", self.text()));
        best.into_iter().map(name).collect()
    }

    /// Whether every route of a capture comes back over its start point on the way.
    pub(crate) fn crosses_its_start(&self, ply: &str) -> bool {
        let start = point(&ply[..2]);
        self.routes(ply)
            .iter()
            .all(|route| route.stops.iter().any(|&(at, _)| at == start))
    }

    /// The points of a whole lap, or up to where the walk runs off the board.
    pub(crate) fn lap_points(from: &str, heading: (i32, i32)) -> Vec<String> {
        let lap = lap(point(from), heading);
        lap.stops.into_iter().map(|(at, _)| name(at)).collect()
    }

    /// The routes of a capture, in the order left, right, down, up.
    fn routes(&self, ply: &str) -> Vec<Walk> {
        let (from, to) = ply.split_once('x').unwrap();
        let mut routes = Vec::new();
        for heading in HEADINGS {
            if let Some((victim, route)) = self.flight(point(from), heading)
                && victim == point(to)
            {
                routes.push(route);
            }
        }
        routes
    }

    /// S5: the victim of a flight in this direction and the way to it.
    fn flight(&self, from: Point, heading: (i32, i32)) -> Option<(Point, Walk)> {
        let lap = lap(from, heading);
        let mut stops = Vec::new();
        for (here, arcs) in lap.stops {
            stops.push((here, arcs));
            // The mover's own start point counts as empty while it travels.
            if here == from || self.board.get(here) == EMPTY {
                continue;
            }
            if self.board.get(here) == self.mover() || arcs == 0 {
                return None;
            }
            let exits = lap.exits[..arcs].to_vec();
            return Some((here, Walk { stops, exits }));
        }
        None
    }

    fn mover(&self) -> char {
        if self.red_to_move { 'r' } else { 'b' }
    }

    /// The moves of the side to move, whether or not the game has ended.
    fn generate(&self) -> Vec<String> {
        let mut plies = Vec::new();
        for from in self.board.points_with(self.mover()) {
            for (across, up) in STEPS {
                if let Some(to) = self.board.beside(from, across, up)
                    && self.board.get(to) == EMPTY
                {
                    plies.push(format!("{}-{}", name(from), name(to)));
                }
            }
            for heading in HEADINGS {
                if let Some((victim, _)) = self.flight(from, heading) {
                    plies.push(format!("{}x{}", name(from), name(victim)));
                }
            }
        }
        plies.sort();
        // S6: several routes to one victim are one move.
        plies.dedup();
        plies
    }

    /// S8: more stones wins, equal is a draw.
    fn by_count(&self) -> End {
        let red = self.board.count('r');
        let black = self.board.count('b');
        if red > black {
            End::First
        } else if black > red {
            End::Second
        } else {
            End::Draw
        }
    }

    /// The position that S8 c compares: stones and side to move.
    fn stones_and_side(&self) -> String {
        format!("{} {}", self.board.text(), self.mover())
    }
}

/// A walk from a point until it is back there with the same heading, or runs off the board where
/// no arc is. The stones do not matter.
fn lap(from: Point, heading: (i32, i32)) -> Walk {
    let start = (from.0 as i32 + 1, from.1 as i32 + 1);
    let mut walk = Walk::default();
    let mut here = start;
    let mut facing = heading;
    loop {
        let mut next = (here.0 + facing.0, here.1 + facing.1);
        if !on_board(next) {
            let Some(other_end) = across_the_arc(next) else {
                return walk;
            };
            walk.exits.push(grid_point(here));
            facing = inwards(other_end);
            next = (other_end.0 + facing.0, other_end.1 + facing.1);
        }
        here = next;
        walk.stops.push((grid_point(here), walk.exits.len()));
        if here == start && facing == heading {
            return walk;
        }
    }
}

fn on_board((column, row): (i32, i32)) -> bool {
    (1..=6).contains(&column) && (1..=6).contains(&row)
}

/// The other end of the arc that begins on this cell of the rim, if one does.
fn across_the_arc(cell: (i32, i32)) -> Option<(i32, i32)> {
    for (one, other) in ARCS {
        if cell == one {
            return Some(other);
        }
        if cell == other {
            return Some(one);
        }
    }
    None
}

/// The heading that leads from a cell of the rim onto the board.
fn inwards(cell: (i32, i32)) -> (i32, i32) {
    match cell {
        (0, _) => (1, 0),
        (7, _) => (-1, 0),
        (_, 0) => (0, 1),
        (_, 7) => (0, -1),
        _ => panic!("{cell:?} is not on the rim"),
    }
}

/// The point of a cell of the extended board.
fn grid_point((column, row): (i32, i32)) -> Point {
    (column as usize - 1, row as usize - 1)
}

impl Twin for Surakarta {
    fn parse(text: &str) -> Surakarta {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 3, "{text} needs board, side and quiet plies");
        let board = Board::parse(fields[0], "rb");
        assert_eq!(board.size(), 6, "{text} is not a 6×6 board");
        let red_to_move = match fields[1] {
            "r" => true,
            "b" => false,
            other => panic!("no side {other}"),
        };
        let mut position = Surakarta {
            board,
            red_to_move,
            quiet: fields[2].parse().unwrap(),
            seen: Vec::new(),
            quiet_limit: 50,
            occurrence_limit: 2,
        };
        position.seen.push(position.stones_and_side());
        position
    }

    fn text(&self) -> String {
        format!("{} {}", self.stones_and_side(), self.quiet)
    }

    fn side(&self) -> usize {
        if self.red_to_move { 0 } else { 1 }
    }

    fn result(&self) -> Option<End> {
        // S8 a.
        if self.board.count('b') == 0 {
            return Some(End::First);
        }
        if self.board.count('r') == 0 {
            return Some(End::Second);
        }
        // S8 b.
        if self.quiet >= self.quiet_limit {
            return Some(self.by_count());
        }
        // S8 c.
        let present = self.stones_and_side();
        let occurrences = self.seen.iter().filter(|&seen| *seen == present).count();
        if occurrences >= self.occurrence_limit {
            return Some(self.by_count());
        }
        // S8 d.
        if self.generate().is_empty() {
            return Some(self.by_count());
        }
        None
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        self.generate()
    }

    fn apply(&mut self, ply: &str) {
        // A ply is a point, a sign and a point: C3-C4, C3xD4.
        let (from, sign, to) = (point(&ply[..2]), &ply[2..3], point(&ply[3..]));
        self.board.set(from, EMPTY);
        self.board.set(to, self.mover());
        self.red_to_move = !self.red_to_move;
        if sign == "x" {
            self.quiet = 0;
            self.seen.clear();
        } else {
            self.quiet += 1;
        }
        self.seen.push(self.stones_and_side());
    }
}
