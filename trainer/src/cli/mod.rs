//! The command line: options, the one match over commands, and what becomes of errors.

mod bench;
mod inspect;
mod matches;
mod patterns;
mod play;
mod train;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use models::{DeviceChoice, DeviceError, Kernel};

use crate::config::ConfigError;
use crate::dispatch::GameId;
use crate::interrupt::{self, Interrupted};
use crate::machine::Machine;
use crate::matches::{PlayerSpec, SeatError, SpecError};

/// Train, measure and play networks for board games by self-play.
#[derive(Debug, Parser)]
#[command(name = "tribord", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train a network by self-play; the same command again goes on with the run
    ///
    /// Plays games against itself, learns from them, saves a net after every round, and ends with a
    /// short ladder. Everything is kept in the run's folder. Ctrl-C saves and stops.
    Train(TrainArgs),
    /// Play the games of a run's next round, without learning from them
    Selfplay(StageArgs),
    /// Learn from the games of a run's current round
    Learn(StageArgs),
    /// Play a run's ladder: its nets against fixed opponents
    Ladder(StageArgs),
    /// Let two players play games in pairs, sides swapped, with the same starts and dice
    Match(MatchArgs),
    /// List the legal moves of positions
    Moves(MovesArgs),
    /// List the shapes of stones in a position of Jiu, with the points that answer them
    Patterns(PatternsArgs),
    /// Count move paths, the standard check of a move generator
    Perft(PerftArgs),
    /// Play against a player in the terminal
    Play(PlayArgs),
    /// Show what a player thinks of a position
    Analyze(AnalyzeArgs),
    /// Replay game records, checking every move and result
    Replay(ReplayArgs),
    /// Measure the speed of rules, evaluation and self-play on this machine
    Bench(BenchArgs),
    /// Say what this build can do and what it finds on this machine
    Doctor(DoctorArgs),
    /// Check configuration files without using them
    CheckConfig {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
struct TrainArgs {
    /// The configuration
    #[arg(default_value = "configs/einstein/cpu.toml")]
    config: PathBuf,
    #[command(flatten)]
    stage: StageOptions,
    /// The run's folder [default: runs/GAME-CONFIG]
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// When resuming, forget the optimiser's moments on purpose
    #[arg(long)]
    fresh_optimiser: bool,
}

#[derive(Debug, Args)]
struct StageArgs {
    /// The run's folder
    run: PathBuf,
    /// The configuration, for a run that does not exist yet [default: the run's own]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    options: StageOptions,
}

#[derive(Debug, Args)]
struct StageOptions {
    #[command(flatten)]
    machine: MachineArgs,
    /// Put a value over the configuration, such as run.rounds=5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Clone, Copy, Debug, Args)]
struct MachineArgs {
    /// Where networks compute: cpu, cuda:0, vulkan:0 or wgpu:0
    #[arg(long, default_value = "cpu")]
    device: DeviceChoice,
    /// Threads [default: all of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Which code evaluates networks, over the configuration's selfplay.evaluator: auto takes the
    /// fused path on a processor, int8 the same with rounded numbers, burn is for comparison [default: auto]
    #[arg(long, value_name = "NAME", value_parser = Kernel::from_str)]
    evaluator: Option<Kernel>,
}

#[derive(Debug, Args)]
struct GameArgs {
    /// The game: einstein, surakarta or jiu
    #[arg(long)]
    game: GameId,
    /// Jiu's board size where no position says it [default: 14]
    #[arg(long, value_name = "N")]
    size: Option<u8>,
}

#[derive(Debug, Args)]
struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Player A: random, pattern, rollout:sims=N, alphabeta:depth=N or net:PATH,sims=N
    #[arg(long, value_name = "SPEC")]
    a: PlayerSpec,
    /// Player B
    #[arg(long, value_name = "SPEC")]
    b: PlayerSpec,
    /// Games, an even number: each start is played with both sides
    #[arg(long, value_name = "N")]
    games: u64,
    /// Random first plies, the same for both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_plies: u32,
    /// Everything random follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct MovesArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position as text
    #[arg(
        long,
        value_name = "TEXT",
        required_unless_present = "stdin",
        conflicts_with = "stdin"
    )]
    position: Option<String>,
    /// Read one position a line from standard input
    #[arg(long)]
    stdin: bool,
    /// Print one JSON document a position
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct PatternsArgs {
    /// The position of Jiu as text
    #[arg(long, value_name = "TEXT")]
    position: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Length of the paths; whole turns in Jiu
    #[arg(long, value_name = "D")]
    depth: u32,
    /// The position as text [default: the game's start, einstein's fixed set-up, Jiu's scan-filled board]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Count the paths below each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The opponent: random, pattern, rollout:sims=N, alphabeta:depth=N or net:PATH,sims=N
    #[arg(long, value_name = "SPEC", default_value = "rollout:sims=1000")]
    opponent: PlayerSpec,
    /// Play the second side
    #[arg(long)]
    second: bool,
    /// Everything random follows from this number [default: another each time]
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    machine: MachineArgs,
}

