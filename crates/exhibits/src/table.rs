//! Makes tables of exhibits.

use crate::exhibit::{Column, Decimals, Exhibit, Kind, Note, Pivot, unfilled};
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::value::{Statistic, decimals_of, interval_of, number_of, words_of};
use indexmap::{IndexMap, IndexSet};
use neurogauge::Error;
use neurogauge::formats::target_files::OneOrMore;
use neurogauge::report::{Cell, Table, dagger_note};

/// The table of an exhibit; `None` if it has no columns, or no rows here.
pub(crate) fn table(exhibit: &Exhibit, making: &Making<'_>) -> Result<Option<Table>, Error> {
    if !unfilled(&exhibit.table).is_empty() {
        let name = making.words(&exhibit.table, "table")?;
        return Ok(making.made_before(&name));
    }
    let rows = rows(exhibit, making)?;
    if rows.is_empty() || exhibit.columns.is_empty() {
        return Ok(None);
    }
    let (headings, cells) = match &exhibit.pivot {
        Some(pivot) => pivoted(exhibit, pivot, &rows, making)?,
        None => columns(exhibit, &rows, making)?,
    };
    let mut notes = Vec::new();
    for (number, note) in (1..).zip(&exhibit.notes) {
        let key = format!("note {number}");
        match note {
            Note::Once(sentence) => notes.extend(making.sentence(&making.place, sentence, &key)?),
            Note::Each { each, text } => {
                for place in making.told(&key, making.place.find(each))? {
                    let words = making.sentence(&place, text, &key)?;
                    notes.extend(words.filter(|words| !notes.contains(words)));
                }
            }
        }
    }
    let is_marked = |cell: &Cell| matches!(cell, Cell::Text(words) if words.contains(DAGGER));
    let has_dagger = headings.iter().any(|heading| heading.contains(DAGGER)) || cells.iter().flatten().any(is_marked);
    if has_dagger && !notes.iter().any(|note| note.contains(DAGGER)) {
        notes.push(format!("{}.", dagger_note()));
    }
    let title = title(exhibit, &rows, making)?;
    let described = Table::of(title, cells).columns(headings, Clone::clone);
    Ok(Some(described.noted(notes)))
}

/// The title, in which `{~/path}` is what the rows have there, each once.
fn title(exhibit: &Exhibit, rows: &[Place<'_>], making: &Making<'_>) -> Result<String, Error> {
    let OneOrMore::One(whole) = &exhibit.title else {
        return making.words(&exhibit.title, "title");
    };
    let Some((before, (path, after))) =
        whole.split_once("{~/").and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return making.words(&exhibit.title, "title");
    };
    let mut names = IndexSet::new();
    for row in rows {
        names.extend(making.told("title", row.text(&format!("{{{path}}}")))?);
    }
    let ends = [before, after].map(|part| making.told("title", making.place.text(part)));
    let [before, after] = ends;
    let names: Vec<String> = names.into_iter().collect();
    Ok(format!("{}{}{}", before?.unwrap_or_default(), names.join(", "), after?.unwrap_or_default()))
}

/// The places of rows that fulfil the exhibit's condition.
fn rows<'a>(exhibit: &Exhibit, making: &Making<'a>) -> Result<Vec<Place<'a>>, Error> {
    let mut rows = making.places(&exhibit.rows, "rows")?;
    rows.retain(|row| !row.value().is_null());
    if let Some(condition) = &exhibit.row_if {
        let fits = rows
            .iter()
            .map(|row| making.told("row_if", row.holds(condition)))
            .collect::<Result<Vec<bool>, _>>()?;
        let mut fits = fits.into_iter();
        rows.retain(|_| fits.next() == Some(true));
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
pub(crate) fn pairs(exhibit: &Exhibit, making: &Making<'_>) -> Result<Vec<PairLines>, Error> {
    let Some(sheet) = &exhibit.sheet else {
        return Ok(Vec::new());
    };
    let pair = |row: &Place<'_>| {
        let words = |path: &str| -> Result<Vec<String>, PathError> {
            Ok(row.find(path)?.iter().filter_map(|place| words_of(place.value(), "")).collect())
        };
        Ok::<_, PathError>(PairLines {
            pair: words(&sheet.pair)?.concat(),
            lines: words(&sheet.lines)?,
        })
    };
    rows(exhibit, making)?.iter().map(|row| making.told("sheet", pair(row))).collect()
}

/// Marks what rests on a placeholder model.
pub(crate) const DAGGER: char = '†';

type Cells = (Vec<String>, Vec<Vec<Cell>>);

