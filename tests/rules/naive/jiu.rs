//! The plain twin of Tibetan Jiu, from docs/rules/jiu.md (J1 to J9), ply by ply and turn by turn.

use std::collections::BTreeMap;

use super::{Board, EMPTY, End, Point, Twin, name, point};

/// J4 a: the orthogonal directions.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// J2: a stone must be placed.
    Layout,
    /// J4: a turn of the battle begins.
    Battle,
    /// J4 c: a stone that started on `origin` has jumped and may go on from `at`.
    Hop {
        at: Point,
        jumped: usize,
        origin: Point,
    },
    /// J7: so many enemy stones are still to be taken for squares.
    Take { owed: usize },
}

/// A complete turn, found without playing plies.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The step, flight or chain: `C3-D3`, `C3xC5xE5`.
    pub(crate) path: String,
    /// The stones taken for squares, in the order of the points from A1 row by row.
    pub(crate) removed: Vec<String>,
    /// The position after the turn.
    pub(crate) after: Jiu,
}

/// A path as far as J4 to J6 have a say in it: no square counted yet.
struct Path {
    text: String,
    landing: Point,
    jumped: usize,
    board: Board,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Jiu {
    board: Board,
    /// The stone letter of the side to move.
    mover: char,
    phase: Phase,
    /// J9: complete battle turns in a row without a capture.
    quiet: u32,
    /// J9: all plies of the game: placements, steps, hops, stops and removals.
    plies: u32,
    /// The positions after complete battle turns since the last capture, the present one included.
    seen: Vec<String>,
    /// J9: so many turns without a capture are a draw.
    pub(crate) quiet_limit: u32,
    /// J9: so many plies end the game as truncated, once the turn is complete.
    pub(crate) ply_limit: u32,
    /// J9: this occurrence of a position is a draw.
    pub(crate) occurrence_limit: usize,
    /// J6 is in force.
    pub(crate) strong_side_limit: bool,
}

impl Jiu {
    /// What every path of the present turn earns: the stones to be taken for its squares, which is
    /// their number unless fewer enemy stones are left (J7).
    pub(crate) fn paths(&self) -> BTreeMap<String, usize> {
        let mut earned = BTreeMap::new();
        if self.result().is_some() {
            return earned;
        }
        for path in self.whole_paths() {
            let owed = self.owed(&path.board, path.landing);
            let previous = earned.insert(path.text.clone(), owed);
            assert!(previous.is_none(), "{} is listed twice", path.text);
        }
        earned
    }

    /// Every complete turn: each path with each set of stones it may take for its squares.
    pub(crate) fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        if self.result().is_some() {
            return turns;
        }
        for path in self.whole_paths() {
            let victims = path.board.points_with(self.enemy());
            let owed = self.owed(&path.board, path.landing);
            for removed in choices(&victims, owed) {
                let mut after = self.clone();
                after.board = path.board.clone();
                for &victim in &removed {
                    after.board.set(victim, EMPTY);
                }
                after.end_turn(path.jumped > 0 || !removed.is_empty());
                turns.push(Turn {
                    path: path.text.clone(),
                    removed: removed.into_iter().map(name).collect(),
                    after,
                });
            }
        }
        turns
    }

