//! Makes tables of exhibits.

use crate::exhibit::{Column, Decimals, Kind, Note, Pivot, unfilled};
use crate::making::{Making, Records};
use crate::place::{PathError, Place};
use crate::value::{Statistic, decimals_of, interval_of, number_of, words_of};
use indexmap::{IndexMap, IndexSet};
use neurogauge::report::{Cell, Table, dagger_note};

/// The table of an exhibit; `None` if it has no columns, or no rows here.
pub(crate) fn table(making: &Making<'_>, records: &Records) -> Result<Option<Table>, PathError> {
    let exhibit = making.exhibit;
    if !unfilled(&exhibit.table).is_empty() {
        return Ok(records.tables.get(&making.words(&exhibit.table, "table")?).cloned());
    }
    let rows = rows(making)?;
    if rows.is_empty() || exhibit.columns.is_empty() {
        return Ok(None);
    }
    let (headings, cells) = match exhibit.pivot.as_slice() {
        [] => columns(&rows, making)?,
        pivot => pivoted(pivot, &rows, making.reads("pivot"))?,
    };
    let mut notes = sentences(&exhibit.notes, &making.reads("notes").place)?;
    let is_marked = |cell: &Cell| matches!(cell, Cell::Text(words) if words.contains(DAGGER));
    let has_dagger = headings.iter().any(|heading| heading.contains(DAGGER)) || cells.iter().flatten().any(is_marked);
    if has_dagger && !notes.iter().any(|note| note.contains(DAGGER)) {
        notes.push(format!("{}.", dagger_note()));
    }
    let title = making.reads("title").place.clone().with_rows(rows).sentence(&exhibit.title)?;
    let described = Table::of(title.unwrap_or_default(), cells).columns(headings, Clone::clone);
    Ok(Some(described.noted(notes)))
}

/// The places of rows that fulfil the exhibit's condition.
fn rows<'a>(making: &Making<'a>) -> Result<Vec<Place<'a>>, PathError> {
    let mut rows = Vec::new();
    for row in making.reads("rows").places(&making.exhibit.rows)? {
        let condition = making.reads("row_if").exhibit.row_if.as_ref();
        if !row.value().is_null() && row.fulfils(condition)? {
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

/// The pairs of a sheet of images, with their lines.
pub(crate) fn pairs(making: &Making<'_>) -> Result<Vec<PairLines>, PathError> {
    let Some(sheet) = &making.exhibit.sheet else {
        return Ok(Vec::new());
    };
    let pair = |row: &Place<'_>| {
        Ok(PairLines {
            pair: row.text(&sheet.pair)?.unwrap_or_default(),
            lines: sentences(&sheet.lines, row)?,
        })
    };
    let rows = rows(making)?;
    making.reads("sheet");
    rows.iter().map(pair).collect()
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

type Cells = (Vec<String>, Vec<Vec<Cell>>);

fn columns(rows: &[Place<'_>], making: &Making<'_>) -> Result<Cells, PathError> {
    let (mut headings, mut cells) = (Vec::new(), vec![Vec::new(); rows.len()]);
    for (number, column) in (1..).zip(&making.exhibit.columns) {
        making.reads(format!("column {number}"));
        if !making.place.fulfils(column.condition.as_ref())? {
            continue;
        }
        let places = column.each.as_ref().map(|each| making.place.find(each)).transpose()?;
        for place in places.clone().unwrap_or_else(|| vec![making.place.clone()]) {
            headings.push(place.sentence(&column.heading)?.unwrap_or_default());
            let mut above = None;
            for (row, cells) in rows.iter().zip(&mut cells) {
                let of_place = places.as_ref().map(|_| place.clone().with_rows(vec![row.clone()]));
                let own = cell(column, of_place.as_ref().unwrap_or(row))?;
                let is_repeated = column.kind == Some(Kind::Group) && above.as_ref() == Some(&own);
                cells.push(if is_repeated { Cell::text("") } else { own.clone() });
                above = Some(own);
            }
        }
    }
    Ok((headings, cells))
}

/// A row for each name of a row and a column for each heading, in the order in which they occur.
fn pivoted(pivot: &[Pivot], items: &[Place<'_>], making: &Making<'_>) -> Result<Cells, PathError> {
    let mut names = IndexSet::new();
    let mut rows: IndexMap<Vec<String>, IndexMap<String, Cell>> = IndexMap::new();
    for item in items {
        let words = |sentence| Ok::<_, PathError>(item.sentence(sentence)?.unwrap_or_default());
        let row = rows.entry(pivot.iter().map(|own| words(&own.row)).collect::<Result<_, _>>()?).or_default();
        for column in &making.exhibit.columns {
            if item.fulfils(column.condition.as_ref())? {
                let name = words(&column.heading)?;
                names.insert(name.clone());
                row.insert(name, cell(column, item)?);
            }
        }
    }
    let cells = rows.into_iter().map(|(row, cells)| {
        let own = names.iter().map(|name| cells.get(name).cloned().unwrap_or(Cell::Missing));
        row.into_iter().map(Cell::Text).chain(own).collect()
    });
    let cells = cells.collect();
    Ok((pivot.iter().map(|own| own.heading.clone()).chain(names).collect(), cells))
}

/// The cell of a column in a row.
fn cell(column: &Column, row: &Place<'_>) -> Result<Cell, PathError> {
    if !unfilled(&column.text).is_empty() {
        return Ok(row.sentence(&column.text)?.map_or(Cell::Missing, Cell::Text));
    }
    let decimals = match &column.decimals {
        None => None,
        Some(Decimals::Fixed(decimals)) => Some(*decimals),
        Some(Decimals::Of(path)) => row.one(path)?.and_then(|place| decimals_of(place.value())),
    };
    let with_decimals = |cell: Cell| decimals.into_iter().fold(cell, Cell::decimals);
    if let Some(statistic) = column.statistic {
        let values = row.numbers(&column.value)?;
        return Ok(match statistic {
            Statistic::N => Cell::Count(values.len()),
            statistic => with_decimals(Cell::number(statistic.of(&values))),
        });
    }
    let Some(place) = row.one(&column.value)? else {
        return Ok(Cell::Missing);
    };
    let (value, number) = (place.value(), number_of(place.value()));
    if let Some(less) = &column.less {
        let difference = number.zip(row.number(less)?).map(|(value, other)| value - other);
        return Ok(with_decimals(Cell::number(difference)));
    }
    match (column.kind, value.as_u64()) {
        (None, Some(n)) => return Ok(Cell::Count(n as usize)),
        (Some(Kind::Number), _) => {}
        (kind, _) if kind.is_some() || value.is_string() || value.is_boolean() => {
            return Ok(Cell::Text(words_of(value, "").unwrap_or_default()));
        }
        _ => {}
    }
    // A printed number has its decimals.
    let decimals = decimals.or_else(|| value.is_string().then(|| decimals_of(value)).flatten());
    let interval = match &column.interval {
        Some(path) => row.one(path)?.and_then(|place| interval_of(place.value())),
        None => interval_of(value),
    };
    Ok(decimals.into_iter().fold(Cell::estimate(number, interval), Cell::decimals))
}
