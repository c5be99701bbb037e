//! `patterns`: the shapes of stones in a position of Jiu.

use engine::bits::Wide;
use engine::games::jiu::{Jiu, Pattern, PatternKind, Spot, Variant};
use engine::{Game, Side};
use serde_json::json;

use super::PatternsArgs;

pub(super) fn patterns(args: &PatternsArgs) -> anyhow::Result<()> {
    let game: Jiu = super::inspect::position(&args.position, &Variant::default())?;
    let found = Side::BOTH.into_iter().flat_map(|side| {
        let patterns = game.patterns(side).into_iter();
        patterns.map(move |pattern| (side, pattern))
    });
    if args.json {
        let entries: Vec<_> = found
            .map(|(side, pattern)| {
                json!({
                    "kind": kind(pattern.kind),
                    "side": letter(side),
                    "points": names(pattern.stones),
                    "answers": names(pattern.answers),
                })
            })
            .collect();
        println!("{}", json!({"patterns": entries}));
        return Ok(());
    }
    print!("{}", game.draw());
    for (side, pattern) in found {
        println!("{}", line(side, &pattern));
    }
    Ok(())
}

fn line(side: Side, pattern: &Pattern) -> String {
    let colour = match side {
        Side::First => "White",
        Side::Second => "Black",
    };
    format!(
        "{colour}: {} {}, answered on {}",
        kind(pattern.kind).replace('-', " "),
        names(pattern.stones).join(" "),
        names(pattern.answers).join(" ")
    )
}

fn kind(kind: PatternKind) -> &'static str {
    match kind {
        PatternKind::Triangle => "triangle",
        PatternKind::Gate => "gate",
        PatternKind::Trinity => "trinity",
        PatternKind::Twain => "twain",
        PatternKind::Diagonal => "diagonal",
        PatternKind::SingleDalian => "single-dalian",
        PatternKind::DoubleDalian => "double-dalian",
    }
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "w",
        Side::Second => "b",
    }
}

/// The names of points by column, then by row, as the removals of a turn are sorted.
fn names(points: Wide) -> Vec<String> {
    let mut spots: Vec<_> = points.iter().map(Spot).collect();
    spots.sort_by_key(|spot| (spot.column(), spot.row()));
    spots.into_iter().map(Spot::name).collect()
}
