//! Looking at things: perft, analysis, records, the build, configurations.

use std::path::{Path, PathBuf};

use anyhow::bail;
use engine::draws::{Purpose, keyed};
use engine::{Game, Side, Status};
use models::Kernel;
use models::device::GpuBackend;
use models::export::onnx;
use serde_json::{Value as Json, json};

use super::{AnalyzeArgs, DoctorArgs, GameArgs, PerftArgs, ReplayArgs, WrongUse};
use crate::config;
use crate::dispatch::{GameId, Playable};
use crate::matches::{Course, Seat};
use crate::record::{RECORDS, RecordFile};
use crate::{with_game, workers};

/// The variant that the options of a command stand for.
pub(super) fn variant<G: Game>(args: &GameArgs) -> anyhow::Result<G::Variant> {
    let Some(size) = args.size else {
        return Ok(G::Variant::default());
    };
    let wrong = |reason: String| WrongUse(format!("--size {size}: {reason}"));
    let mut variant = serde_json::to_value(G::Variant::default())?;
    match variant.get_mut("size") {
        Some(known) => *known = json!(size),
        None => bail!(wrong(format!("the board of {} has one size only", G::NAME))),
    }
    let variant = serde_json::from_value(variant).map_err(|error| wrong(error.to_string()))?;
    let start = G::start(
        &variant,
        &G::Start::default(),
        &mut keyed(0, Purpose::Start, 0, 0),
    );
    start.map_err(|error| wrong(error.message))?;
    Ok(variant)
}

pub(super) fn position<G: Game>(text: &str, variant: &G::Variant) -> anyhow::Result<G> {
    G::parse(text, variant).map_err(|error| WrongUse(format!("position '{text}': {error}")).into())
}

pub(super) fn perft(args: PerftArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => perft_of::<G>(&args))
}

fn perft_of<G: Playable>(args: &PerftArgs) -> anyhow::Result<()> {
    let variant = variant::<G>(&args.game)?;
    let start = match &args.position {
        Some(text) => position(text, &variant)?,
        None => G::perft_start(&variant),
    };
    let began = std::time::Instant::now();
    let (nodes, divided) = if args.divide && args.depth > 0 {
        let divided = start.divide(args.depth);
        (divided.iter().map(|(_, nodes)| nodes).sum(), divided)
    } else {
        (start.perft(args.depth), Vec::new())
    };
    let seconds = began.elapsed().as_secs_f64();
    if args.json {
        let mut document = json!({"nodes": nodes});
        if args.divide {
            let divided = divided.into_iter().map(|(mv, nodes)| (mv, json!(nodes)));
            document["divide"] = Json::Object(divided.collect());
        }
        println!("{document}");
        return Ok(());
    }
    for (mv, nodes) in divided {
        println!("{mv}: {nodes}");
    }
    println!("{nodes}");
    eprintln!(
        "{seconds:.3} s, {:.1} million paths a second",
        nodes as f64 / seconds / 1e6
    );
    Ok(())
}

pub(super) fn analyze(args: AnalyzeArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => analyze_game::<G>(&args))
}

fn analyze_game<G: Playable>(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let variant = variant::<G>(&args.game)?;
    let game: G = position(&args.position, &variant)?;
    let Status::ToMove(side) = game.status() else {
        bail!(WrongUse(format!(
            "no side is to move in '{}'",
            args.position
        )));
    };
    let machine = args.machine.open(Kernel::default())?;
    let seat = Seat::load::<G>(&args.player, game.variant(), &machine)?;
    let course = Course::from(&game, args.seed);
    let draws = keyed(args.seed, Purpose::Choice, 0, 0);
    let found = workers::alone(|| seat.player::<G>().verdict(&game, &course, draws));
    let verdict = found.map_err(|fault| anyhow::anyhow!("{} {fault}", args.player))?;
    let mut found = verdict.moves;
    found.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.share.total_cmp(&a.share)));
    let value = verdict.value.seen_by(side);
    let nodes: u64 = found.iter().map(|found| u64::from(found.visits)).sum();
    if args.json {
        let moves: Vec<_> = found
            .iter()
            .map(|found| {
                json!({
                    "move": game.move_text(found.mv),
                    "described": game.describe_move(found.mv),
                    "visits": found.visits,
                    "share": found.share,
                    "prior": found.prior,
                    "value": found.value.map(|value| value.seen_by(side)),
                })
            })
            .collect();
        let best = game.move_text(verdict.best);
        let mut document =
            json!({"best": best, "value": value, "proven": verdict.proven, "moves": moves});
        if let Some(depth) = verdict.depth {
            document["depth"] = json!(depth);
            document["nodes"] = json!(nodes);
        }
        println!("{document}");
        return Ok(());
    }
    print!("{}", game.draw());
    let proven = if verdict.proven { " (proven)" } else { "" };
    println!(
        "best {}, value {value:+.3}{proven} for the side to move",
        game.describe_move(verdict.best)
    );
    if let Some(depth) = verdict.depth {
        println!("depth {depth} plies, {nodes} nodes");
    }
    let described = found.iter().map(|found| game.describe_move(found.mv));
    let width = described.map(|text| text.len()).max().unwrap_or(0).max(12);
    println!(
        "{:<width$} {:>7} {:>7} {:>7} {:>7}",
        "move", "visits", "share", "prior", "value"
    );
    for found in found {
        let value = found.value.map_or("-".to_string(), |value| {
            format!("{:+.3}", value.seen_by(side))
        });
        println!(
            "{:<width$} {:>7} {:>6.1}% {:>6.1}% {:>7}",
            game.describe_move(found.mv),
            found.visits,
            100.0 * found.share,
            100.0 * found.prior,
            value
        );
    }
    Ok(())
}

