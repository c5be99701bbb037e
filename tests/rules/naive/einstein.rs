//! The plain twin of EinStein würfelt nicht, from docs/rules/einstein.md (E1 to E7).

use super::{Board, EMPTY, End, Point, Twin, name, point};

/// E1: the zones, and the goal corners, each the other side's home corner.
const RED_ZONE: [&str; 6] = ["A5", "B5", "C5", "A4", "B4", "A3"];
const BLUE_ZONE: [&str; 6] = ["E1", "D1", "C1", "E2", "D2", "E3"];
const RED_GOAL: &str = "E1";
const BLUE_GOAL: &str = "A5";

/// E3: columns to the right and rows up, for each direction a side may move in.
const RED_STEPS: [(i32, i32); 3] = [(1, 0), (0, -1), (1, -1)];
const BLUE_STEPS: [(i32, i32); 3] = [(-1, 0), (0, 1), (-1, 1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// E2: the sides are placing their cubes.
    Setup,
    /// The die is due.
    BeforeRoll,
    /// The die shows this face.
    Rolled(u8),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EinStein {
    board: Board,
    red_to_move: bool,
    stage: Stage,
}

impl EinStein {
    /// The letter of a cube: Red 1 to 6 are A to F, Blue 1 to 6 are a to f (N.3).
    fn letter(red: bool, number: u8) -> char {
        let first = if red { b'A' } else { b'a' };
        (first + number - 1) as char
    }

    /// The numbers of a side's living cubes, in order, with their places.
    fn cubes(&self, red: bool) -> Vec<(u8, Point)> {
        let mut cubes = Vec::new();
        for place in self.board.points() {
            let letter = self.board.get(place);
            for number in 1..=6 {
                if letter == EinStein::letter(red, number) {
                    cubes.push((number, place));
                }
            }
        }
        cubes.sort();
        cubes
    }

    /// Where a living cube stands.
    fn place(&self, red: bool, number: u8) -> Point {
        for (other, place) in self.cubes(red) {
            if other == number {
                return place;
            }
        }
        panic!("cube {number} is not alive in {}", self.text());
    }

    fn alive(&self, red: bool) -> Vec<u8> {
        let cubes = self.cubes(red);
        cubes.into_iter().map(|(number, _)| number).collect()
    }

    /// E4: the cubes the mover may choose between.
    fn movable(&self, face: u8) -> Vec<u8> {
        let alive = self.alive(self.red_to_move);
        if alive.contains(&face) {
            return vec![face];
        }
        let mut choice = Vec::new();
        for smaller in (1..face).rev() {
            if alive.contains(&smaller) {
                choice.push(smaller);
                break;
            }
        }
        for larger in face + 1..=6 {
            if alive.contains(&larger) {
                choice.push(larger);
                break;
            }
        }
        choice
    }

    /// E2: the next cube in order, on a free cell of the own zone.
    fn placements(&self) -> Vec<String> {
        let red = self.red_to_move;
        let zone = if red { RED_ZONE } else { BLUE_ZONE };
        let number = self.alive(red).len() + 1;
        let mut plies = Vec::new();
        for cell in zone {
            if self.board.get(point(cell)) == EMPTY {
                plies.push(format!("{}{number}@{cell}", side_letter(red)));
            }
        }
        plies
    }

    /// E3 and E5: one step with one of the movable cubes, whatever stands on the target.
    fn cube_moves(&self, face: u8) -> Vec<String> {
        let red = self.red_to_move;
        let steps = if red { RED_STEPS } else { BLUE_STEPS };
        let mut plies = Vec::new();
        for number in self.movable(face) {
            let from = self.place(red, number);
            for (across, up) in steps {
                if let Some(to) = self.board.beside(from, across, up) {
                    let sign = if self.board.get(to) == EMPTY {
                        '-'
                    } else {
                        'x'
                    };
                    plies.push(format!("{}{number}{sign}{}", side_letter(red), name(to)));
                }
            }
        }
        plies
    }

    fn play_placement(&mut self, number: u8, cell: &str) {
        let red = self.red_to_move;
        self.board.set(point(cell), EinStein::letter(red, number));
        if number == 6 {
            // After Red's six come Blue's six, and then Red rolls.
            self.red_to_move = !red;
            if !red {
                self.stage = Stage::BeforeRoll;
            }
        }
    }

    fn play_step(&mut self, number: u8, cell: &str) {
        let red = self.red_to_move;
        let from = self.place(red, number);
        self.board.set(from, EMPTY);
        self.board.set(point(cell), EinStein::letter(red, number));
        self.red_to_move = !red;
        self.stage = Stage::BeforeRoll;
    }

    fn check_setup(&self) {
        let red = self.alive(true).len();
        let blue = self.alive(false).len();
        let placing = if self.red_to_move { red } else { blue };
        let order_is_right = (self.red_to_move && blue == 0) || (!self.red_to_move && red == 6);
        assert!(
            order_is_right && placing < 6,
            "no set-up in progress: {}",
            self.text()
        );
        for (red, zone) in [(true, RED_ZONE), (false, BLUE_ZONE)] {
            for (index, number) in self.alive(red).into_iter().enumerate() {
                assert_eq!(number as usize, index + 1, "out of order: {}", self.text());
                let cell = name(self.place(red, number));
                assert!(
                    zone.contains(&cell.as_str()),
                    "outside its zone: {}",
                    self.text()
                );
            }
        }
    }
}

fn side_letter(red: bool) -> char {
    if red { 'R' } else { 'B' }
}

impl Twin for EinStein {
    fn parse(text: &str) -> EinStein {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 3, "{text} needs board, side and die");
        let board = Board::parse(fields[0], "ABCDEFabcdef");
        assert_eq!(board.size(), 5, "{text} is not a 5×5 board");
        let red_to_move = match fields[1] {
            "r" => true,
            "b" => false,
            other => panic!("no side {other}"),
        };
        let stage = match fields[2] {
            "setup" => Stage::Setup,
            "-" => Stage::BeforeRoll,
            "1" | "2" | "3" | "4" | "5" | "6" => Stage::Rolled(fields[2].parse().unwrap()),
            other => panic!("no die {other}"),
        };
        let position = EinStein {
            board,
            red_to_move,
            stage,
        };
        for numbers in [position.alive(true), position.alive(false)] {
            let twice = numbers.windows(2).any(|pair| pair[0] == pair[1]);
            assert!(!twice, "a cube stands twice: {text}");
        }
        if stage == Stage::Setup {
            position.check_setup();
        }
        position
    }

    fn text(&self) -> String {
        let side = if self.red_to_move { "r" } else { "b" };
        let die = match self.stage {
            Stage::Setup => "setup".to_string(),
            Stage::BeforeRoll => "-".to_string(),
            Stage::Rolled(face) => face.to_string(),
        };
        format!("{} {side} {die}", self.board.text())
    }

    fn side(&self) -> usize {
        if self.red_to_move { 0 } else { 1 }
    }

    fn rolling(&self) -> bool {
        self.stage == Stage::BeforeRoll && self.result().is_none()
    }

    /// E6, read off the board: only the mover can have come to its goal or taken the last enemy cube.
    fn result(&self) -> Option<End> {
        if self.stage == Stage::Setup {
            return None;
        }
        let on_red_goal = self.board.get(point(RED_GOAL));
        let on_blue_goal = self.board.get(point(BLUE_GOAL));
        if on_red_goal.is_ascii_uppercase() || self.alive(false).is_empty() {
            return Some(End::First);
        }
        if on_blue_goal.is_ascii_lowercase() || self.alive(true).is_empty() {
            return Some(End::Second);
        }
        None
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let mut plies = match self.stage {
            Stage::Setup => self.placements(),
            Stage::BeforeRoll => Vec::new(),
            Stage::Rolled(face) => self.cube_moves(face),
        };
        plies.sort();
        plies
    }

    fn apply(&mut self, ply: &str) {
        // A ply is the side's letter, the number, a sign and a cell: R1@A5, R4-B3, R4xB3.
        let number: u8 = ply[1..2].parse().unwrap();
        let cell = &ply[3..];
        if self.stage == Stage::Setup {
            self.play_placement(number, cell);
        } else {
            self.play_step(number, cell);
        }
    }

    fn roll(&mut self, face: u8) {
        assert!(self.rolling(), "no roll is due in {}", self.text());
        assert!((1..=6).contains(&face), "a die has no face {face}");
        self.stage = Stage::Rolled(face);
    }
}