fn columns(exhibit: &Exhibit, rows: &[Place<'_>], making: &Making<'_>) -> Result<Cells, Error> {
    let (mut headings, mut cells) = (Vec::new(), vec![Vec::new(); rows.len()]);
    for (number, column) in (1..).zip(&exhibit.columns) {
        let key = format!("column {number}");
        if let Some(condition) = &column.condition
            && !making.told(&key, making.place.holds(condition))?
        {
            continue;
        }
        let Some(each) = &column.each else {
            headings.push(making.sentence(&making.place, &column.heading, &key)?.unwrap_or_default());
            let mut above = None;
            for (row, cells) in rows.iter().zip(&mut cells) {
                let own = making.told(&key, cell(column, row))?;
                let is_repeated = column.kind == Some(Kind::Group) && above.as_ref() == Some(&own);
                cells.push(if is_repeated { Cell::text("") } else { own.clone() });
                above = Some(own);
            }
            continue;
        };
        for place in making.told(&key, making.place.find(each))? {
            headings.push(making.sentence(&place, &column.heading, &key)?.unwrap_or_default());
            for (row, cells) in rows.iter().zip(&mut cells) {
                cells.push(making.told(&key, cell(column, &place.clone().with_row(row)))?);
            }
        }
    }
    Ok((headings, cells))
}

/// A row for each name of a row and a column for each name of a column, in the order in which they occur.
fn pivoted(exhibit: &Exhibit, pivot: &Pivot, items: &[Place<'_>], making: &Making<'_>) -> Result<Cells, Error> {
    let mut names = IndexSet::new();
    let mut rows: IndexMap<String, IndexMap<String, Cell>> = IndexMap::new();
    for item in items {
        let name = |sentence| Ok::<_, Error>(making.told("pivot", item.text(sentence))?.unwrap_or_default());
        let (row, column) = (name(&pivot.row)?, name(&pivot.column)?);
        names.insert(column.clone());
        let cell = exhibit.columns.first().map(|own| cell(own, item)).transpose();
        rows.entry(row).or_default().insert(column, making.told("column 1", cell)?.unwrap_or(Cell::Missing));
    }
    let cells = rows.into_iter().map(|(row, cells)| {
        let own = names.iter().map(|name| cells.get(name).cloned().unwrap_or(Cell::Missing));
        [Cell::Text(row)].into_iter().chain(own).collect()
    });
    let cells = cells.collect();
    Ok(([pivot.heading.clone()].into_iter().chain(names).collect(), cells))
}

/// The cell of a column in a row.
fn cell(column: &Column, row: &Place<'_>) -> Result<Cell, PathError> {
    if !unfilled(&column.text).is_empty() {
        let mut words = None;
        for part in column.text.iter() {
            if let Some(part) = row.text(part)? {
                words.get_or_insert_with(String::new).push_str(&part);
            }
        }
        return Ok(words.map_or(Cell::Missing, Cell::Text));
    }
    let decimals = match &column.decimals {
        None => None,
        Some(Decimals::Fixed(decimals)) => Some(*decimals),
        Some(Decimals::Of(path)) => row.one(path)?.and_then(|place| decimals_of(place.value())),
    };
    let with_decimals = |cell: Cell| decimals.into_iter().fold(cell, Cell::decimals);
    if let Some(statistic) = column.statistic {
        let found = row.find(&column.value)?;
        let values: Vec<f64> = found.iter().filter_map(|place| number_of(place.value())).collect();
        return Ok(match statistic {
            Statistic::N => Cell::Count(values.len()),
            statistic => with_decimals(Cell::number(statistic.of(&values))),
        });
    }
    let Some(place) = row.one(&column.value)? else {
        return Ok(Cell::Missing);
    };
    let value = place.value();
    let number = number_of(value);
    let of_kind = |cell: fn(f64) -> Cell| number.map_or(Cell::Missing, cell);
    let kind = column.kind.or_else(|| value.is_u64().then_some(Kind::Count));
    if let Some(less) = &column.less {
        let difference = number.zip(row.number(less)?).map(|(value, other)| value - other);
        return Ok(with_decimals(Cell::number(difference)));
    }
    Ok(match kind {
        Some(Kind::Group) => Cell::Text(words_of(value, "").unwrap_or_default()),
        Some(Kind::Count) => of_kind(|n| Cell::Count(n as usize)),
        Some(Kind::Percent) => {
            let form = format!("{}%", decimals.unwrap_or(1));
            words_of(value, &form).map_or(Cell::Missing, Cell::Text)
        }
        Some(Kind::Power) => of_kind(|number| Cell::Text(format!("{number:e}"))),
        None if value.is_string() || value.is_boolean() => Cell::Text(words_of(value, "").unwrap_or_default()),
        Some(Kind::Number) | None => {
            // A printed number has its decimals.
            let decimals = decimals.or_else(|| value.is_string().then(|| decimals_of(value)).flatten());
            let interval = match &column.interval {
                Some(path) => row.one(path)?.and_then(|place| interval_of(place.value())),
                None => Some(value).filter(|value| value.is_object()).and_then(interval_of),
            };
            decimals.into_iter().fold(Cell::estimate(number, interval), Cell::decimals)
        }
    })
}