    /// Counts the lines of `depth` complete turns.
    pub(crate) fn turn_perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for turn in self.turns() {
            nodes += turn.after.turn_perft(depth - 1);
        }
        nodes
    }

    /// All steps, flights and chains of the present turn, found by walking each chain to its end.
    fn whole_paths(&self) -> Vec<Path> {
        assert_eq!(
            self.phase,
            Phase::Battle,
            "no turn begins in {}",
            self.text()
        );
        let mut paths = Vec::new();
        for from in self.board.points_with(self.mover) {
            for to in self.quiet_targets(from) {
                let mut board = self.board.clone();
                board.set(from, EMPTY);
                board.set(to, self.mover);
                paths.push(Path {
                    text: format!("{}-{}", name(from), name(to)),
                    landing: to,
                    jumped: 0,
                    board,
                });
            }
            self.add_chains(
                &Path {
                    text: name(from),
                    landing: from,
                    jumped: 0,
                    board: self.board.clone(),
                },
                &mut paths,
            );
        }
        paths
    }

    /// Adds every chain that goes on from the end of `so_far`.
    fn add_chains(&self, so_far: &Path, paths: &mut Vec<Path>) {
        for (victim, landing) in jumps(&so_far.board, so_far.landing) {
            let mut board = so_far.board.clone();
            board.set(so_far.landing, EMPTY);
            board.set(victim, EMPTY);
            board.set(landing, self.mover);
            let longer = Path {
                text: format!("{}x{}", so_far.text, name(landing)),
                landing,
                jumped: so_far.jumped + 1,
                board,
            };
            self.add_chains(&longer, paths);
            // J6: a single jump is not enough for the strong side.
            if longer.jumped >= 2 || !self.must_jump_twice() {
                paths.push(longer);
            }
        }
    }

    fn enemy(&self) -> char {
        other(self.mover)
    }

    /// The enemy stones there were when the turn began. Only jumps count here: while stones are
    /// being removed for squares nobody asks any more.
    fn enemies_at_turn_start(&self) -> usize {
        let present = self.board.count(self.enemy());
        match self.phase {
            Phase::Hop { jumped, .. } => present + jumped,
            _ => present,
        }
    }

    /// J6.
    fn must_jump_twice(&self) -> bool {
        let few = self.board.size();
        self.strong_side_limit
            && self.enemies_at_turn_start() <= few
            && self.board.count(self.mover) > few
    }

    /// Where a stone may go without a jump: J4 a, or anywhere under J4 d.
    fn quiet_targets(&self, from: Point) -> Vec<Point> {
        if self.board.count(self.mover) <= self.board.size() {
            return self.board.points_with(EMPTY);
        }
        let mut targets = Vec::new();
        for (across, up) in DIRECTIONS {
            if let Some(to) = self.board.beside(from, across, up)
                && self.board.get(to) == EMPTY
            {
                targets.push(to);
            }
        }
        targets
    }

    /// J7: the unit cells around the landing point with four stones of the mover.
    fn squares(&self, board: &Board, landing: Point) -> usize {
        let mut squares = 0;
        for across in [-1, 1] {
            for up in [-1, 1] {
                let corners = [
                    Some(landing),
                    board.beside(landing, across, 0),
                    board.beside(landing, 0, up),
                    board.beside(landing, across, up),
                ];
                if corners
                    .iter()
                    .all(|corner| corner.is_some_and(|c| board.get(c) == self.mover))
                {
                    squares += 1;
                }
            }
        }
        squares
    }

    /// J7: the stones that must be taken for squares; all that are left if they are fewer.
    fn owed(&self, board: &Board, landing: Point) -> usize {
        self.squares(board, landing).min(board.count(self.enemy()))
    }

    /// J2: where the next stone may be placed.
    fn placements(&self) -> Vec<Point> {
        let [low, high] = central_diagonal(self.board.size());
        let empty = self.board.points_with(EMPTY);
        let placed = self.board.points().len() - empty.len();
        match placed {
            0 => vec![low, high],
            1 if self.board.get(low) == EMPTY => vec![low],
            1 => vec![high],
            _ => empty,
        }
    }

    /// The hops of a stone on `from`. A first hop that J6 forbids to stop after must have a second.
    fn hops(&self, from: Point, jumped: usize) -> Vec<String> {
        let mut plies = Vec::new();
        for (victim, landing) in jumps(&self.board, from) {
            let mut board = self.board.clone();
            board.set(from, EMPTY);
            board.set(victim, EMPTY);
            board.set(landing, self.mover);
            let goes_on = !jumps(&board, landing).is_empty();
            if jumped + 1 >= 2 || goes_on || !self.must_jump_twice() {
                plies.push(format!("{}x{}", name(from), name(landing)));
            }
        }
        plies
    }

    /// The plies of the side to move, whether or not the game has ended.
    fn generate(&self) -> Vec<String> {
        let mut plies = Vec::new();
        match self.phase {
            Phase::Layout => {
                for to in self.placements() {
                    plies.push(name(to));
                }
            }
            Phase::Battle => {
                for from in self.board.points_with(self.mover) {
                    for to in self.quiet_targets(from) {
                        plies.push(format!("{}-{}", name(from), name(to)));
                    }
                    plies.extend(self.hops(from, 0));
                }
            }
            Phase::Hop { at, jumped, .. } => {
                plies = self.hops(at, jumped);
                // J5 and J6.
                if jumped >= 2 || !self.must_jump_twice() {
                    plies.push("stop".to_string());
                }
            }
            Phase::Take { .. } => {
                for victim in self.board.points_with(self.enemy()) {
                    plies.push(format!("+{}", name(victim)));
                }
            }
        }
        plies.sort();
        plies
    }

    fn play_placement(&mut self, to: Point) {
        self.board.set(to, self.mover);
        self.mover = self.enemy();
        if self.board.count(EMPTY) > 0 {
            return;
        }
        // J3.
        for central in central_diagonal(self.board.size()) {
            self.board.set(central, EMPTY);
        }
        self.mover = 'b';
        self.phase = Phase::Battle;
        self.seen = vec![self.text()];
    }

    fn play_step(&mut self, from: Point, to: Point) {
        self.board.set(from, EMPTY);
        self.board.set(to, self.mover);
        self.finish_path(to, 0);
    }

    fn play_hop(&mut self, from: Point, to: Point) {
        let (jumped, origin) = match self.phase {
            Phase::Hop { jumped, origin, .. } => (jumped + 1, origin),
            _ => (1, from),
        };
        // J4 b: the jumped stone lies half way.
        let victim = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        self.board.set(from, EMPTY);
        self.board.set(victim, EMPTY);
        self.board.set(to, self.mover);
        self.phase = Phase::Hop {
            at: to,
            jumped,
            origin,
        };
        if jumps(&self.board, to).is_empty() {
            self.finish_path(to, jumped);
        }
    }

    fn play_stop(&mut self) {
        let Phase::Hop { at, jumped, .. } = self.phase else {
            panic!("there is no chain to stop in {}", self.text());
        };
        self.finish_path(at, jumped);
    }

    /// J7: the step, chain or flight is over, and its squares are counted.
    fn finish_path(&mut self, landing: Point, jumped: usize) {
        let squares = self.squares(&self.board, landing);
        let victims = self.board.points_with(self.enemy());
        if squares == 0 {
            self.end_turn(jumped > 0);
        } else if squares >= victims.len() {
            for &victim in &victims {
                self.board.set(victim, EMPTY);
            }
            self.end_turn(jumped > 0 || !victims.is_empty());
        } else {
            self.phase = Phase::Take { owed: squares };
        }
    }

    fn play_removal(&mut self, victim: Point) {
        let Phase::Take { owed } = self.phase else {
            panic!("nothing is owed in {}", self.text());
        };
        self.board.set(victim, EMPTY);
        if owed == 1 {
            self.end_turn(true);
        } else {
            self.phase = Phase::Take { owed: owed - 1 };
        }
    }

    /// A battle turn is complete.
    fn end_turn(&mut self, captured: bool) {
        self.mover = self.enemy();
        self.phase = Phase::Battle;
        if captured {
            self.quiet = 0;
            self.seen.clear();
        } else {
            self.quiet += 1;
        }
        self.seen.push(self.text());
    }

    /// J9, in its order, for a position at the start of a battle turn.
    fn battle_result(&self) -> Option<End> {
        for side in [self.mover, self.enemy()] {
            if self.board.count(side) < 4 {
                return Some(win_of(other(side)));
            }
        }
        if self.generate().is_empty() {
            return Some(win_of(self.enemy()));
        }
        let present = self.text();
        let occurrences = self.seen.iter().filter(|&seen| *seen == present).count();
        if occurrences >= self.occurrence_limit || self.quiet >= self.quiet_limit {
            return Some(End::Draw);
        }
        None
    }

    fn check_parsed(&self) {
        let text = self.text();
        let size = self.board.size();
        assert!(
            size.is_multiple_of(2) && (6..=14).contains(&size),
            "no Jiu board: {text}"
        );
        let placed = self.board.points().len() - self.board.count(EMPTY);
        match self.phase {
            Phase::Layout => {
                // J2: White places first, and the first two stones go to the centre.
                let due = if placed.is_multiple_of(2) { 'w' } else { 'b' };
                assert_eq!(self.mover, due, "the wrong side is to place: {text}");
                let black = self.board.count('b');
                assert_eq!(black, placed / 2, "the sides do not alternate: {text}");
                let central = central_diagonal(size);
                let on_centre = central
                    .iter()
                    .filter(|&&c| self.board.get(c) != EMPTY)
                    .count();
                assert_eq!(on_centre, placed.min(2), "the centre comes first: {text}");
                if placed >= 2 {
                    assert_ne!(
                        self.board.get(central[0]),
                        self.board.get(central[1]),
                        "each side has one end of the central diagonal: {text}"
                    );
                }
                assert!(self.board.count(EMPTY) > 0, "the layout is over: {text}");
            }
            Phase::Battle => {}
            Phase::Hop { at, jumped, .. } => {
                assert_eq!(self.board.get(at), self.mover, "no stone hops: {text}");
                assert!(jumped > 0, "nothing was jumped: {text}");
                assert!(
                    !jumps(&self.board, at).is_empty(),
                    "the chain is over: {text}"
                );
            }
            Phase::Take { owed } => {
                let enemies = self.board.count(self.enemy());
                assert!(owed > 0 && owed < enemies, "nothing to choose: {text}");
            }
        }
    }
}

