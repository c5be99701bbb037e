//! An external program as a player, over the text protocol of docs/formats.md.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine::Game;

use super::bots::unsearched;
use super::fault::Fault;
use super::player::{Player, Turn};
use super::spec::Thought;
use crate::interrupt;
use crate::lines::lines;
use crate::programs::Program;

/// Version of the protocol.
pub const PROTOCOL: u32 = 1;

/// How much later than its time an answer may come: a process must be woken, and its line carried over.
pub const GRACE: Duration = Duration::from_millis(500);

/// Hundredths of a second in which a program that has closed its output may end.
const LAST_MOMENTS: u32 = 100;

/// What an external player is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSetup {
    /// The program and its arguments.
    pub command: String,
    /// What a move may cost.
    pub thought: Option<Thought>,
    /// The longest that an answer is waited for.
    pub watchdog: Duration,
    /// The game's name and its variant as JSON.
    pub game: String,
}

/// A program that could not be started, or does not speak the protocol.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("engine '{command}': {problem}")]
pub struct EngineError {
    command: String,
    problem: String,
}

/// A program under way.
#[derive(Debug)]
pub(super) struct Engine {
    setup: EngineSetup,
    process: Option<Process>,
    /// The game that the process plays.
    game: Option<u64>,
}

#[derive(Debug)]
struct Process {
    child: Program,
    input: ChildStdin,
    answers: Receiver<String>,
    /// Reads what the program says on its standard error.
    errors: Option<JoinHandle<()>>,
    last_words: Arc<Mutex<String>>,
}

impl EngineSetup {
    /// Starts the program once and returns the name that it gives itself.
    ///
    /// # Errors
    /// A program that cannot be started or gives no sign that it is ready.
    pub fn greet(&self) -> Result<String, EngineError> {
        Process::start(self)
            .map(|(_, name)| name)
            .map_err(|fault| EngineError {
                command: self.command.clone(),
                problem: fault,
            })
    }
}

impl Engine {
    pub fn new(setup: EngineSetup) -> Engine {
        Engine {
            setup,
            process: None,
            game: None,
        }
    }

    /// Asks for a move.
    fn ask<G: Game>(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Fault> {
        let asked = self.try_ask(turn);
        if asked.is_err() {
            // Whatever state the program is in, the next game begins with a fresh one.
            self.process = None;
        }
        asked
    }

    fn try_ask<G: Game>(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Fault> {
        let process = match &mut self.process {
            Some(process) => process,
            none => {
                let (process, _) = Process::start(&self.setup).map_err(Fault::Crash)?;
                self.game = None;
                none.insert(process)
            }
        };
        if self.game != Some(turn.course.number) {
            process.send(&format!("new {}", turn.course.number))?;
            self.game = Some(turn.course.number);
        }
        let go = match self.setup.thought {
            None => "go".to_string(),
            Some(Thought::Simulations(simulations)) => format!("go sims {simulations}"),
            Some(Thought::Time(time)) => format!("go ms {}", time.as_millis()),
        };
        process.send(&turn.course.text())?;
        process.send(&format!("position {}", turn.position.text()))?;
        process.send(&go)?;
        let began = Instant::now();
        let answer = process.receive(self.setup.watchdog)?;
        if let Some(Thought::Time(time)) = self.setup.thought
            && began.elapsed() > time + GRACE
        {
            return Err(Fault::Time);
        }
        let Some(text) = answer.strip_prefix("move ") else {
            return Err(Fault::Illegal(format!("'{answer}' is no answer to go")));
        };
        let mv = turn.position.parse_move(text.trim());
        let mv = mv.map_err(|error| Fault::Illegal(error.to_string()))?;
        let mut checked = turn.position.clone();
        checked
            .try_play(mv)
            .map_err(|error| Fault::Illegal(error.to_string()))?;
        Ok(mv)
    }
}

impl<G: Game> Player<G> for Engine {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        let mut moves = Vec::new();
        for turn in turns {
            turn.verdict = Some(self.ask(turn).map(|best| {
                turn.position.moves(&mut moves);
                unsearched(best, &moves)
            }));
        }
    }
}

impl Process {
    /// Starts the program and waits until it is ready; gives it with its name.
    fn start(setup: &EngineSetup) -> Result<(Process, String), String> {
        let words = words(&setup.command)?;
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = Program::start(&mut command)
            .map_err(|error| format!("cannot start {program}: {error}"))?;
        let (sender, answers) = channel();
        let last_words = Arc::new(Mutex::new(String::new()));
        let input = child.stdin.take().ok_or("no input")?;
        if let Some(output) = child.stdout.take() {
            // The thread ends with the program's output; nobody listens any more once it cannot send.
            std::thread::spawn(move || {
                for line in lines(BufReader::new(output)).map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let errors = child.stderr.take().map(|errors| {
            let last_words = last_words.clone();
            std::thread::spawn(move || {
                for line in lines(BufReader::new(errors)).map_while(Result::ok) {
                    if let Ok(mut last) = last_words.lock() {
                        *last = line;
                    }
                }
            })
        });
        let mut process = Process {
            child,
            input,
            answers,
            errors,
            last_words,
        };
        let greeting = (|| {
            process.send(&format!("tribord {PROTOCOL}"))?;
            process.send(&format!("game {}", setup.game))?;
            process.receive(setup.watchdog)
        })();
        match greeting.as_deref().map(|line| line.strip_prefix("ready")) {
            Ok(Some(name)) => Ok((process, name.trim().to_string())),
            Ok(None) => Err(format!(
                "answered '{}' in place of ready",
                greeting.unwrap_or_default()
            )),
            Err(fault) => Err(fault.to_string()),
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())
    }

    fn receive(&mut self, watchdog: Duration) -> Result<String, Fault> {
        let began = Instant::now();
        loop {
            let left = watchdog.saturating_sub(began.elapsed());
            match self
                .answers
                .recv_timeout(left.min(Duration::from_millis(200)))
            {
                Ok(line) if line.trim().is_empty() || line.starts_with('#') => {}
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                    return Err(Fault::Hang);
                }
                Err(RecvTimeoutError::Timeout) if began.elapsed() >= watchdog => {
                    return Err(Fault::Hang);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// How the program ended. Its output is closed, so it gets a moment to go and its last words to arrive.
    fn ended(&mut self) -> Fault {
        let mut state = "it closed its output".to_string();
        for _ in 0..LAST_MOMENTS {
            let status = self.child.try_wait().ok().flatten();
            let has_spoken = self.errors.as_ref().is_none_or(JoinHandle::is_finished);
            if let Some(status) = status {
                state = status.to_string();
                if has_spoken {
                    break;
                }
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let last = self
            .last_words
            .lock()
            .map(|last| last.clone())
            .unwrap_or_default();
        match last.is_empty() {
            true => Fault::Crash(state),
            false => Fault::Crash(format!("{state}; {last}")),
        }
    }
}

/// Splits a command at blanks; quotes of either kind keep blanks.
pub(super) fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".into());
    }
    words.extend(word);
    Ok(words)
}
