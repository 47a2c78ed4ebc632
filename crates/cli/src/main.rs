//! The `neurogauge` command.

use std::process::ExitCode;

/// Images are allocated and freed in megabytes; this allocator keeps their pages instead of returning them to the
/// system each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(neurogauge_command::run_program(std::env::args_os()))
}
