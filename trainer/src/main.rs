//! The program `tribord`.

use std::process::ExitCode;

fn main() -> ExitCode {
    trainer::allocation::keep_freed_memory();
    trainer::cli::main()
}
