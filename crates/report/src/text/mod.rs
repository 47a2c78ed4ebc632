//! Tables for a terminal: columns aligned with spaces, no boxes, no colours.

mod many_systems;
mod one_system;

use crate::Table;
use crate::layout::push_words;
use crate::wording::{dagger_note, has_stand_in, one_line};

/// One system: metrics as lines. Several: systems as lines.
pub(crate) fn render(table: &Table, width: Option<usize>) -> String {
    let mut out = String::new();
    push_words(&mut out, &one_line(&table.title), width);
    match table.rows.as_slice() {
        [row] => one_system::render(&mut out, table, row),
        _ => many_systems::render(&mut out, table, width),
    }
    let footnote = has_stand_in(table).then(dagger_note);
    let notes = table.notes.iter().map(|note| one_line(note));
    for (place, note) in footnote.into_iter().chain(notes).enumerate() {
        if place == 0 {
            out.push('\n');
        }
        push_words(&mut out, &note, width);
    }
    out
}
