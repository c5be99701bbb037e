//! Threats as sets of points, against coordinates and against the listed shapes.

use engine::Game;
use engine::Side;
use engine::bits::Wide;
use engine::games::jiu::{Due, PatternKind, Phase, Spot, Start, Variant};

use super::random_games;

/// Whether a stone that left `from` completes a square on `to`, by coordinates alone.
fn completes(own: Wide, from: Spot, to: Spot) -> bool {
    let stands = |column: i16, row: i16| {
        (0..14).contains(&column) && (0..14).contains(&row) && {
            let at = Spot::new(column as u8, row as u8);
            at == to || (at != from && own.has(at.0))
        }
    };
    let (column, row) = (i16::from(to.column()), i16::from(to.row()));
    let corners = [(0, 0), (-1, 0), (0, -1), (-1, -1)];
    corners.into_iter().any(|(left, down)| {
        let cell = [(0, 0), (1, 0), (0, 1), (1, 1)];
        cell.iter()
            .all(|(x, y)| stands(column + left + x, row + down + y))
    })
}

fn beside(a: Spot, b: Spot) -> bool {
    a.column().abs_diff(b.column()) + a.row().abs_diff(b.row()) == 1
}

#[test]
fn a_gap_has_a_dalian_exactly_if_a_stone_beside_it_makes_a_square_there_and_back() {
    let mut found = 0;
    random_games(&Variant::sized(8), &Start::RandomLayout, 6, |game| {
        for side in Side::BOTH {
            let own = game.stones(side);
            let runs = |gap: &u8| {
                let gap = Spot(*gap);
                own.iter().map(Spot).any(|home| {
                    let mut moved = own;
                    moved.remove(home.0);
                    moved.insert(gap.0);
                    beside(home, gap) && completes(own, home, gap) && completes(moved, gap, home)
                })
            };
            let gaps: Wide = game.vacant().iter().filter(runs).collect();
            found += gaps.count();
            assert_eq!(game.threats(side).dalians, gaps, "{}", game.text());
        }
    });
    assert!(found > 50, "{found}");
}

#[test]
fn threats_are_the_answers_of_the_patterns() {
    let mut looked_at = 0;
    random_games(&Variant::sized(8), &Start::Empty, 6, |game| {
        looked_at += 1;
        if looked_at % 3 != 0 || matches!(game.due(), Due::Drop { .. } | Due::Hop { .. }) {
            return;
        }
        for side in Side::BOTH {
            let patterns = game.patterns(side);
            let answers = |kinds: &[PatternKind]| {
                let of_kind = patterns.iter().filter(|p| kinds.contains(&p.kind));
                of_kind.fold(Wide::EMPTY, |all, pattern| all | pattern.answers)
            };
            let threats = game.threats(side);
            assert_eq!(threats.triangles, answers(&[PatternKind::Triangle]));
            assert_eq!(
                threats.double_dalians,
                answers(&[PatternKind::DoubleDalian])
            );
            let dalians = [PatternKind::SingleDalian, PatternKind::DoubleDalian];
            assert_eq!(threats.dalians, answers(&dalians), "{}", game.text());
            let gates = answers(&[PatternKind::Gate]);
            assert_eq!(threats.gates & gates, threats.gates, "{}", game.text());
            if game.phase() == Phase::Layout || game.flies(side) {
                assert_eq!(threats.gates, gates, "{}", game.text());
            }
        }
    });
}
