//! Texts from others, made safe for terminals, pages and spreadsheets.
//!
//! A file's name can contain characters that a terminal understands as commands, and a cell of a table text that a
//! spreadsheet understands as a formula.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// The text made safe for a terminal: control characters (except line ends and tabs) and marks that reverse the
/// direction of text are escaped.
///
/// ```
/// use neurogauge_core::hostile_text::for_terminal;
/// assert_eq!(for_terminal("gt/\u{1b}[2J.png"), "gt/\\u{1b}[2J.png");
/// assert_eq!(for_terminal("two\nlines"), "two\nlines");
/// ```
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_obeyed(character) {
            // Writing to a string cannot fail.
            true => drop(write!(shown, "\\u{{{:x}}}", u32::from(character))),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Does this mark change the direction of the text around it?
pub fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_obeyed(character: char) -> bool {
    is_direction_mark(character) || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// Characters that a spreadsheet reads as the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

static KEEPS_FORMULAS: AtomicBool = AtomicBool::new(false);

/// Sets for this process whether cells are written unchanged (`true`) or get a leading apostrophe if a spreadsheet
/// would compute them (`false`, the default).
pub fn keep_formulas(keep: bool) {
    KEEPS_FORMULAS.store(keep, Ordering::Relaxed);
}

/// A cell of a CSV file, quoted according to RFC 4180. Text that begins like a formula but is not a number gets a
/// leading apostrophe, which marks it as text for spreadsheets; [`without_guard`] removes it again.
///
/// ```
/// use neurogauge_core::hostile_text::csv_cell;
/// assert_eq!(csv_cell("a,b"), "\"a,b\"");
/// assert_eq!(csv_cell("=cmd()"), "'=cmd()");
/// assert_eq!(csv_cell("-0.5"), "-0.5");
/// ```
pub fn csv_cell(text: &str) -> String {
    let is_formula = text.starts_with(FORMULA) && text.parse::<f64>().is_err();
    let guarded = match is_formula && !KEEPS_FORMULAS.load(Ordering::Relaxed) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match guarded.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", guarded.replace('"', "\"\"")),
        false => guarded,
    }
}

/// A cell without the apostrophe that [`csv_cell`] put before it.
///
/// ```
/// use neurogauge_core::hostile_text::without_guard;
/// assert_eq!((without_guard("'=a"), without_guard("'a")), ("=a", "'a"));
/// ```
pub fn without_guard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(FORMULA) => text,
        _ => cell,
    }
}
