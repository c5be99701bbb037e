//! The board with its eight arcs, drawn for a terminal.

use super::board::{SIZE, Square};
use super::state::Surakarta;
use super::text::letter;
use crate::game::{Outcome, Side, Status};

/// The frame of the eight arcs, from the top: what stands left and right of each row of points.
const ROWS: [(&str, &str); SIZE as usize] = [
    (" │ │  ", "  │ │"),
    (" │ ╰──", "──╯ │"),
    (" ╰────", "────╯"),
    (" ╭────", "────╮"),
    (" │ ╭──", "──╮ │"),
    (" │ │  ", "  │ │"),
];

pub(super) fn draw(position: &Surakarta) -> String {
    let mut lines = vec![
        " ╭─────────╮ ╭─────────╮".to_owned(),
        " │ ╭─────╮ │ │ ╭─────╮ │".to_owned(),
    ];
    for ((left, right), row) in ROWS.into_iter().zip((0..SIZE).rev()) {
        let mut points = String::new();
        for column in 0..SIZE {
            let stone = position.stone(Square::new(column, row));
            points.push(' ');
            points.push(stone.map_or('.', letter));
        }
        lines.push(format!("{left}{points} {right}  {}", row + 1));
    }
    lines.push(" │ ╰─────╯ │ │ ╰─────╯ │".to_owned());
    lines.push(" ╰─────────╯ ╰─────────╯".to_owned());
    lines.push("       A B C D E F".to_owned());
    lines.push(caption(position));
    lines.join("\n") + "\n"
}

fn caption(position: &Surakarta) -> String {
    let stones = format!(
        "r {}, b {}",
        position.count(Side::First),
        position.count(Side::Second)
    );
    match position.status {
        Status::Over(Outcome::Win(side)) => format!("{} has won; {stones}", letter(side)),
        Status::Over(_) => format!("drawn; {stones}"),
        _ => format!(
            "{} to move; {stones}; {} of {} plies without a capture",
            letter(position.mover),
            position.quiet,
            position.variant.quiet_limit
        ),
    }
}
