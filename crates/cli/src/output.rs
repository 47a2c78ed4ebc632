//! The two streams: data on stdout, everything else on stderr.

use crate::args::{OverwriteArgs, TableArgs};
use crate::line_width::broken;
use anstyle::{AnsiColor, Style};
use neurogauge::core::hostile_text::for_terminal;
use neurogauge::formats::FormatError;
use neurogauge::formats::folder_lock::FolderLock;
use neurogauge::report::Format;
use neurogauge::report::figures::FigureOptions;
use neurogauge::{Error, Report};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

/// How much is said on stderr besides errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// From now on, this much is said.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Is at least this much to be said?
pub(crate) fn says(verbosity: Verbosity) -> bool {
    VERBOSITY.load(Ordering::Relaxed) >= verbosity as u8
}

/// Writes what people read to stdout, in lines that fit the terminal. A reader that has gone away (`| head`) is no error.
pub(crate) fn data(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.is_terminal() {
        true => write_data(&mut stdout, &broken(&for_terminal(text), width())),
        false => write_data(&mut stdout, text),
    }
}

/// Writes what programs read to stdout (JSON, LaTeX, scripts), line by line as it is.
pub(crate) fn document(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.is_terminal() {
        true => write_data(&mut stdout, &for_terminal(text)),
        false => write_data(&mut stdout, text),
    }
}

/// Writes a table or the same for programs to stdout.
pub(crate) fn formatted(format: Format, text: &str) -> Result<(), Error> {
    match format {
        Format::Table => data(text),
        Format::Json | Format::Csv | Format::Markdown | Format::Latex(_) => document(text),
    }
}

/// As [`data`] with weight and colour, which a file or a pipe does not get.
pub(crate) fn styled_data(text: &str) -> Result<(), Error> {
    write_data(&mut anstream::stdout().lock(), &broken(text, width()))
}

fn write_data(stdout: &mut impl Write, text: &str) -> Result<(), Error> {
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(FormatError::Io {
            path: "stdout".into(),
            action: "writing",
            source: error,
        }
        .into()),
        _ => Ok(()),
    }
}

/// Writes a line to stderr, unless nothing is to be said.
pub(crate) fn message(text: &str) {
    marked("", text);
}

fn marked(start: &str, text: &str) {
    if says(Verbosity::Normal) {
        line(start, text);
    }
}

/// Writes a line to stderr, whatever is to be said: questions, and what nobody can do without.
pub(crate) fn always(text: &str) {
    line("", text);
}

/// A line that begins with words of ours, in colours, and ends in those of others.
fn line(start: &str, text: &str) {
    let line = format!("{start}{}", for_terminal(text));
    let _ = writeln!(
        anstream::stderr().lock(),
        "{}",
        broken(&line, width_of_messages())
    );
}

/// A line to stderr that says what went wrong.
pub(crate) fn error(text: &str) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    line(&format!("{red}error:{red:#} "), text);
}

/// A line to stderr that says what to bear in mind.
pub(crate) fn warning(text: &str) {
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    marked(&format!("{yellow}warning:{yellow:#} "), text);
}

/// A line to stderr that says what is good to know.
pub(crate) fn note(text: &str) {
    let bold = Style::new().bold();
    marked(&format!("{bold}note:{bold:#} "), text);
}

/// This program as the user called it: by its path if it was called by a path, since it may not be on the PATH.
pub(crate) fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    match called.contains('/') {
        true => called,
        false => "neurogauge".into(),
    }
}

/// Columns of the terminal that stdout is, if it is one.
pub(crate) fn width() -> Option<usize> {
    columns_of(&console::Term::stdout())
}

/// Columns of the terminal that stderr is, if it is one.
pub(crate) fn width_of_messages() -> Option<usize> {
    columns_of(&console::Term::stderr())
}

fn columns_of(terminal: &console::Term) -> Option<usize> {
    terminal.is_term().then(|| usize::from(terminal.size().1))
}

/// Writes a result to its folder, with figures or without, says what was done, and prints it. A finished result of
/// other inputs or options is replaced only if that is asked for.
pub(crate) fn result<R: Report>(
    result: &R,
    (out, overwrite): (&Path, &OverwriteArgs),
    figures: Option<&FigureOptions>,
    table: &TableArgs,
) -> Result<(), Error> {
    // What a killed process left there is swept by whoever holds the folder.
    let _lock = FolderLock::exclusive(out)?;
    if overwrite.overwrite {
        R::set_unfinished(out)?;
    }
    result.refuse_other(out)?;
    let not_drawn = match figures {
        Some(options) => result.write_figures(out, options)?,
        None => {
            result.remove_figures(out)?;
            Vec::new()
        }
    };
    result.write(out, table.latex())?;
    for known in result.warnings().iter().chain(&not_drawn) {
        warning(&known.to_string());
    }
    let next = result.next(out);
    let next = next.map_or(String::new(), |next| format!("; next: {next}"));
    message(&format!("{}: {}{next}", out.display(), result.done()));
    formatted(table.format(), &result.print(table.format(), width())?)
}
