//! The command line: options, the one match over commands, and what becomes of errors.

mod bench;
mod contest;
mod engine;
mod exact;
mod exports;
mod inspect;
mod ladders;
mod matches;
mod patterns;
mod play;
mod positions;
mod train;

use std::fmt;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use models::{DeviceChoice, DeviceError, Kernel};

use crate::config::ConfigError;
use crate::dispatch::GameId;
use crate::interrupt::{self, Interrupted};
use crate::ladder;
use crate::machine::Machine;
use crate::matches::{OtherGame, PlayerSpec, SeatError, SpecError};
use crate::programs;

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
    /// Play a ladder: of a run's nets against fixed opponents, or of a configuration
    ///
    /// A folder is a run; a file that ends in .toml is a ladder's configuration. The same command again
    /// goes on where it was stopped.
    Ladder(StageArgs),
    /// Ratings, intervals and verdicts from result lines of any source
    Rate(ladders::RateArgs),
    /// Make a book of balanced random openings
    Book(ladders::BookArgs),
    /// Be a player for another program, over a text protocol on standard input and output
    Engine(engine::EngineArgs),
    /// Let two players play games in pairs, sides swapped, with the same starts and dice
    Match(MatchArgs),
    /// List the legal moves of positions
    Moves(PositionsArgs),
    /// Show positions as a network sees them: planes, and the policy index of each legal move
    Encode(PositionsArgs),
    /// List the shapes of stones in a position of Jiu, with the points that answer them
    Patterns(PatternsArgs),
    /// Count move paths, the standard check of a move generator
    Perft(PerftArgs),
    /// Play against a player in the terminal
    Play(PlayArgs),
    /// Show what a player thinks of a position
    Analyze(AnalyzeArgs),
    /// Compute exact values of all positions with few cubes and write them to a file
    Tables(TablesArgs),
    /// Tell the exact value of a position
    Value(ValueArgs),
    /// Measure what a player's moves give away against exact play
    Regret(RegretArgs),
    /// Replay game records, checking every move and result
    Replay(ReplayArgs),
    /// Write a net as a file of another format, with a certificate beside it
    ///
    /// The answers of the exported files are compared with the net's on positions of real games; nothing is
    /// written where they differ.
    Export(exports::ExportArgs),
    /// Read an exported safetensors file back as a net
    Import(exports::ImportArgs),
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
    /// The run's folder; for `ladder` also a configuration
    run: PathBuf,
    /// Where a ladder's results go, for `ladder` with a configuration [default: runs/GAME-CONFIG]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
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
    /// Player A: random, rollout:sims=N, net:PATH,sims=N, engine:COMMAND, and those of one game: static, exact[:TABLE], pattern, alphabeta:depth=N
    #[arg(long, value_name = "SPEC")]
    a: PlayerSpec,
    /// Player B
    #[arg(long, value_name = "SPEC")]
    b: PlayerSpec,
    /// Games, an even number: each start is played with both sides; with the format contest, matches [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Random first plies, the same for both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_plies: u32,
    /// Games in pairs, or einstein's contest match: first to 4 of 7 games
    #[arg(long, value_enum, default_value = "games")]
    format: Format,
    /// Contest: seconds that each side has for a game [default: 240]
    #[arg(long, value_name = "SECONDS")]
    clock: Option<f64>,
    /// Contest: a folder for a record of each game
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Einstein: also a score without the luck of the dice, by exact values from this file
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Einstein: the same by a net's values, where the tables do not reach
    #[arg(long, value_name = "PATH")]
    luck_net: Option<PathBuf>,
    /// Everything random follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A number of games in pairs.
    Games,
    /// The contest match of EinStein (E8).
    Contest,
}

