//! `match`: two players, games in pairs.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::bail;
use engine::games::einstein::{Einstein, Rules};
use engine::{Game, Outcome};
use models::Kernel;
use serde_json::json;

use super::{Format, MatchArgs, WrongUse};
use crate::dispatch::Playable;
use crate::interrupt::Interrupted;
use crate::machine::Machine;
use crate::matches::{
    Adjusted, GameResult, MatchPlan, Played, PlayerSpec, Score, Seat, Thought, play_games,
};
use crate::truth::{Luck, Truth, same};
use crate::with_game;

pub(super) fn play(args: MatchArgs) -> anyhow::Result<()> {
    match args.format {
        Format::Contest => super::contest::play(&args),
        Format::Games => with_game!(args.game.game, G => play_game::<G>(&args)),
    }
}

fn play_game<G: Playable>(args: &MatchArgs) -> anyhow::Result<()> {
    let Some(games) = args.games else {
        bail!(WrongUse(
            "--games N is needed: how many, an even number".into()
        ))
    };
    if games % 2 == 1 {
        bail!(WrongUse(format!(
            "--games {games}: games come in pairs, so their number must be even"
        )));
    }
    if args.records.is_some() || args.clock.is_some() {
        bail!(WrongUse(
            "--records and --clock go with --format contest".into()
        ));
    }
    let adjusts = args.tables.is_some() || args.luck_net.is_some();
    if adjusts && G::NAME != Einstein::NAME {
        bail!(WrongUse(format!(
            "--tables and --luck-net: luck is taken off scores of einstein only, not of {}",
            G::NAME
        )));
    }
    let machine = args.machine.open(Kernel::default())?;
    let variant = super::inspect::variant::<G>(&args.game)?;
    let plan = MatchPlan::<G> {
        variant,
        start: G::Start::default(),
        opening_plies: args.opening_plies,
        pairs: games / 2,
        seed: args.seed,
        threads: machine.threads,
    };
    let (a, b) = (
        Seat::load::<G>(&args.a, &plan.variant, &machine)?,
        Seat::load::<G>(&args.b, &plan.variant, &machine)?,
    );
    let luck = luck(args, &machine)?;
    let Ok(games) = play_games(&a, &b, &plan)? else {
        bail!(Interrupted)
    };
    let results: Vec<_> = games.iter().map(|game| game.result.clone()).collect();
    let score = Score::of(&results);
    let faults = faults(&results);
    let games = same::<_, Vec<Played<Einstein>>>(games).filter(|_| adjusts);
    let adjusted =
        games.and_then(|games| Adjusted::of(&results, &luck.of_games(&games, machine.threads)));
    if args.json {
        let identity = |seat: &Seat| {
            seat.identity
                .as_ref()
                .map(|(step, hash)| json!({"step": step, "hash": hash}))
        };
        println!(
            "{}",
            json!({
                "game": G::NAME,
                "a": args.a.to_string(),
                "b": args.b.to_string(),
                "a_net": identity(&a),
                "b_net": identity(&b),
                "seed": args.seed,
                "opening_plies": args.opening_plies,
                "games": score.games(),
                "pairs": plan.pairs,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "truncated": score.truncated,
                "score": score.score,
                "interval": score.interval,
                "distinct_games": score.distinct_games,
                "counted": score.counted,
                "plies_a_game": score.plies,
                "verdict": score.verdict(),
                "luck_adjusted": adjusted,
                "faults": faults,
            })
        );
        return Ok(());
    }
    println!("A: {}\nB: {}", a.describe(), b.describe());
    println!(
        "games {} in {} pairs, distinct games: {}, {:.1} plies a game",
        score.games(),
        plan.pairs,
        score.distinct_games,
        score.plies
    );
    println!(
        "A wins {}, draws {}, loses {}, truncated {}",
        score.wins, score.draws, score.losses, score.truncated
    );
    println!(
        "score of A {:.1} %, 95 % interval over pairs {:.1} % to {:.1} %: {}",
        100.0 * score.score,
        100.0 * score.interval[0],
        100.0 * score.interval[1],
        score.verdict()
    );
    for (player, reasons) in &faults {
        for (reason, games) in reasons {
            println!("games that {player} lost by a fault, {reason}: {games}");
        }
    }
    if let Some(adjusted) = adjusted {
        println!(
            "without the luck of the dice {:.1} %, 95 % interval {:.1} % to {:.1} %, variance {:.2} times smaller",
            100.0 * adjusted.score,
            100.0 * adjusted.interval[0],
            100.0 * adjusted.interval[1],
            adjusted.variance_factor
        );
    }
    Ok(())
}

/// The games that each player lost by a fault, by reason; each is told on standard error.
fn faults(results: &[GameResult]) -> BTreeMap<&str, BTreeMap<&str, u64>> {
    let mut faults = BTreeMap::<_, BTreeMap<_, _>>::new();
    for result in results {
        if let (Some(fault), Outcome::Win(winner)) = (&result.fault, result.outcome) {
            let loser = if winner == result.a_side { "B" } else { "A" };
            eprintln!("warning: {loser} in pair {}: {fault}", result.pair + 1);
            *faults
                .entry(loser)
                .or_default()
                .entry(fault.word())
                .or_default() += 1;
        }
    }
    faults
}

/// Where the values come from by which luck is told.
fn luck(args: &MatchArgs, machine: &Machine) -> anyhow::Result<Luck> {
    let truth = args.tables.as_deref().map(|path| Truth::open(path, 0));
    let net = args.luck_net.clone().map(|path| {
        // The net is asked without a search.
        let spec = PlayerSpec::Net {
            path,
            thought: Thought::Simulations(1),
            evaluator: None,
        };
        Seat::load::<Einstein>(&spec, &Rules {}, machine)
    });
    Ok(Luck {
        truth: truth.transpose()?.map(Arc::new),
        net: net.transpose()?,
    })
}
