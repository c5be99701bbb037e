//! Tells the program which revision of the source it was built from.

use std::process::Command;

fn main() {
    let described = Command::new("git")
        .args(["describe", "--always", "--dirty"])
        .output();
    let revision = match described {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        }
        _ => "unknown".to_string(),
    };
    println!("cargo::rustc-env=TRIBORD_REVISION={revision}");
    // Every commit and every change of branch adds a line to this file.
    println!("cargo::rerun-if-changed=../.git/logs/HEAD");
}
