//! The report as one page that needs nothing else: curve, standings, cross table, openings.

use super::report::Report;
use super::tables::rating;

/// Openings that the page lists; `ladder.json` has all.
const OPENINGS: usize = 100;

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #bbb;padding:.2em .6em;text-align:left}\
svg{max-width:100%}code{font-size:90%}";

pub(super) fn page(report: &Report) -> String {
    let title = format!("Ladder of {}", report.game);
    let games = format!(
        "{} of {} planned games",
        report.standings.games, report.planned
    );
    let remarks: String = report
        .remarks()
        .iter()
        .map(|remark| format!("<p>{}</p>", escape(remark)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{games}, seed {}.</p>\n{}{}{remarks}{}{}</html>\n",
        report.seed,
        curve(report),
        standings(report),
        cross_table(report),
        openings(report),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn rows(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let heads: String = heads
        .iter()
        .map(|head| format!("<th>{}</th>", escape(head)))
        .collect();
    let rows: String = rows
        .map(|row| {
            let cells: String = row
                .iter()
                .map(|cell| format!("<td>{}</td>", escape(cell)))
                .collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    format!("<table><tr>{heads}</tr>\n{rows}</table>\n")
}

fn standings(report: &Report) -> String {
    let lines = report.standings.players.iter().map(|line| {
        let interval = match line.interval {
            [Some(low), Some(high)] => format!("{low:+.0} to {high:+.0}"),
            _ => "–".into(),
        };
        let games = format!("{} ({} distinct)", line.games, line.distinct_games);
        let results = format!("{}-{}-{}", line.wins, line.draws, line.losses);
        let next = line.against_next.unwrap_or_default().to_string();
        vec![
            line.player.clone(),
            rating(line),
            interval,
            line.anchor.clone(),
            games,
            results,
            next,
        ]
    });
    let heads = [
        "player",
        "Elo",
        "95 % interval",
        "above",
        "games",
        "W-D-L",
        "than the next",
    ];
    format!("<h2>Standings</h2>\n{}", rows(&heads, lines))
}

/// Each row's score against each column's player.
fn cross_table(report: &Report) -> String {
    let names: Vec<_> = report
        .standings
        .players
        .iter()
        .map(|line| line.player.as_str())
        .collect();
    let cell = |row: &str, column: &str| {
        report.standings.couples.iter().find_map(|couple| {
            let [low, high] = couple.interval;
            let text = |score: f64, low: f64, high: f64| {
                format!(
                    "{:.1} % ({:.0}–{:.0})",
                    100.0 * score,
                    100.0 * low,
                    100.0 * high
                )
            };
            match (
                couple.a == row && couple.b == column,
                couple.b == row && couple.a == column,
            ) {
                (true, _) => Some(text(couple.score, low, high)),
                (_, true) => Some(text(1.0 - couple.score, 1.0 - high, 1.0 - low)),
                _ => None,
            }
        })
    };
    let lines = names.iter().map(|row| {
        let cells = names
            .iter()
            .map(|column| cell(row, column).unwrap_or_default());
        std::iter::once(row.to_string()).chain(cells).collect()
    });
    let heads: Vec<_> = std::iter::once("score of")
        .chain(names.iter().copied())
        .collect();
    format!(
        "<h2>Cross table, with 95 % intervals</h2>\n{}",
        rows(&heads, lines)
    )
}

fn openings(report: &Report) -> String {
    let lines = report.openings.iter().take(OPENINGS).map(|opening| {
        let numbers = [
            opening.games,
            opening.first_wins,
            opening.draws,
            opening.second_wins,
        ];
        let numbers = numbers.map(|number| number.to_string());
        std::iter::once(opening.opening.clone())
            .chain(numbers)
            .collect()
    });
    let heads = [
        "opening",
        "games",
        "first side wins",
        "draws",
        "second side wins",
    ];
    let more = report.openings.len().saturating_sub(OPENINGS);
    let more = if more > 0 {
        format!("<p>and {more} more</p>")
    } else {
        String::new()
    };
    format!("<h2>Results by opening</h2>\n{}{more}", rows(&heads, lines))
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 50.0;

/// Ratings of nets over their learning steps, with intervals.
fn curve(report: &Report) -> String {
    let points: Vec<_> = report
        .players
        .iter()
        .filter_map(|player| {
            let line = report
                .standings
                .players
                .iter()
                .find(|line| line.player == player.name)?;
            let [low, high] = line.interval;
            Some((player.step? as f64, line.rating?, low?, high?, &line.anchor))
        })
        .collect();
    let Some(&(.., anchor)) = points.first() else {
        return String::new();
    };
    let same_zero: Vec<_> = points.iter().filter(|point| point.4 == anchor).collect();
    let reach = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let (left, right) = reach(&mut same_zero.iter().map(|point| point.0));
    let (low, high) = reach(&mut same_zero.iter().flat_map(|point| [point.2, point.3]));
    let x = |step: f64| MARGIN + (step - left) / (right - left).max(1.0) * (WIDTH - 2.0 * MARGIN);
    let y =
        |elo: f64| HEIGHT - MARGIN - (elo - low) / (high - low).max(1.0) * (HEIGHT - 2.0 * MARGIN);
    let mut sorted = same_zero;
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut drawn = String::new();
    let line: Vec<_> = sorted
        .iter()
        .map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1)))
        .collect();
    drawn += &format!(
        "<polyline fill=\"none\" stroke=\"#36c\" points=\"{}\"/>",
        line.join(" ")
    );
    for &&(step, elo, low, high, _) in &sorted {
        let at = x(step);
        drawn += &format!(
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999\"/>\
             <circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#36c\"><title>step {step}: {elo:+.0} \
             ({low:+.0} to {high:+.0})</title></circle>",
            y(low),
            y(high),
            y(elo)
        );
    }
    let words = [
        (MARGIN, HEIGHT - 15.0, format!("step {left:.0}")),
        (
            WIDTH - 2.0 * MARGIN,
            HEIGHT - 15.0,
            format!("step {right:.0}"),
        ),
        (2.0, y(high) + 5.0, format!("{high:+.0}")),
        (2.0, y(low) + 5.0, format!("{low:+.0}")),
    ];
    for (x, y, word) in words {
        drawn += &format!("<text x=\"{x:.0}\" y=\"{y:.0}\" font-size=\"13\">{word}</text>");
    }
    format!(
        "<h2>Rating over learning steps</h2><p>Elo above {}, bars: 95 % intervals</p>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" xmlns=\"http://www.w3.org/2000/svg\">{drawn}</svg>\n",
        escape(anchor)
    )
}
