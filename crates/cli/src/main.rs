//! The `neurogauge` command.

use std::process::ExitCode;

/// Images come and go by the megabyte; this allocator keeps their pages instead of giving each back
/// to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(neurogauge_cli::run_program(std::env::args_os()))
}
