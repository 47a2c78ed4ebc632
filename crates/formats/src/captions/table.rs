//! Captions in a table: a column of images and a column of captions.

use super::record::{CAPTION, IMAGE};
use super::{EXPECTED, grouped, stem_of_image_name};
use crate::delimited_text::{DelimitedText, Number, number};
use crate::scores_parquet::{self, Scores};
use crate::stem_listing::has_ending;
use crate::{FormatError, Problem};
use neurogauge_core::{Captions, first_names};
use std::path::Path;

type Read = (Vec<(String, Captions)>, String);

pub(super) fn read_text(path: &Path) -> Result<Read, FormatError> {
    let form = [("csv", "CSV"), ("tsv", "TSV")].into_iter().find(|(ending, _)| has_ending(path, &[ending]));
    let form = form.map_or("table", |(_, form)| form);
    captions(&DelimitedText::read(path, EXPECTED)?, form)
}

pub(super) fn read_parquet(path: &Path) -> Result<Read, FormatError> {
    match scores_parquet::read_any(path)? {
        Scores::Wide(table) => captions(&table, "Parquet"),
        Scores::OfRun(_) => Err(Problem::content("the scores of a run", EXPECTED).at(path)),
    }
}

fn captions(table: &DelimitedText, form: &str) -> Result<Read, FormatError> {
    let names: Vec<&str> = CAPTION.split(' ').filter(|name| position(table, name).is_some()).collect();
    if names.len() > 1 {
        let problem =
            format!("{} could all be the captions; keep one of them, or rename the others", first_names(&names));
        return Err(table.fault(problem));
    }
    let (image, caption) = match usual_columns(table) {
        Some(usual) => usual,
        None if table.header.len() == 2 => (0, 1),
        None => {
            let problem = "no columns that are called image and caption, or in another usual way, in a table of other \
                           than two columns; rename them";
            return Err(table.column_error(problem.to_owned()));
        }
    };
    let has_header = usual_columns(table).is_some() || !is_data(&table.header[0], &table.header[1]);
    let header = (!has_header).then(|| (without_number(&table.header[image]), &table.header[caption]));
    let header = header.map(|(name, text)| (name.to_owned(), vec![text.clone()]));
    let mut entries: Vec<(String, Vec<String>)> = header.into_iter().collect();
    for record in &table.records {
        let name = record.cell(image);
        if name.is_empty() {
            return Err(table.faulty_cell(record, image, "the name of an image"));
        }
        entries.push((without_number(name).to_owned(), vec![record.cell(caption).to_owned()]));
    }
    let columns = match has_header {
        true => format!("columns {}, {}", shown(&table.header[image]), shown(&table.header[caption])),
        false => "of two columns without names".to_owned(),
    };
    Ok((grouped(&table.path, entries)?, format!("{form} {columns}")))
}

fn shown(name: &str) -> &str {
    match name {
        "" => "(no name)",
        name => name,
    }
}

/// The columns of the images and of the captions, if at least one has a usual name and the other is clear.
fn usual_columns(table: &DelimitedText) -> Option<(usize, usize)> {
    let named = |names: &str| names.split(' ').find_map(|name| position(table, name));
    let n_row_numbers = table.n_row_numbers();
    let others = |taken: usize| {
        let besides: Vec<usize> = (n_row_numbers..table.header.len()).filter(|&column| column != taken).collect();
        // A column without a name has row numbers, unless nothing else could name the images.
        match besides.as_slice() {
            [] if n_row_numbers == 1 => Some(0),
            [only] => Some(*only),
            _ => None,
        }
    };
    match (named(IMAGE), named(CAPTION)) {
        (Some(image), Some(caption)) => Some((image, caption)),
        (Some(image), None) => others(image).map(|caption| (image, caption)),
        (None, Some(caption)) => others(caption).map(|image| (image, caption)),
        (None, None) => None,
    }
}

fn position(table: &DelimitedText, name: &str) -> Option<usize> {
    table.header.iter().position(|column| column.eq_ignore_ascii_case(name))
}

/// Is the first line no header but data? It is if it names a file or has a sentence for a caption.
fn is_data(name: &str, text: &str) -> bool {
    let name = without_number(name);
    let is_image = stem_of_image_name(name) != name || matches!(number(name), Number::Finite(_));
    is_image || text.split_whitespace().count() > 2
}

/// The name of an image without the number of its caption, as Flickr8k writes it (`1000268201.jpg#0`).
fn without_number(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((file, number)) if number.parse::<u32>().is_ok() && stem_of_image_name(file) != file => file,
        _ => name,
    }
}