pub(super) fn replay(args: ReplayArgs) -> anyhow::Result<()> {
    let file: RecordFile = RECORDS.read(&args.file)?;
    let game: GameId = file
        .game
        .parse()
        .map_err(|error| anyhow::anyhow!("{}: {error}", args.file.display()))?;
    with_game!(game, G => replay_file::<G>(&args.file, args.json))
}

fn replay_file<G: Playable>(path: &Path, as_json: bool) -> anyhow::Result<()> {
    let (file, variant) = RecordFile::read::<G>(path)?;
    let (mut plies, mut searched) = (0_u64, 0_u64);
    let mut results = [0_u64; 4];
    for game in &file.games {
        game.replay::<G>(&variant, |_, _, ply| {
            plies += 1;
            searched += u64::from(ply.search.is_some());
        })
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        let place = match game.end.and_then(|end| end.value()) {
            Some(value) if value.seen_by(Side::First) > 0.0 => 0,
            Some(value) if value.seen_by(Side::Second) > 0.0 => 1,
            Some(_) => 2,
            None => 3,
        };
        results[place] += 1;
    }
    let [first, second, draws, truncated] = results;
    if as_json {
        println!(
            "{}",
            json!({
                "game": G::NAME, "games": file.games.len(), "plies": plies, "searched": searched,
                "first_wins": first, "second_wins": second, "draws": draws, "truncated": truncated,
                "seed": file.seed, "rules": file.rules, "encoding": file.encoding,
            })
        );
    } else {
        println!(
            "{}: {} games of {} play through, {plies} plies, {searched} searched",
            path.display(),
            file.games.len(),
            G::NAME
        );
        println!("first side wins {first}, second {second}, draws {draws}, truncated {truncated}");
    }
    Ok(())
}

pub(super) fn doctor(args: DoctorArgs) -> anyhow::Result<()> {
    let backends: Vec<_> = GpuBackend::ALL
        .into_iter()
        .map(|backend| {
            match (
                backend.is_built(),
                backend.is_built().then(|| backend.devices()),
            ) {
                (_, Some(Ok(devices))) => {
                    (backend, true, format!("{} devices found", devices.len()))
                }
                (_, Some(Err(reason))) => (backend, true, format!("no usable driver: {reason}")),
                _ => (
                    backend,
                    false,
                    format!("not in this build; build with --features {backend}"),
                ),
            }
        })
        .collect();
    if args.json {
        let backends: serde_json::Map<_, _> = backends
            .into_iter()
            .map(|(backend, built, found)| {
                (backend.to_string(), json!({"built": built, "found": found}))
            })
            .collect();
        let document = json!({
            "version": env!("CARGO_PKG_VERSION"), "revision": env!("TRIBORD_REVISION"),
            "threads": workers::available(), "devices": {"cpu": {"built": true, "found": "always"}}, "gpu": backends,
            "onnx": onnx::runtime::NAME,
            "games": GameId::ALL.map(GameId::name),
        });
        println!("{document}");
        return Ok(());
    }
    println!(
        "tribord {} ({})",
        env!("CARGO_PKG_VERSION"),
        env!("TRIBORD_REVISION")
    );
    println!("games: {}", GameId::ALL.map(GameId::name).join(", "));
    println!("cpu: {} threads, burn's flex backend", workers::available());
    for (backend, _, found) in backends {
        println!("{backend}: {found}");
    }
    let runtime = onnx::runtime::NAME;
    println!(
        "onnx: {}",
        runtime.unwrap_or("not in this build; build with --features onnx")
    );
    Ok(())
}

pub(super) fn check_config(files: &[PathBuf]) -> anyhow::Result<()> {
    let mut faulty = Vec::new();
    for file in files {
        match config::check_file(file) {
            Ok(game) => println!("{}: ok, {game}", file.display()),
            Err(error) => faulty.push(error.to_string()),
        }
    }
    if faulty.is_empty() {
        return Ok(());
    }
    bail!(WrongUse(faulty.join("\n")))
}
