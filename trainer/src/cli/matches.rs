//! `match`: two players, games in pairs.

use anyhow::bail;
use models::Kernel;
use serde_json::json;

use super::{MatchArgs, WrongUse};
use crate::dispatch::Playable;
use crate::interrupt::{self, Interrupted};
use crate::matches::{MatchPlan, Score, Seat, play_match};
use crate::with_game;

pub(super) fn play(args: MatchArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => play_game::<G>(&args))
}

fn play_game<G: Playable>(args: &MatchArgs) -> anyhow::Result<()> {
    if args.games == 0 || args.games % 2 == 1 {
        bail!(WrongUse(format!(
            "--games {}: games come in pairs, so their number must be even and at least 2",
            args.games
        )));
    }
    let machine = args.machine.open(Kernel::default())?;
    let variant = super::inspect::variant::<G>(&args.game)?;
    let plan = MatchPlan::<G> {
        variant,
        start: G::Start::default(),
        opening_plies: args.opening_plies,
        pairs: args.games / 2,
        seed: args.seed,
        threads: machine.threads,
    };
    let (a, b) = (
        Seat::load::<G>(&args.a, &plan.variant, &machine)?,
        Seat::load::<G>(&args.b, &plan.variant, &machine)?,
    );
    interrupt::listen();
    let Ok(results) = play_match(&a, &b, &plan)? else {
        bail!(Interrupted)
    };
    let score = Score::of(&results);
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
            })
        );
        return Ok(());
    }
    println!("A: {}\nB: {}", describe(&a), describe(&b));
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
    Ok(())
}

fn describe(seat: &Seat) -> String {
    match &seat.identity {
        Some((step, hash)) => format!("{} (step {step}, weights {hash})", seat.spec()),
        None => seat.spec().to_string(),
    }
}