#[derive(Debug, Args)]
struct AnalyzeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position as text
    #[arg(long, value_name = "TEXT")]
    position: String,
    /// The player: random, pattern, rollout:sims=N, alphabeta:depth=N or net:PATH,sims=N
    #[arg(long, value_name = "SPEC")]
    player: PlayerSpec,
    /// Everything random follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ReplayArgs {
    /// A file of game records, such as runs/NAME/games/000000.rec
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct BenchArgs {
    /// The configuration whose network and self-play are measured
    #[arg(default_value = "configs/einstein/cpu.toml")]
    config: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct DoctorArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl StageOptions {
    /// What is put over the configuration.
    fn settings(&self) -> Vec<String> {
        let evaluator = self.machine.evaluator;
        let evaluator = evaluator.map(|kernel| format!("selfplay.evaluator={kernel}"));
        self.set.iter().cloned().chain(evaluator).collect()
    }
}

impl MachineArgs {
    /// Opens the machine; `evaluator` counts where the command line names none.
    fn open(self, evaluator: Kernel) -> Result<Machine, DeviceError> {
        let threads = self.threads.map(usize::from);
        if let Some(threads) = threads {
            // Batches are prepared, and burn computes, in rayon's global pool. It can be made only once,
            // which a command does here, so there is nothing to report.
            let _ = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global();
        }
        Machine::open(self.device, threads, self.evaluator.unwrap_or(evaluator))
    }
}

/// What the user asked for cannot be done as asked: exit code 2.
#[derive(Debug)]
struct WrongUse(String);

impl fmt::Display for WrongUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUse {}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| report_fault(&panic.to_string())));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help and version on standard output, errors on standard error.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if is_closed_pipe(&error) {
                return ExitCode::SUCCESS;
            }
            eprintln!("error: {error:#}");
            ExitCode::from(exit_code(&error))
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Train(args) => train::train(args),
        Command::Selfplay(args) => train::selfplay(args),
        Command::Learn(args) => train::learn(args),
        Command::Ladder(args) => train::ladder(args),
        Command::Match(args) => matches::play(args),
        Command::Moves(args) => inspect::moves(args),
        Command::Patterns(args) => patterns::patterns(&args),
        Command::Perft(args) => inspect::perft(args),
        Command::Play(args) => play::play(args),
        Command::Analyze(args) => inspect::analyze(args),
        Command::Replay(args) => inspect::replay(args),
        Command::Bench(args) => bench::bench(args),
        Command::Doctor(args) => inspect::doctor(args),
        Command::CheckConfig { files } => inspect::check_config(&files),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Interrupted>() {
        return interrupt::EXIT_CODE;
    }
    let wrong_player = matches!(error.downcast_ref(), Some(SeatError::OtherGame { .. }));
    let wrong_use = wrong_player
        || error.is::<WrongUse>()
        || error.is::<ConfigError>()
        || error.is::<SpecError>();
    if wrong_use { 2 } else { 1 }
}

/// A broken invariant ends the program with one message. `println!` panics when whoever reads the
/// output has closed it, as in `tribord doctor | head -1`: that is no fault.
fn report_fault(panic: &str) {
    if panic.contains("Broken pipe") {
        std::process::exit(0);
    }
    eprintln!("error: tribord has a fault: {panic}");
}

/// Whoever read the output has seen enough, as in `tribord moves … | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(closed)
}
