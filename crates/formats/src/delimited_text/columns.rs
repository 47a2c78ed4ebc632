//! Finds the columns of a table by their names.

use super::{DelimitedText, Number, Record, number};
use crate::{FormatError, Problem};
use neurogauge_core::first_names;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The column with this name in a header, case-sensitive.
pub(super) fn named(path: &Path, header: &[String], name: &str) -> Result<usize, FormatError> {
    let mut columns = header.iter();
    let found = columns.position(|column| column == name.trim());
    found.ok_or_else(|| {
        let n_shared = |column: &String| {
            let letters = column.chars().zip(name.trim().chars());
            letters.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        };
        let mut nearest = header.to_vec();
        nearest.sort_by_key(|column| std::cmp::Reverse(n_shared(column)));
        Problem::columns(format!("no column {name:?}"), &nearest).at(path)
    })
}

impl DelimitedText {
    /// The column with this name, case-sensitive.
    pub(crate) fn named(&self, name: &str) -> Result<usize, FormatError> {
        named(&self.path, &self.header, name)
    }

    /// The column with this name, or the columns of a comma-separated list; `None` if one is missing.
    pub(crate) fn all_named(&self, names: &str) -> Option<Vec<usize>> {
        let position = |name: &str| self.header.iter().position(|column| column == name.trim());
        position(names).map_or_else(|| names.split(',').map(position).collect(), |single| Some(vec![single]))
    }

    /// The columns, except those in `taken`, that have one of the usual names, or one of them followed by `_id`, in any
    /// case.
    pub(crate) fn usually_named(&self, usual: &[&str], taken: &[usize]) -> Vec<usize> {
        let is_usual = |column: &String| {
            let name = column.to_ascii_lowercase();
            usual.contains(&name.strip_suffix("_id").unwrap_or(&name))
        };
        let columns = self.header.iter().enumerate();
        columns
            .filter(|(position, column)| !taken.contains(position) && is_usual(column))
            .map(|(position, _)| position)
            .collect()
    }

    /// The column with the items of a wide table: the one with a usual name, otherwise the first, unless the first may
    /// be something else.
    pub(crate) fn item_column(&self, usual: &[&str]) -> Result<usize, FormatError> {
        match self.usually_named(usual, &[]).as_slice() {
            [only] => return Ok(*only),
            [] => {}
            several => {
                let names: Vec<&str> = several.iter().map(|&at| self.header[at].as_str()).collect();
                let problem = format!("{} could all be the items; rename all but one", first_names(&names));
                return Err(self.fault(problem));
            }
        }
        let is_number = |cell: &str| matches!(number(cell), Number::Finite(_) | Number::Infinite);
        let problem = if self.n_row_numbers() > 0 {
            return Ok(0);
        } else if self.header.len() > 1 && self.header[1..].iter().all(|name| is_number(name)) {
            "the first line has numbers for names, so it may be data; give the table a header"
        } else if self.records.iter().all(|record| is_number(record.cell(0))) {
            "no column has a usual name for items and the first one holds numbers only"
        } else {
            return Ok(0);
        };
        let problem = format!("{problem}; call the column of the items one of {}", usual.join(", "));
        Err(self.column_error(problem))
    }

    /// Number of leading columns with the row numbers of data frames: one without a name, or those that pandas calls
    /// `Unnamed: 0` (and `Unnamed: 0.1`, ...) after reading and writing such a table.
    pub(crate) fn n_row_numbers(&self) -> usize {
        let columns = self.header.iter().enumerate();
        let are_row_numbers = |(position, name): &(usize, &String)| match name.strip_prefix("Unnamed: 0") {
            Some(rest) => rest.is_empty() || rest.starts_with('.'),
            None => *position == 0 && name.is_empty(),
        };
        columns.take_while(are_row_numbers).count()
    }

    /// All columns except those of the items and the leading ones with row numbers.
    pub(crate) fn columns_besides(&self, item: &[usize]) -> Result<Vec<usize>, FormatError> {
        let n_row_numbers = self.n_row_numbers();
        let mut columns = Vec::new();
        for (position, name) in self.header.iter().enumerate() {
            match name.as_str() {
                _ if item.contains(&position) || position < n_row_numbers => {}
                "" => {
                    let problem = format!("column {} has no name", position + 1);
                    return Err(self.column_error(problem));
                }
                _ => columns.push(position),
            }
        }
        match columns.as_slice() {
            [] => Err(self.column_error("no column besides the items".to_owned())),
            _ => Ok(columns),
        }
    }

    /// What `of` takes from the line of each name in a column; `noun` says what has these names.
    pub(crate) fn by_name<T>(
        &self,
        (column, noun): (usize, &str),
        of: impl Fn(&Record) -> Result<T, FormatError>,
    ) -> Result<BTreeMap<String, T>, FormatError> {
        let mut lines: HashMap<&str, usize> = HashMap::new();
        let mut found = BTreeMap::new();
        for record in &self.records {
            let name = record.cell(column);
            if name.is_empty() {
                return Err(self.faulty_cell(record, column, &format!("the id of the {noun}")));
            }
            if let Some(first) = lines.insert(name, record.line) {
                let problem =
                    Problem::repeated_line(format!("{noun} {name:?}"), first, record.line, "keep one of them");
                return Err(problem.at(&self.path));
            }
            found.insert(name.to_owned(), of(record)?);
        }
        Ok(found)
    }

    pub(crate) fn refuse_repeated_columns(&self) -> Result<(), FormatError> {
        let mut first_position = HashMap::new();
        for (position, name) in self.header.iter().enumerate() {
            if name.is_empty() {
                continue;
            }
            if let Some(first) = first_position.insert(name, position) {
                let problem = format!("columns {} and {} are both called {name:?}", first + 1, position + 1);
                return Err(self.column_error(problem));
            }
        }
        Ok(())
    }

    /// An error that names columns itself.
    pub(crate) fn fault(&self, problem: String) -> FormatError {
        Problem::new(problem).at(&self.path)
    }

    /// An error about the columns, of which it names the first.
    pub(crate) fn column_error(&self, problem: String) -> FormatError {
        Problem::columns(problem, &self.header).at(&self.path)
    }
}
