//! Makes tables of exhibits.

use crate::exhibit::{Column, Decimals, Exhibit, Kind, Note, unfilled};
use crate::place::{PathError, Place};
use crate::value::{Statistic, decimals_of, interval_of, number_of, words_of};
use indexmap::{IndexMap, IndexSet};
use neurogauge::report::{Cell, Table, dagger_note};
use serde_json::Value;

/// The table of an exhibit at a place; `None` if it has no columns, or no rows there.
pub(crate) fn table(exhibit: &Exhibit, place: &Place<'_>) -> Result<Option<Table>, PathError> {
    let rows = rows(exhibit, place)?;
    if rows.is_empty() || exhibit.columns.is_empty() {
        return Ok(None);
    }
    let (headings, cells) = match exhibit.pivot.is_empty() {
        true => columns(exhibit, place, &rows)?,
        false => pivoted(exhibit, &rows)?,
    };
    let mut notes = sentences(&exhibit.notes, place)?;
    let is_marked = |cell: &Cell| matches!(cell, Cell::Text(words) if words.contains(DAGGER));
    let has_dagger = headings.iter().any(|heading| heading.contains(DAGGER)) || cells.iter().flatten().any(is_marked);
    if has_dagger && !notes.iter().any(|note| note.contains(DAGGER)) {
        notes.push(format!("{}.", dagger_note()));
    }
    let title = place.clone().with_rows(rows).words(&exhibit.title)?;
    Ok(Some(Table::of(title, cells).columns(headings, Clone::clone).noted(notes)))
}

/// The places of rows that fulfil the exhibit's condition.
fn rows<'a>(exhibit: &Exhibit, place: &Place<'a>) -> Result<Vec<Place<'a>>, PathError> {
    let mut rows = Vec::new();
    for row in place.all(&exhibit.rows)? {
        if !row.value().is_null() && row.fulfils(&exhibit.row_if)? {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// A pair, and the lines beside its images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairLines {
    pub pair: String,
    pub lines: Vec<String>,
}

/// The pairs whose images an exhibit shows, with their lines.
pub(crate) fn pairs(exhibit: &Exhibit, place: &Place<'_>) -> Result<Vec<PairLines>, PathError> {
    let pair = |row: &Place<'_>| {
        Ok(PairLines {
            pair: row.text("{pair}")?.unwrap_or_default(),
            lines: sentences(&exhibit.lines, row)?,
        })
    };
    match exhibit.lines.is_empty() {
        true => Ok(Vec::new()),
        false => rows(exhibit, place)?.iter().map(pair).collect(),
    }
}

/// Sentences at a place, each once.
fn sentences(notes: &[Note], place: &Place<'_>) -> Result<Vec<String>, PathError> {
    let mut found = Vec::new();
    for note in notes {
        let (places, text) = match note {
            Note::Once(text) => (vec![place.clone()], text),
            Note::Each { each, text } => (place.find(each)?, text),
        };
        for place in places {
            found.extend(place.sentence(text)?.filter(|words| !found.contains(words)));
        }
    }
    Ok(found)
}

/// Marks what rests on a placeholder model.
pub(crate) const DAGGER: char = '†';

/// Headings, and the cells of each row.
type Cells = (Vec<String>, Vec<Vec<Cell>>);

fn columns(exhibit: &Exhibit, place: &Place<'_>, rows: &[Place<'_>]) -> Result<Cells, PathError> {
    let (mut headings, mut cells) = (Vec::new(), vec![Vec::new(); rows.len()]);
    for column in &exhibit.columns {
        if !place.fulfils(&column.condition)? {
            continue;
        }
        for start in place.find(&column.each)? {
            headings.push(start.words(&column.heading)?);
            let mut above = None;
            for (row, cells) in rows.iter().zip(&mut cells) {
                let own = match column.each.is_empty() {
                    true => cell(column, row)?,
                    false => cell(column, &start.clone().with_rows(vec![row.clone()]))?,
                };
                let is_repeated = column.kind == Some(Kind::Group) && above.as_ref() == Some(&own);
                cells.push(if is_repeated { Cell::text("") } else { own.clone() });
                above = Some(own);
            }
        }
    }
    Ok((headings, cells))
}

/// A row for each name of a row and a column for each heading, in the order in which they occur.
fn pivoted(exhibit: &Exhibit, items: &[Place<'_>]) -> Result<Cells, PathError> {
    let mut names = IndexSet::new();
    let mut rows: IndexMap<Vec<String>, IndexMap<String, Cell>> = IndexMap::new();
    for item in items {
        let row = exhibit.pivot.iter().map(|own| item.words(&own.text)).collect::<Result<_, _>>()?;
        let row = rows.entry(row).or_default();
        for column in &exhibit.columns {
            if item.fulfils(&column.condition)? {
                let name = item.words(&column.heading)?;
                names.insert(name.clone());
                row.insert(name, cell(column, item)?);
            }
        }
    }
    let cells = rows.into_iter().map(|(row, cells)| {
        let own = names.iter().map(|name| cells.get(name).cloned().unwrap_or(Cell::Missing));
        row.into_iter().map(Cell::Text).chain(own).collect()
    });
    let (cells, headings) = (cells.collect(), exhibit.pivot.iter().map(|own| unfilled(&own.heading)));
    Ok((headings.chain(names).collect(), cells))
}

/// The cell of a column in a row.
fn cell(column: &Column, row: &Place<'_>) -> Result<Cell, PathError> {
    if !unfilled(&column.text).is_empty() {
        return Ok(row.sentence(&column.text)?.map_or(Cell::Missing, Cell::Text));
    }
    let place = row.one(&column.value)?;
    let value = place.as_ref().map_or(&Value::Null, Place::value);
    let decimals = match &column.decimals {
        Some(Decimals::Fixed(decimals)) => Some(*decimals),
        Some(Decimals::Of(path)) => row.one(path)?.and_then(|place| decimals_of(place.value())),
        // A printed number has its decimals.
        None => Some(value).filter(|value| value.is_string()).and_then(decimals_of),
    };
    let ends = match column.interval.as_str() {
        "" => interval_of(value),
        path => row.one(path)?.and_then(|place| interval_of(place.value())),
    };
    let cell = match (column.statistic, column.kind, value) {
        (Some(Statistic::N), ..) => Cell::Count(row.numbers(&column.value)?.len()),
        (Some(statistic), ..) => Cell::number(statistic.of(&row.numbers(&column.value)?)),
        _ if !column.less.is_empty() => {
            let both = number_of(value).zip(row.number(&column.less)?);
            Cell::number(both.map(|(value, other)| value - other))
        }
        (.., Value::Null) => Cell::Missing,
        (_, None, Value::Number(whole)) if whole.is_u64() => Cell::Count(whole.as_u64().unwrap_or_default() as usize),
        (_, Some(Kind::Group), _) | (_, None, Value::String(_) | Value::Bool(_)) => {
            Cell::Text(words_of(value, "").unwrap_or_default())
        }
        _ => Cell::estimate(number_of(value), ends),
    };
    Ok(decimals.into_iter().fold(cell, Cell::decimals))
}
