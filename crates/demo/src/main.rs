//! `neurogauge demo` as a separate program, for `make demo`: it compiles faster without the command line, the other
//! commands and TLS.

use neurogauge::core::Silent;
use neurogauge::{Error, RunSettings};
use neurogauge_demo::{Shown, run};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match demo() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> Result<(), Error> {
    let settings = RunSettings {
        out: "demo-run".into(),
        ..RunSettings::default()
    };
    let demo = run(&settings, Shown::True, &Silent)?;
    // A closed pipe (`| head`) is not an error.
    let _ = write!(std::io::stdout(), "{}", demo.tables(None)?);
    let next = demo.next("neurogauge", |path| path.display().to_string());
    let _ = writeln!(
        std::io::stderr(),
        "{next}\n\nthe command neurogauge: cargo install --path crates/cli, or pip install ."
    );
    Ok(())
}
