//! `ladder` from a configuration, `rate`, and `book`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use models::Kernel;
use serde_json::json;

use super::{GameArgs, MachineArgs, StageArgs, WrongUse};
use crate::book::Book;
use crate::config;
use crate::dispatch::Playable;
use crate::interrupt;
use crate::ladder::{self, config::LadderConfig};
use crate::matches::{PlayerSpec, Seat};
use crate::with_game;

#[derive(Debug, Args)]
pub(super) struct RateArgs {
    /// A file of result lines, such as runs/NAME/results.jsonl
    file: PathBuf,
    /// The player at 0 Elo [default: the one with the most games]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// Do not fail where lines were left out: other weights under one name, other rules, duplicates
    #[arg(long)]
    leave_out: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Random plies of each opening
    #[arg(long, value_name = "K")]
    plies: u32,
    /// Openings
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    openings: u32,
    /// How far from 0 an opening's value may lie, from 0 to 1
    #[arg(long, value_name = "V", default_value_t = 0.2)]
    within: f64,
    /// The player that judges the openings
    #[arg(long, value_name = "SPEC", default_value = "rollout:sims=400")]
    judge: PlayerSpec,
    /// Everything random follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The book's file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
}

pub(super) fn play(args: StageArgs) -> anyhow::Result<()> {
    if args.config.is_some() {
        bail!(WrongUse(
            "--config goes with the folder of a run; a ladder's own file is the argument".into()
        ));
    }
    let game = config::game_of(&args.run)?;
    with_game!(game, G => {
        let config = LadderConfig::<G>::load(&args.run, &args.options.set)?;
        let machine = args.options.machine.open(Kernel::default())?;
        let stem = args.run.file_stem().map_or("ladder".into(), |stem| stem.to_string_lossy());
        let folder = PathBuf::from("runs").join(format!("{game}-{stem}"));
        let ladder = config.open(args.out.unwrap_or(folder), &machine)?;
        interrupt::save_first();
        eprintln!("{game} on {}, {} threads, in {}", machine.choice, machine.threads, ladder.folder.display());
        show(&ladder.play()?);
        Ok(())
    })
}

/// Prints a ladder's standings, and how busy the networks were.
pub(super) fn show(report: &ladder::Report) {
    print!("{}", ladder::table(&report.standings, &report.remarks()));
    if report.evaluations_a_second > 0.0 {
        eprintln!(
            "share of time in evaluation {:.3}, {:.0} evaluations a second",
            report.evaluation_share, report.evaluations_a_second
        );
    }
}

pub(super) fn rate(args: &RateArgs) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(&args.file)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let (collection, standings) = ladder::rate(&text, args.anchor.as_deref());
    if let Some(anchor) = &args.anchor
        && !standings.players.iter().any(|line| line.player == *anchor)
    {
        bail!(WrongUse(format!(
            "--anchor {anchor}: no rated game has such a player"
        )));
    }
    if args.json {
        println!(
            "{}",
            json!({"standings": standings, "left_out": collection.left_out})
        );
    } else {
        print!(
            "{}",
            ladder::table(&standings, &ladder::remarks(&standings))
        );
        for left in &collection.left_out {
            println!("left out: line {}: {}", left.line, left.why);
        }
    }
    let left_out = collection.left_out.len();
    if collection.lines.is_empty() {
        bail!("{} holds no game that can be rated", args.file.display());
    }
    if left_out > 0 && !args.leave_out {
        bail!(
            "{} is a mixture: {left_out} of {} lines were left out, as listed; --leave-out accepts that",
            args.file.display(),
            left_out + collection.lines.len()
        );
    }
    Ok(())
}

pub(super) fn book(args: &BookArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => book_of::<G>(args))
}

fn book_of<G: Playable>(args: &BookArgs) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&args.within) {
        bail!(WrongUse(format!(
            "--within {}: a value from 0 to 1",
            args.within
        )));
    }
    let variant = super::inspect::variant::<G>(&args.game)?;
    let machine = args.machine.open(Kernel::default())?;
    let judge = Seat::load::<G>(&args.judge, &variant, &machine)?;
    let book = Book::make::<G>(
        &variant,
        args.plies,
        args.seed,
        &judge,
        args.within,
        args.openings as usize,
    )?;
    if book.openings.is_empty() {
        bail!(
            "no opening of {} plies is worth {} or less",
            args.plies,
            args.within
        );
    }
    models::frame::write_whole(&args.out, serde_json::to_string_pretty(&book)?.as_bytes())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    eprintln!(
        "{}: {} of {} openings",
        args.out.display(),
        book.openings.len(),
        args.openings
    );
    Ok(())
}
