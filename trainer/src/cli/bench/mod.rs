//! `bench`: the speed of rules, of self-play, of learning and of the bare evaluators, in one run.

mod evaluation;
mod learning;
mod multiply;

use std::time::{Duration, Instant};

use engine::Outcome;
use engine::draws::{Purpose, keyed};
use engine::search::playout;
use models::Net;
use models::artifact::outcomes;
use serde_json::{Map, Value as Json, json};

use super::BenchArgs;
use crate::config::{self, Config};
use crate::dispatch::Playable;
use crate::machine::Machine;
use crate::selfplay::{self, Acting};
use crate::with_game;
use evaluation::Row;

/// How long each figure is measured.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

pub(super) fn bench(args: BenchArgs) -> anyhow::Result<()> {
    let game = config::game_of(&args.config)?;
    with_game!(game, G => {
        let config = config::load::<G>(&args.config, &[])?;
        let machine = args.machine.open(config.selfplay.evaluator)?;
        let (mut figures, rows) = measure(&config, &machine)?;
        if args.json {
            figures.insert("evaluation".to_string(), json!(rows));
            println!("{}", Json::Object(figures));
            return Ok(());
        }
        println!("{game}, {}, device {}", args.config.display(), machine.choice);
        for (name, value) in &figures {
            println!("{name:<44} {}", shown(value));
        }
        println!();
        evaluation::print(&rows);
        Ok(())
    })
}

fn shown(value: &Json) -> String {
    match value.as_f64() {
        Some(number) if number >= 1000.0 => format!("{number:>14.0}"),
        Some(number) => format!("{number:>14.3}"),
        None => value.to_string(),
    }
}

/// The figures by name, and the table of the evaluators.
fn measure<G: Playable>(
    config: &Config<G>,
    machine: &Machine,
) -> anyhow::Result<(Map<String, Json>, Vec<Row>)> {
    let mut figures = Map::new();
    let mut note = |name: &str, value: f64| {
        eprintln!("{name}: {}", shown(&json!(value)).trim());
        figures.insert(name.to_string(), json!(value));
    };
    note("playouts_a_second_one_thread", playouts_a_second(config)?);
    note(
        "perft_leaf_moves_a_second_one_thread",
        perft_a_second(config),
    );

    let shape = G::shape(&config.game.variant);
    let net = Net::new(
        &config.net,
        shape,
        outcomes::<G>(),
        config.run.seed,
        &machine.device,
    );
    let acting = Acting::new::<G>(net, 0, machine, &config.game);
    let batch = config.selfplay.slots;
    note("selfplay_batch", batch as f64);
    let forward = acting.forward(shape);
    let bare = evaluation::positions_a_second(forward, machine.threads, batch, LONG_ENOUGH);
    note("bare_evaluations_a_second_at_that_batch", bare);

    let mut config = config.clone();
    // Enough for several seconds, and a share for each group.
    let searches =
        f64::from(config.selfplay.full_simulations + config.selfplay.cheap_simulations) / 2.0;
    config.selfplay.positions =
        ((5.0 * bare / searches) as u64).max(config.selfplay.groups as u64 * 8);
    let mut groups = selfplay::groups(&config)?;
    let effort = selfplay::play(&config, &mut groups, &acting, None, machine.threads);
    let games = selfplay::harvest(&mut groups);
    note("selfplay_threads", effort.threads as f64);
    note(
        "selfplay_evaluations_a_second",
        effort.clock.positions as f64 / effort.seconds,
    );
    note("selfplay_known_share", effort.clock.known_share());
    note(
        "selfplay_games_a_second",
        games.len() as f64 / effort.seconds,
    );
    note(
        "selfplay_batch_fill",
        effort.clock.positions as f64 / effort.clock.batches.max(1) as f64 / batch as f64,
    );
    note(
        "selfplay_share_of_time_in_evaluation",
        effort.evaluation_share(),
    );

    note("learning_batch", config.learning.batch as f64);
    match learning::positions_a_second(&config, &games, machine)? {
        Some(rate) => note("learning_positions_a_second", rate),
        None => eprintln!("no game of self-play has ended: no positions to learn from"),
    }

    let [alone, all] = multiply::gflops(LONG_ENOUGH / 2);
    note("multiply_gflops_one_thread", alone);
    note("multiply_gflops_all_threads", all);
    note("operations_a_position", acting.net.operations(shape) as f64);
    let rows = evaluation::table::<G>(&acting.net, &config.game.variant, machine);
    Ok((figures, rows))
}

fn playouts_a_second<G: Playable>(config: &Config<G>) -> anyhow::Result<f64> {
    let mut draws = keyed(config.run.seed, Purpose::Choice, 0, 0);
    let start = G::start(&config.game.variant, &G::Start::default(), &mut draws)?;
    let (mut moves, mut games, mut first) = (Vec::new(), 0_u64, 0_u64);
    let began = Instant::now();
    while began.elapsed() < LONG_ENOUGH {
        for _ in 0..100 {
            let mut game = start.clone();
            let outcome = playout(&mut game, &mut moves, &mut draws);
            first += u64::from(outcome == Outcome::Win(engine::Side::First));
            games += 1;
        }
    }
    std::hint::black_box(first);
    Ok(games as f64 / began.elapsed().as_secs_f64())
}

fn perft_a_second<G: Playable>(config: &Config<G>) -> f64 {
    let start = G::perft_start(&config.game.variant);
    let mut depth = 1;
    loop {
        let began = Instant::now();
        let nodes = start.perft(depth);
        let seconds = began.elapsed().as_secs_f64();
        if seconds > 0.3 || depth == 12 {
            return nodes as f64 / seconds;
        }
        depth += 1;
    }
}
