//! `tables`, `value` and `regret`: exact values of EinStein.

use std::time::Instant;

use anyhow::{Context, bail};
use engine::games::einstein::{Einstein, Rules};
use engine::{Game, Status};
use models::Kernel;
use serde_json::json;

use super::inspect::position;
use super::{RegretArgs, TablesArgs, ValueArgs, WrongUse};
use crate::dispatch::GameId;
use crate::interrupt;
use crate::matches::Seat;
use crate::truth::{self, TABLE, Truth};
use crate::workers;

fn expect_einstein(game: GameId) -> anyhow::Result<()> {
    match game {
        GameId::Einstein => Ok(()),
        _ => bail!(WrongUse(format!(
            "there are exact values of {} only, not of {game}",
            Einstein::NAME
        ))),
    }
}

pub(super) fn tables(args: TablesArgs) -> anyhow::Result<()> {
    expect_einstein(args.game)?;
    let file = args.out.unwrap_or_else(|| truth::default_path(args.stones));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let began = Instant::now();
    let threads = args.threads.map_or_else(workers::available, usize::from);
    let build = truth::compute(args.stones, threads)?;
    interrupt::save_first();
    TABLE.write_pieces(&file, build.pieces())?;
    let seconds = began.elapsed().as_secs_f64();
    let (_, entries) = build.progress();
    let bytes = std::fs::metadata(&file)
        .with_context(|| file.display().to_string())?
        .len();
    if args.json {
        println!(
            "{}",
            json!({
                "file": file, "stones": args.stones, "entries": entries, "bytes": bytes, "seconds": seconds,
            })
        );
    } else {
        println!(
            "{}: exact values of all positions with at most {} cubes, {entries} entries, {bytes} bytes, {seconds:.1} s",
            file.display(),
            args.stones
        );
    }
    Ok(())
}

pub(super) fn value(args: ValueArgs) -> anyhow::Result<()> {
    expect_einstein(args.game)?;
    let game: Einstein = position(&args.position, &Rules {})?;
    let truth = match &args.tables {
        Some(path) => Truth::open(path, args.bound)?,
        None => Truth::without_table(args.bound),
    };
    if matches!(game.status(), Status::ToMove(_)) && game.die().is_none() {
        bail!(
            "'{}': while cubes are placed a position has no exact value",
            args.position
        );
    }
    let Some(value) = truth.exact.value(&game) else {
        let covered = match truth.stones() {
            0 => String::new(),
            stones => format!(" beyond the table of {stones} cubes"),
        };
        bail!(
            "'{}': more than {} positions can arise{covered}, the bound on work; use --tables with a larger table \
             (`tribord tables einstein --stones N --out FILE`) or a larger --bound",
            args.position,
            args.bound
        );
    };
    if args.json {
        println!("{}", json!({"value": value}));
    } else {
        println!(
            "value {value:+.9} for the side to move: it wins with probability {:.9}",
            (value + 1.0) / 2.0
        );
    }
    Ok(())
}

pub(super) fn regret(args: RegretArgs) -> anyhow::Result<()> {
    expect_einstein(args.game)?;
    args.player.knows::<Einstein>()?;
    let machine = args.machine.open(Kernel::default())?;
    let truth = Truth::open_or_build(args.tables.as_deref(), machine.threads)?;
    let seat = Seat::load::<Einstein>(&args.player, &Rules {}, &machine)?;
    let positions = truth::public_set(args.positions as usize, truth.stones());
    let found = truth::measure(&seat, &truth, &positions, args.seed, machine.threads)?;
    if args.json {
        let mut document = serde_json::to_value(&found)?;
        document["game"] = json!(Einstein::NAME);
        document["player"] = json!(args.player.to_string());
        document["stones"] = json!(truth.stones());
        document["seed"] = json!(args.seed);
        println!("{document}");
        return Ok(());
    }
    println!("{}: winning probability lost a move", args.player);
    println!(
        "{:<6} {:>9} {:>9} {:>21} {:>22}",
        "cubes", "positions", "regret", "95 % interval", "net's value is off by"
    );
    let rows = found
        .by_cubes
        .iter()
        .map(|row| (row.cubes.to_string(), &row.loss));
    for (cubes, loss) in rows.chain([("all".to_string(), &found.all)]) {
        let error = loss
            .value_error
            .map_or("-".to_string(), |error| format!("{error:.4}"));
        println!(
            "{cubes:<6} {:>9} {:>9.5} {:>10.5} – {:>8.5} {error:>22}",
            loss.positions, loss.regret, loss.interval[0], loss.interval[1]
        );
    }
    Ok(())
}
