//! `bench`: the speed of rules, of the bare evaluator and of self-play, in one run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Outcome;
use engine::draws::{Purpose, keyed};
use engine::search::playout;
use models::artifact::outcomes;
use models::{Forward, Kernel, Net, NetEvaluator};
use serde_json::{Value as Json, json};

use super::BenchArgs;
use crate::config::{self, Config};
use crate::dispatch::Playable;
use crate::machine::Machine;
use crate::selfplay::{self, Acting};
use crate::{with_game, workers};

/// How long each figure is measured.
const LONG_ENOUGH: Duration = Duration::from_secs(3);

pub(super) fn bench(args: BenchArgs) -> anyhow::Result<()> {
    let game = config::game_of(&args.config)?;
    with_game!(game, G => {
        let config = config::load::<G>(&args.config, &[])?;
        let machine = args.machine.open(config.selfplay.evaluator)?;
        let figures = measure(&config, &machine)?;
        if args.json {
            println!("{figures}");
            return Ok(());
        }
        println!("{game}, {}, device {}", args.config.display(), machine.choice);
        for (name, value) in figures.as_object().into_iter().flatten() {
            println!("{name:<44} {}", shown(value));
        }
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

fn measure<G: Playable>(config: &Config<G>, machine: &Machine) -> anyhow::Result<Json> {
    let mut figures = serde_json::Map::new();
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
    let acting = Acting::new::<G>(net, 0, machine, &config.game.variant);
    let batch = config.selfplay.slots;
    let bare = bare_evaluations_a_second(&acting.forward, machine.threads, batch);
    note("selfplay_batch", batch as f64);
    note("bare_evaluations_a_second_at_that_batch", bare);
    if machine.choice.is_cpu() {
        let burn = Machine {
            kernel: Kernel::Burn,
            ..machine.clone()
        };
        let burn = burn.forward::<G>(&acting.net, &config.game.variant);
        let burn = bare_evaluations_a_second(&burn, machine.threads, batch);
        note("the_same_through_burn", burn);
    }

    let mut config = config.clone();
    // Enough for several seconds, and a share for each group.
    let searches =
        f64::from(config.selfplay.full_simulations + config.selfplay.cheap_simulations) / 2.0;
    config.selfplay.positions =
        ((5.0 * bare / searches) as u64).max(config.selfplay.groups as u64 * 8);
    let mut groups = selfplay::groups(&config)?;
    let effort = selfplay::play(&config, &mut groups, &acting, machine.threads);
    let games = selfplay::harvest(&mut groups).len() as f64;
    note("selfplay_threads", effort.threads as f64);
    note(
        "selfplay_evaluations_a_second",
        effort.clock.positions as f64 / effort.seconds,
    );
    note("selfplay_games_a_second", games / effort.seconds);
    note(
        "selfplay_batch_fill",
        effort.clock.positions as f64 / effort.clock.batches.max(1) as f64 / batch as f64,
    );
    note(
        "selfplay_share_of_time_in_evaluation",
        effort.evaluation_share(),
    );
    Ok(Json::Object(figures))
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

/// All threads evaluate planes at the batch of self-play, with nothing between the batches.
fn bare_evaluations_a_second(forward: &Arc<Forward>, threads: usize, batch: usize) -> f64 {
    let planes = vec![0.5; batch * forward.shape().input()];
    let began = Instant::now();
    let mut tasks: Vec<_> = (0..threads)
        .map(|_| NetEvaluator::new(forward.clone()))
        .collect();
    workers::run(threads, &mut tasks, |evaluator| {
        while began.elapsed() < LONG_ENOUGH {
            evaluator.forward(&planes);
        }
    });
    let positions: u64 = tasks.iter().map(|task| task.clock.positions).sum();
    positions as f64 / began.elapsed().as_secs_f64()
}
