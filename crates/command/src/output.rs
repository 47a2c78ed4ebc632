//! The two streams: data on stdout, everything else on stderr.

use crate::args::{MaybeOutArgs, OutArgs, TableArgs};
use crate::line_width::broken;
use anstyle::{AnsiColor, Style};
use neurogauge::core::hostile_text::for_terminal;
use neurogauge::core::{Finding, counted};
use neurogauge::formats::Problem;
use neurogauge::formats::folder_lock::FolderLock;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::{Format, Table, paragraph};
use neurogauge::{Error, Report};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

/// The verbosity: how much is printed on stderr besides errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

pub(crate) fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Is the verbosity at least this high?
pub(crate) fn says(verbosity: Verbosity) -> bool {
    VERBOSITY.load(Ordering::Relaxed) >= verbosity as u8
}

/// Writes text for people to stdout, in lines that fit the terminal. A closed pipe (`| head`) is not an error.
pub(crate) fn data(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.is_terminal() {
        true => write_data(&mut stdout, &broken(&for_terminal(&unsaid(text)), width())),
        false => write_data(&mut stdout, text),
    }
}

/// The notes and warnings on stderr so far, if stderr is a terminal.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Remembers a note or warning; has a terminal shown it before, perhaps with its remedy?
fn was_said(text: &str) -> bool {
    std::io::stderr().is_terminal()
        && SAID.lock().is_ok_and(|mut said| is_among(&said, text) || !said.insert(text.to_owned()))
}

/// Is the line among these, or the beginning of one, or one with more behind it?
fn is_among(said: &BTreeSet<String>, line: &str) -> bool {
    const SHORTEST: usize = 20;
    line.len() >= SHORTEST && said.iter().any(|own| own.starts_with(line) || line.starts_with(own.as_str()))
}

/// The text without the lines that the same terminal shows above as notes and warnings.
fn unsaid(text: &str) -> String {
    let said = SAID.lock();
    let is_new = |line: &&str| !said.as_ref().is_ok_and(|said| is_among(said, line.trim_end()));
    text.split_inclusive('\n').filter(is_new).collect()
}

/// Writes text for programs to stdout (JSON, LaTeX, scripts), with its lines unchanged.
pub(crate) fn document(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.is_terminal() {
        true => write_data(&mut stdout, &for_terminal(text)),
        false => write_data(&mut stdout, text),
    }
}

/// Writes JSON to stdout.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Error> {
    document(&format!("{:#}\n", serde_json::json!(value)))
}

/// Writes a table to stdout, for people or for programs.
pub(crate) fn formatted(format: Format, text: &str) -> Result<(), Error> {
    match format {
        Format::Table => data(text),
        Format::Json | Format::Csv | Format::Markdown | Format::Latex(_) => document(text),
    }
}

/// Like [`data`], with bold and coloured text on a terminal.
pub(crate) fn styled_data(text: &str) -> Result<(), Error> {
    write_data(&mut anstream::stdout().lock(), &broken(text, width()))
}

fn write_data(stdout: &mut impl Write, text: &str) -> Result<(), Error> {
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Problem::Io("writing", error).at("stdout").into())
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr, unless the verbosity is quiet.
pub(crate) fn message(text: &str) {
    marked("", text);
}

fn marked(start: &str, text: &str) {
    if says(Verbosity::Normal) && (start.is_empty() || !was_said(text)) {
        line(start, text);
    }
}

/// Writes a line to stderr at any verbosity, for questions and essential messages.
pub(crate) fn always(text: &str) {
    line("", text);
}

/// Writes a line that begins with our own coloured words.
fn line(start: &str, text: &str) {
    let line = format!("{start}{}", for_terminal(text));
    let _ = writeln!(anstream::stderr().lock(), "{}", broken(&line, width_of_messages()));
}

/// Writes an error to stderr.
pub(crate) fn error(text: &str) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    line(&format!("{red}error:{red:#} "), text);
}

/// Writes a warning to stderr.
pub(crate) fn warning(text: impl Display) {
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    marked(&format!("{yellow}warning:{yellow:#} "), &text.to_string());
}

/// Writes a note to stderr.
pub(crate) fn note(text: &str) {
    let bold = Style::new().bold();
    marked(&format!("{bold}note:{bold:#} "), text);
}

/// This program as the user called it: by a path if the user did so, since it may not be on the PATH.
pub(crate) fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    match called.contains('/') {
        true => called,
        false => "neurogauge".into(),
    }
}

/// Columns of the terminal, if stdout is one.
pub(crate) fn width() -> Option<usize> {
    columns_of(&console::Term::stdout())
}