#[derive(Debug, Args)]
struct PositionsArgs {
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
    /// Length of the paths, from 0 to 200; whole turns in Jiu
    #[arg(
        long,
        value_name = "D",
        value_parser = clap::value_parser!(u32).range(0..=200)
    )]
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
    /// The opponent: random, rollout:sims=N, net:PATH,sims=N (PATH bundled is the net that the program carries), engine:COMMAND, and those of one game: static, exact[:TABLE], pattern, alphabeta:depth=N [default: net:bundled,sims=256; pattern on a board of Jiu that this net has not learned on]
    #[arg(long, value_name = "SPEC")]
    opponent: Option<PlayerSpec>,
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
    /// The player: random, rollout:sims=N, net:PATH,sims=N, engine:COMMAND, and those of one game: static, exact[:TABLE], pattern, alphabeta:depth=N
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
struct TablesArgs {
    /// The game: einstein
    game: GameId,
    /// The most cubes of a position: 4 takes seconds and 64 MB, 5 minutes and 2.7 GB
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5))]
    stones: u8,
    /// The file [default: tables/einstein-N.tbl]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads [default: all of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ValueArgs {
    /// The game: einstein
    #[arg(long)]
    game: GameId,
    /// The position as text
    #[arg(long, value_name = "TEXT")]
    position: String,
    /// A file that `tribord tables` wrote
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// The most positions that are valued beyond the table; a million take about 2 seconds and 50 MB
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    bound: usize,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct RegretArgs {
    /// The game: einstein
    #[arg(long)]
    game: GameId,
    /// The player: random, static, exact[:TABLE], rollout:sims=N or net:PATH,sims=N
    #[arg(long, value_name = "SPEC")]
    player: PlayerSpec,
    /// Positions of the public set, all six dice of each
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    positions: u32,
    /// A file that `tribord tables` wrote [default: a table of 4 cubes, built in memory]
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Everything random in the player follows from this number
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

/// The process's arguments. A number below 0 is a value that is out of range, not an option.
fn parse() -> clap::error::Result<Cli> {
    let command = Cli::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    Cli::from_arg_matches(&command.try_get_matches()?)
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| report_fault(&panic.to_string())));
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help and version on standard output, errors on standard error.
            return match error.print() {
                Err(reason) if !error.use_stderr() => {
                    ExitCode::from(output_ended(&reason.to_string()))
                }
                _ => ExitCode::from(error.exit_code() as u8),
            };
        }
    };
    interrupt::listen();
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
        Command::Ladder(args) if ladder::is_config(&args.run) => ladders::play(args),
        Command::Ladder(args) => train::ladder(args),
        Command::Rate(args) => ladders::rate(&args),
        Command::Book(args) => ladders::book(&args),
        Command::Engine(args) => engine::engine(&args),
        Command::Match(args) => matches::play(args),
        Command::Moves(args) => positions::moves(&args),
        Command::Encode(args) => positions::encode(&args),
        Command::Patterns(args) => patterns::patterns(&args),
        Command::Perft(args) => inspect::perft(args),
        Command::Play(args) => play::play(args),
        Command::Analyze(args) => inspect::analyze(args),
        Command::Tables(args) => exact::tables(args),
        Command::Value(args) => exact::value(args),
        Command::Regret(args) => exact::regret(args),
        Command::Replay(args) => inspect::replay(args),
        Command::Export(args) => exports::export(&args),
        Command::Import(args) => exports::import(&args),
        Command::Bench(args) => bench::bench(args),
        Command::Doctor(args) => inspect::doctor(args),
        Command::CheckConfig { files } => inspect::check_config(&files),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    // A seat's error is what kept the player from sitting down.
    if let Some(SeatError::Table(cause)) = error.downcast_ref() {
        return exit_code(cause);
    }
    let interrupted = error.is::<Interrupted>()
        || matches!(error.downcast_ref(), Some(SeatError::Interrupted(_)));
    if interrupted {
        return interrupt::EXIT_CODE;
    }
    let wrong_player =
        error.is::<OtherGame>() || matches!(error.downcast_ref(), Some(SeatError::OtherGame(_)));
    let wrong_use = wrong_player
        || error.is::<WrongUse>()
        || error.is::<ConfigError>()
        || error.is::<SpecError>();
    if wrong_use { 2 } else { 1 }
}

/// A broken invariant ends the program with one message. `println!` panics when its output can take no
/// more: that is no fault.
fn report_fault(panic: &str) {
    if let Some((_, reason)) = panic.split_once("failed printing to stdout: ") {
        programs::exit(output_ended(reason));
    }
    if panic.contains("failed printing to stderr") {
        // There is no place left where it could be told.
        programs::exit(1);
    }
    let _ = writeln!(stderr(), "error: tribord has a fault: {panic}");
}

/// Tells that standard output takes no more, and returns the exit code.
fn output_ended(reason: &str) -> u8 {
    if reason.starts_with("Broken pipe") {
        // Whoever read the output has seen enough, as in `tribord doctor | head -1`.
        return 0;
    }
    let _ = writeln!(stderr(), "error: {OUTPUT}: {reason}");
    1
}

/// What an error in writing there is said to be in.
const OUTPUT: &str = "standard output";

/// Whoever read the output has seen enough, as in `tribord moves … | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(closed)
}
