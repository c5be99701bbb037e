//! `match --format contest`: contest matches of EinStein, with clocks and records.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use engine::games::einstein::{Einstein, Rules};
use models::Kernel;
use serde_json::json;

use super::{MatchArgs, WrongUse};
use crate::dispatch::GameId;
use crate::matches::{Contest, ContestMatch, Reason, Seat};
use crate::rating::mean_interval;

/// Seconds that a side has for a game where nothing else is said.
const CLOCK: f64 = 240.0;

pub(super) fn play(args: &MatchArgs) -> anyhow::Result<()> {
    if args.game.game != GameId::Einstein {
        bail!(WrongUse(format!(
            "--format contest: the contest match is one of einstein only, not of {}",
            args.game.game
        )));
    }
    if args.tables.is_some() || args.luck_net.is_some() || args.opening_plies > 0 {
        bail!(WrongUse(
            "--tables, --luck-net and --opening-plies go with --format games".into()
        ));
    }
    let seconds = args.clock.unwrap_or(CLOCK);
    let clock = Duration::try_from_secs_f64(seconds)
        .map_err(|_| WrongUse(format!("--clock {seconds}: a number of seconds from 0")))?;
    if let Some(folder) = &args.records {
        expect_no_records(folder)?;
    }
    let machine = args.machine.open(Kernel::default())?;
    let seats = [&args.a, &args.b].map(|spec| Seat::load::<Einstein>(spec, &Rules {}, &machine));
    let [a, b] = seats.map(|seat| seat.map_err(anyhow::Error::from));
    let (a, b): (Seat, Seat) = (a?, b?);
    let began = Instant::now();
    let contest = Contest {
        seats: [&a, &b],
        seed: args.seed,
        clock,
        now: &|| began.elapsed(),
    };
    let mut matches = Vec::new();
    for number in 0..args.games.unwrap_or(1) {
        let played = contest.play(number);
        if let Some(folder) = &args.records {
            write_records(args, folder, number, &played)?;
        }
        if !args.json {
            print_match(number, &played);
        }
        matches.push(played);
    }
    report(args, clock, &matches)
}

fn report(args: &MatchArgs, clock: Duration, matches: &[ContestMatch]) -> anyhow::Result<()> {
    let points: Vec<_> = matches
        .iter()
        .map(|played| f64::from(u8::from(played.winner == "a")))
        .collect();
    let wins = points.iter().sum::<f64>();
    let score = wins / points.len().max(1) as f64;
    let interval = mean_interval(&points);
    if args.json {
        println!(
            "{}",
            json!({
                "game": "einstein",
                "format": "contest",
                "a": args.a.to_string(),
                "b": args.b.to_string(),
                "seed": args.seed,
                "clock": clock.as_secs_f64(),
                "match_wins": [wins as u64, points.len() as u64 - wins as u64],
                "score": score,
                "interval": interval,
                "matches": matches,
            })
        );
        return Ok(());
    }
    println!(
        "A ({}) wins {wins} of {} matches: {:.1} %, 95 % interval {:.1} % to {:.1} %",
        args.a,
        points.len(),
        100.0 * score,
        100.0 * interval[0],
        100.0 * interval[1]
    );
    Ok(())
}

fn print_match(number: u64, played: &ContestMatch) {
    println!(
        "match {}: {} wins {}:{}",
        number + 1,
        played.winner.to_uppercase(),
        played.score[0],
        played.score[1]
    );
    for (number, game) in (1..).zip(&played.games) {
        let reason = match game.reason {
            Reason::Goal => "reaches its goal",
            Reason::Annihilation => "takes the last cube",
            Reason::Time => "has time left, the other side has none",
            Reason::Crash => "goes on, the other side has crashed",
            Reason::Hang => "goes on, the other side gave no answer",
            Reason::Illegal => "goes on, the other side played illegally",
        };
        println!(
            "  game {number}: {} moves first, {} {reason} after {} plies; A {:.1} s, B {:.1} s",
            game.first.to_uppercase(),
            game.winner.to_uppercase(),
            game.plies,
            game.seconds[0],
            game.seconds[1]
        );
    }
}

/// Games that have been played are not written over.
fn expect_no_records(folder: &Path) -> anyhow::Result<()> {
    let Ok(files) = folder.read_dir() else {
        return Ok(());
    };
    for file in files {
        let file = file.with_context(|| format!("cannot read {}", folder.display()))?;
        let name = file.file_name();
        if name.to_string_lossy().starts_with("match-") {
            bail!(WrongUse(format!(
                "--records {}: there are records of earlier matches in it; take another folder",
                folder.display()
            )));
        }
    }
    Ok(())
}

fn write_records(
    args: &MatchArgs,
    folder: &Path,
    number: u64,
    played: &ContestMatch,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let names = [args.a.to_string(), args.b.to_string()];
    let (year, month, day) = today();
    for (at, game) in (1..).zip(&played.games) {
        let place = format!("{year}.{month:02}.{day:02} tribord");
        let event = format!("{year} match {} game {at}, seed {}", number + 1, args.seed);
        let path = folder.join(format!("match-{:03}-game-{at}.txt", number + 1));
        match game.record([&names[0], &names[1]], &place, &event) {
            Some(record) => models::frame::write_whole(&path, record.write().as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?,
            None => eprintln!(
                "match {}, game {at}: no record, time ran out before both sides stood",
                number + 1
            ),
        }
    }
    Ok(())
}

/// Year, month and day in UTC.
fn today() -> (i64, i64, i64) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = now.map_or(0, |time| time.as_secs() / 86_400) as i64;
    // Howard Hinnant, "chrono-compatible low-level date algorithms": years that begin in March, in eras
    // of 400 years, from 0000-03-01.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let civil = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(civil <= 2), civil, date)
}
