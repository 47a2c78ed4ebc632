//! Sets published values beside those of runs.

use crate::Paper;
use crate::exhibit::BesideRule;
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::value::{decimals_of, interval_of, number_of};
use serde::Serialize;

/// A quantity here and in the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beside {
    /// Its place in the paper.
    pub place: String,
    /// The row of the paper's table; empty if the quantity already names its subject.
    pub of: String,
    pub quantity: String,
    /// The value here.
    pub here: f64,
    pub interval: Option<(f64, f64)>,
    /// The paper's value, as printed.
    pub published: f64,
    /// The interval of the paper's value.
    pub published_interval: Option<(f64, f64)>,
    /// The value here less the paper's.
    pub difference: f64,
    /// The decimals with which the paper prints it.
    pub decimals: usize,
    /// A contradiction within the paper that concerns the value.
    pub erratum: Option<String>,
}

/// All published values that the records have too.
pub(crate) fn beside(paper: &Paper, making: &Making<'_>) -> Result<Vec<Beside>, PathError> {
    let mut found = Vec::new();
    for (number, rule) in (1..).zip(&paper.file.beside) {
        making.reads(format!("[[beside]] {number}"));
        for row in making.place.find(&rule.rows)? {
            found.extend(of_row(rule, &row)?.into_iter().map(|own| Beside {
                erratum: paper.erratum(&own.place, &own.quantity).map(|known| known.says.clone()),
                ..own
            }));
        }
    }
    Ok(found)
}

fn of_row(rule: &BesideRule, row: &Place<'_>) -> Result<Vec<Beside>, PathError> {
    let words = |sentence: &str| row.text(sentence).map(Option::unwrap_or_default);
    let [place, of, quantity] = [words(&rule.place)?, words(&rule.of)?, words(&rule.quantity)?];
    let one = |quantity: &str, here: &str, printed: Option<Place<'_>>| -> Result<Option<Beside>, PathError> {
        let (Some(here), Some(printed)) = (row.one(here)?, printed) else {
            return Ok(None);
        };
        let ends = rule.ends.as_ref().map(|[low, high]| Ok::<_, PathError>(row.number(low)?.zip(row.number(high)?)));
        let both = number_of(here.value()).zip(number_of(printed.value()));
        let published_interval = ends.transpose()?.flatten();
        Ok(both.map(|(value, published)| Beside {
            place: place.clone(),
            of: of.clone(),
            quantity: quantity.to_owned(),
            here: value,
            interval: Some(here.value()).filter(|value| value.is_object()).and_then(interval_of),
            published,
            published_interval,
            difference: value - published,
            decimals: decimals_of(printed.value()).unwrap_or_default(),
            erratum: None,
        }))
    };
    let printed = row.one(&rule.published)?;
    if rule.columns.is_empty() {
        return Ok(one(&quantity, &rule.here, printed)?.into_iter().collect());
    }
    let mut found = Vec::new();
    for [quantity, here] in &rule.columns {
        let printed = printed.as_ref().map(|row| row.field(quantity)).transpose()?.flatten();
        found.extend(one(quantity, here, printed)?);
    }
    Ok(found)
}