/// Columns of the terminal, if stderr is one.
pub(crate) fn width_of_messages() -> Option<usize> {
    columns_of(&console::Term::stderr())
}

fn columns_of(terminal: &console::Term) -> Option<usize> {
    terminal.is_term().then(|| usize::from(terminal.size().1))
}

/// The messages of a finished command. The program prints them; the Python package turns them into warnings and a
/// return value.
#[derive(Debug, Default)]
pub struct Done {
    pub warnings: Vec<String>,
    /// What to know when the numbers are compared with others.
    pub notes: Vec<String>,
    /// What was done; the last one names the written files.
    pub messages: Vec<String>,
    /// The result as text, for stdout.
    pub printed: Option<(Format, String)>,
    /// The error for items that failed in a result that was written nevertheless.
    pub failed: Option<Error>,
}

impl Done {
    /// Prints all messages, then fails if items failed.
    pub(crate) fn print(self) -> Result<(), Error> {
        self.warnings.iter().for_each(warning);
        self.notes.iter().for_each(|text| note(text));
        self.messages.iter().for_each(|text| message(text));
        if let Some((format, text)) = &self.printed {
            formatted(*format, text)?;
        }
        self.failed.map_or(Ok(()), Err)
    }
}

impl OutArgs {
    /// Writes a result into the folder, with or without figures. A finished result of other inputs or options is
    /// replaced only on request.
    pub(crate) fn written<R: Report>(&self, result: &R, figures: Option<&FigureOptions>) -> Result<Done, Error> {
        let out = self.out.as_path();
        // The holder of this lock removes the temporary files of killed processes.
        let lock = FolderLock::exclusive(out)?;
        if self.overwrite.overwrite {
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
        result.write(out, self.table.latex())?;
        let mut done = printed(result, &self.table, Some(out))?;
        done.warnings.extend(not_drawn.iter().chain(&lock.warning()).map(ToString::to_string));
        let next = result.next(out).map_or(String::new(), |next| format!("; next: {next}"));
        done.messages.push(format!("{}: {}{next}", out.display(), result.done()));
        Ok(done)
    }
}

impl MaybeOutArgs {
    /// Writes a result into the folder, if there is one, and prints it.
    pub(crate) fn written<R: Report>(&self, result: &R, figures: Option<&FigureOptions>) -> Result<Done, Error> {
        match &self.out {
            Some(out) => OutArgs::new(out, self.overwrite, self.table).written(result, figures),
            None => printed(result, &self.table, None),
        }
    }
}

/// A result in its printed form, and its findings; `folder` has its files.
fn printed<R: Report>(result: &R, table: &TableArgs, folder: Option<&Path>) -> Result<Done, Error> {
    let format = table.format();
    let text = match format {
        Format::Table => headline_and_tables(result, folder),
        _ => result.shown(format, width())?,
    };
    let shown = result.findings().iter().filter(|finding| finding.is_shown());
    let (warnings, notes): (Vec<_>, Vec<_>) = shown.partition(|finding| finding.is_warning());
    let words = |findings: Vec<&Finding>| findings.into_iter().map(ToString::to_string).collect();
    Ok(Done {
        warnings: words(warnings),
        notes: words(notes),
        printed: Some((format, text)),
        ..Done::default()
    })
}

/// What a terminal shows: the answer, the first tables, and where the others are.
fn headline_and_tables<R: Report>(result: &R, folder: Option<&Path>) -> String {
    let mut tables = result.tables(Format::Table);
    let mut n_more = 0;
    let n_shown = result.n_shown();
    if tables.len() > n_shown && !says(Verbosity::Verbose) {
        tables.truncate(n_shown);
        // Files have more than terminals: long lists too.
        n_more = result.tables(Format::Markdown).len().saturating_sub(n_shown);
    }
    // Unless quiet, stderr has the findings.
    let is_said = |note: &String| {
        says(Verbosity::Normal) && result.findings().iter().any(|finding| finding.below_table() == *note)
    };
    tables.iter_mut().for_each(|table| table.notes.retain(|note| !is_said(note)));
    let file = format!("{}.{}", R::FILES.tables, Format::Markdown.ending());
    let place = match folder {
        Some(folder) => format!("in {} (-v prints more)", folder.join(file).display()),
        None => format!("with -v, or in {file} with --out DIR"),
    };
    let below = format!("{} {place}", counted(n_more, "more table"));
    let lines = |words: &str| paragraph(words, Format::Table, width());
    let opening = result.opening().iter().filter_map(|words| lines(words)).collect::<String>();
    let tables = Table::render_all(&tables, Format::Table, width());
    let below = lines(&below).filter(|_| n_more > 0);
    let parts = [Some(opening), Some(tables), below].into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<String>>().join("\n")
}
