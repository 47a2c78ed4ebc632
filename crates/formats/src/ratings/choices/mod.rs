//! Choices in place of ratings: one of two items, the best and the worst of several, or an order of all.

mod chosen_by;
mod collected;
mod form;

use super::RatingColumns;
use super::exports::rater_column;
use crate::FormatError;
use crate::delimited_text::DelimitedText;
use collected::Collected;
use form::Form;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::natural_order;
use neurogauge_core::{Choice, Finding, Preference, counted};

/// People's choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Ids of the items: unique, in natural order.
    pub items: Vec<String>,
    /// Ids of the raters: unique, in natural order.
    pub raters: Vec<String>,
    /// By positions in these lists, in the order of the file.
    pub choices: Vec<Choice>,
}

/// The choices in a table, with what was read; `None` if it holds none, or if the request names columns of ratings.
pub(super) fn read(
    text: &DelimitedText,
    columns: &RatingColumns,
) -> Result<Option<(Choices, Vec<Finding>)>, FormatError> {
    let is_named = columns.item.is_some() || columns.value.is_some() || !columns.raters.is_empty();
    let Some(form) = Form::recognise(text).filter(|_| !is_named && columns.items.is_none()) else {
        return Ok(None);
    };
    if !columns.groups.is_empty() {
        let problem = format!("choices have no groups of items; leave out {}", option("group-column", ""));
        return Err(text.column_error(problem));
    }
    let rater = columns.rater.as_deref().map(|name| text.named(name)).transpose()?.or_else(|| rater_column(text));
    let names = text.records.iter().filter_map(|record| Some(record.cell(rater?)));
    let pseudonyms = columns.pseudonyms(names);
    let mut collected = Collected::default();
    let is_by_id = collected.add_all(text, &form, rater)?;
    let Collected {
        items,
        raters,
        mut choices,
        n_missing,
    } = collected;
    let items: Vec<String> = items.into_iter().collect();
    if choices.is_empty() {
        return Err(text.column_error("no line holds a choice between two items".to_owned()));
    }
    let raters: Vec<String> = raters.iter().map(|name| pseudonyms.name(name).to_owned()).collect();
    let (item_order, rater_order) = (natural_order(&items), natural_order(&raters));
    let place = |order: &[usize]| {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        places
    };
    let (item_place, rater_place) = (place(&item_order), place(&rater_order));
    for choice in &mut choices {
        choice.first = item_place[choice.first];
        choice.second = item_place[choice.second];
        choice.rater = rater_place[choice.rater];
    }
    let n_ties = choices.iter().filter(|choice| choice.preferred == Preference::Tie).count();
    let by = match rater {
        Some(at) => format!("{} by {:?}", counted(raters.len(), "rater"), text.header[at]),
        None => "each line by another person, since no column names raters".to_owned(),
    };
    let mut message = format!(
        "{} between {} ({n_ties} ties), {by}: {}",
        counted(choices.len(), "choice"),
        counted(items.len(), "item"),
        form.in_words(text, is_by_id)
    );
    if n_missing > 0 {
        message += &format!("; {} without a choice left out", counted(n_missing, "line"));
    }
    let mut findings = vec![Finding::note("choices_taken", text.path.display().to_string(), message)];
    findings.extend(pseudonyms.finding(&option("keep-emails", "").to_string()));
    let in_order = |names: &[String], order: &[usize]| order.iter().map(|&at| names[at].clone()).collect();
    let found = Choices {
        items: in_order(&items, &item_order),
        raters: in_order(&raters, &rater_order),
        choices,
    };
    Ok(Some((found, findings)))
}