/// J4 b: the stones that the stone on `from` can jump, each with the point behind it.
fn jumps(board: &Board, from: Point) -> Vec<(Point, Point)> {
    let enemy = other(board.get(from));
    let mut found = Vec::new();
    for (across, up) in DIRECTIONS {
        if let Some(victim) = board.beside(from, across, up)
            && let Some(landing) = board.beside(from, 2 * across, 2 * up)
            && board.get(victim) == enemy
            && board.get(landing) == EMPTY
        {
            found.push((victim, landing));
        }
    }
    found
}

/// All ways to choose `count` of the points, without regard to order.
fn choices(points: &[Point], count: usize) -> Vec<Vec<Point>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let Some((&first, rest)) = points.split_first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for mut with_first in choices(rest, count - 1) {
        with_first.insert(0, first);
        found.push(with_first);
    }
    found.extend(choices(rest, count));
    found
}

/// J2: the points (N/2, N/2) and (N/2+1, N/2+1), counted from 1.
fn central_diagonal(size: usize) -> [Point; 2] {
    [(size / 2 - 1, size / 2 - 1), (size / 2, size / 2)]
}

fn other(side: char) -> char {
    match side {
        'b' => 'w',
        'w' => 'b',
        letter => panic!("'{letter}' is no stone"),
    }
}

