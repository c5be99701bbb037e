//! The program `tribord`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trainer::cli::main()
}
