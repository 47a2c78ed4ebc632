//! The layout of a table of ratings: long or wide, and the roles of its columns.

use super::crowd::Crowd;
use super::{RatingColumns, questions, rater_choice};
use crate::FormatError;
use crate::delimited_text::DelimitedText;
use neurogauge_core::{Finding, first_names};

pub(super) const ITEM: [&str; 4] = ["item", "stimulus", "image", "id"];
pub(super) const RATER: [&str; 6] = ["rater", "worker", "annotator", "participant", "subject", "workerid"];
pub(super) const VALUE: [&str; 4] = ["value", "rating", "answer", "score"];

/// Columns by position.
pub(super) enum RatingsLayout {
    /// One line per rating.
    Long {
        item: Vec<usize>,
        rater: usize,
        value: usize,
    },
    /// One line per item.
    Wide {
        item: Vec<usize>,
        raters: Vec<usize>,
        /// How the raters were found; `None` if the request named them.
        finding: Option<Finding>,
    },
}

impl RatingsLayout {
    /// What holds the ratings, in a few words.
    pub(super) fn in_words(&self, text: &DelimitedText) -> String {
        let names = |columns: &[usize]| first_names(&columns.iter().map(|&at| &text.header[at]).collect::<Vec<_>>());
        match self {
            RatingsLayout::Long { item, rater, value } => {
                format!("columns {}, {}", names(item), names(&[*rater, *value]))
            }
            RatingsLayout::Wide { item, .. } => format!("a column for each rater, items in {}", names(item)),
        }
    }
}

/// The group columns, in the requested order, and the layout.
pub(super) fn recognise(
    text: &DelimitedText,
    columns: &RatingColumns,
) -> Result<(Vec<usize>, RatingsLayout), FormatError> {
    let groups = columns.groups.iter().map(|name| text.named(name));
    let groups = groups.collect::<Result<Vec<usize>, FormatError>>()?;
    for (place, group) in groups.iter().enumerate() {
        if groups[..place].contains(group) {
            let name = &text.header[*group];
            return Err(text.column_error(format!("{name:?} is named twice as a group")));
        }
    }
    let layout = layout(text, columns, &groups)?;
    Ok((groups, layout))
}

fn layout(text: &DelimitedText, columns: &RatingColumns, groups: &[usize]) -> Result<RatingsLayout, FormatError> {
    let item = columns.item.as_deref().map(|names| item_columns(text, names)).transpose()?;
    let column_named = |name: &Option<String>| {
        let name = name.as_deref();
        name.map(|name| text.named(name)).transpose()
    };
    let rater = column_named(&columns.rater)?;
    let value = column_named(&columns.value)?;

    let mut taken: Vec<usize> = item.iter().flatten().copied().collect();
    for column in [rater, value].into_iter().flatten() {
        if taken.contains(&column) || groups.contains(&column) {
            let name = &text.header[column];
            return Err(text.column_error(format!("{name:?} cannot be two things at once")));
        }
        taken.push(column);
    }
    let or_groups = [&taken, groups].concat();
    let usual_raters = text.usually_named(&RATER, &or_groups);
    let usual_values = text.usually_named(&VALUE, &or_groups);
    let is_wide = !columns.raters.is_empty()
        || (rater.is_none() && value.is_none() && usual_raters.is_empty() && usual_values.is_empty());
    if is_wide {
        let raters = questions::rater_columns(text, &columns.raters)?;
        let item = match item {
            Some(item) => item,
            None => vec![text.item_column(&ITEM)?],
        };
        let (raters, finding) = match raters {
            Some(raters) => (raters, None),
            None => {
                let others = text.columns_besides(&[&item, groups].concat())?;
                let (raters, finding) = rater_choice::choose(text, &others)?;
                (raters, Some(finding))
            }
        };
        return Ok(RatingsLayout::Wide { item, raters, finding });
    }
    let crowd = Crowd::recognise(text);
    if crowd.is_none()
        && rater.is_none()
        && usual_raters.is_empty()
        && let Some(of_means) = means(text, item.as_deref(), groups, value, &usual_values)?
    {
        return Ok(of_means);
    }
    let rater = match rater {
        Some(rater) => rater,
        None => only(text, &usual_raters, "rater", &RATER)?,
    };
    let value = match value {
        Some(value) => value,
        None => match &crowd {
            Some(crowd) if usual_values.is_empty() => crowd.only_answer(text)?,
            _ => only(text, &usual_values, "value", &VALUE)?,
        },
    };
    let item = match (item, &crowd) {
        (Some(item), _) => item,
        (None, Some(crowd)) => vec![crowd.item(text, &ITEM)?],
        (None, None) => {
            let usual_items = text.usually_named(&ITEM, &taken);
            vec![only(text, &usual_items, "item", &ITEM)?]
        }
    };
    Ok(RatingsLayout::Long { item, rater, value })
}

/// A table with one value for each item and no column that could belong to a rater.
fn means(
    text: &DelimitedText,
    item: Option<&[usize]>,
    groups: &[usize],
    value: Option<usize>,
    usual_values: &[usize],
) -> Result<Option<RatingsLayout>, FormatError> {
    let value = match (value, usual_values) {
        (Some(value), _) | (None, &[value]) => value,
        _ => return Ok(None),
    };
    let item = match item {
        Some(item) => item.to_vec(),
        None => vec![text.item_column(&ITEM)?],
    };
    let mut others = text.columns_besides(&[&item, groups].concat())?;
    others.retain(|at| *at != value);
    let mut lines: Vec<Vec<&str>> =
        text.records.iter().map(|line| item.iter().map(|&at| line.cell(at)).collect()).collect();
    lines.sort_unstable();
    let is_unique = lines.windows(2).all(|two| two[0] != two[1]);
    let is_of_means = is_unique && !item.contains(&value) && rater_choice::are_no_raters(text, &others);
    Ok(is_of_means.then(|| RatingsLayout::Wide {
        item,
        raters: vec![value],
        finding: Some(rater_choice::of_means(text, value, &[])),
    }))
}

/// Is there no column with a usual name for the rating?
pub(super) fn lacks_values(text: &DelimitedText) -> bool {
    text.usually_named(&VALUE, &[]).is_empty()
}

/// A single column, or several in a comma-separated list, unless a column has exactly that name, commas included.
fn item_columns(text: &DelimitedText, names: &str) -> Result<Vec<usize>, FormatError> {
    if let Ok(single) = text.named(names) {
        return Ok(vec![single]);
    }
    let mut columns = Vec::new();
    for name in names.split(',') {
        let column = text.named(name)?;
        if columns.contains(&column) {
            return Err(text.column_error(format!("{names:?} names a column twice")));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn only(text: &DelimitedText, usual_columns: &[usize], role: &str, usual: &[&str]) -> Result<usize, FormatError> {
    match usual_columns {
        [column] => Ok(*column),
        [] => Err(text.column_error(format!(
            "no column has a usual name for the {role} ({}) and none was named",
            usual.join(", ")
        ))),
        several => {
            let names: Vec<&str> = several.iter().map(|&at| text.header[at].as_str()).collect();
            Err(text.fault(format!("{} could all be the {role}; name the right one", first_names(&names))))
        }
    }
}