fn win_of(side: char) -> End {
    if side == 'w' { End::First } else { End::Second }
}

impl Twin for Jiu {
    fn parse(text: &str) -> Jiu {
        let fields: Vec<&str> = text.split(' ').collect();
        assert!(fields.len() >= 3, "{text} needs board, side and phase");
        let board = Board::parse(fields[0], "bw");
        let size = board.size();
        let phase = match fields[2..] {
            ["layout"] => Phase::Layout,
            ["battle"] => Phase::Battle,
            ["battle", "hop", at, jumped, origin] => Phase::Hop {
                at: point(at),
                jumped: jumped.parse().unwrap(),
                origin: point(origin),
            },
            ["battle", "take", owed] => Phase::Take {
                owed: owed.parse().unwrap(),
            },
            _ => panic!("no phase of a Jiu game: {text}"),
        };
        let mover = match fields[1] {
            "b" => 'b',
            "w" => 'w',
            other => panic!("no side {other}"),
        };
        let mut position = Jiu {
            board,
            mover,
            phase,
            quiet: 0,
            plies: 0,
            seen: Vec::new(),
            quiet_limit: if size == 14 { 100 } else { 60 },
            ply_limit: if size == 14 { 2000 } else { 600 },
            occurrence_limit: 3,
            strong_side_limit: true,
        };
        position.check_parsed();
        if position.phase == Phase::Battle {
            position.seen.push(position.text());
        }
        position
    }

    fn text(&self) -> String {
        let phase = match self.phase {
            Phase::Layout => "layout".to_string(),
            Phase::Battle => "battle".to_string(),
            Phase::Hop { at, jumped, origin } => {
                format!("battle hop {} {jumped} {}", name(at), name(origin))
            }
            Phase::Take { owed } => format!("battle take {owed}"),
        };
        format!("{} {} {phase}", self.board.text(), self.mover)
    }

    fn side(&self) -> usize {
        if self.mover == 'w' { 0 } else { 1 }
    }

    fn result(&self) -> Option<End> {
        let ended = match self.phase {
            Phase::Layout => None,
            Phase::Battle => self.battle_result(),
            // J9 waits for the complete turn.
            Phase::Hop { .. } | Phase::Take { .. } => return None,
        };
        if ended.is_none() && self.plies >= self.ply_limit {
            return Some(End::Truncated);
        }
        ended
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        self.generate()
    }

    fn apply(&mut self, ply: &str) {
        self.plies += 1;
        if ply == "stop" {
            self.play_stop();
        } else if let Some(victim) = ply.strip_prefix('+') {
            self.play_removal(point(victim));
        } else if let Some((from, to)) = ply.split_once('-') {
            self.play_step(point(from), point(to));
        } else if let Some((from, to)) = ply.split_once('x') {
            self.play_hop(point(from), point(to));
        } else {
            self.play_placement(point(ply));
        }
    }
}
