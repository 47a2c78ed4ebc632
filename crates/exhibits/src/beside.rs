//! Sets published values beside those of runs.

use crate::Paper;
use crate::making::Making;
use crate::place::PathError;
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
    for (number, rule) in (1..).zip(&paper.beside) {
        making.reads(format!("[[beside]] {number}"));
        for row in making.place.find(&rule.rows)? {
            let words = |sentence: &str| row.text(sentence).map(Option::unwrap_or_default);
            let ends = rule
                .ends
                .as_ref()
                .map(|[low, high]| Ok::<_, PathError>(row.number(low)?.zip(row.number(high)?)))
                .transpose()?;
            for [quantity, here] in &rule.columns {
                let (place, quantity) = (words(&rule.place)?, words(quantity)?);
                let printed = match row.one(&rule.published)? {
                    Some(of_row) if of_row.value().is_object() => of_row.field(&quantity)?,
                    own => own,
                };
                let (Some(here), Some(printed)) = (row.one(here)?, printed) else {
                    continue;
                };
                let concerned = format!("{place}: {quantity}");
                let erratum = paper.errata.iter().find(|own| own.concerns.contains(&concerned));
                if let Some((value, published)) = number_of(here.value()).zip(number_of(printed.value())) {
                    found.push(Beside {
                        place,
                        of: words(&rule.of)?,
                        quantity,
                        here: value,
                        interval: interval_of(here.value()),
                        published,
                        published_interval: ends.flatten(),
                        difference: value - published,
                        decimals: decimals_of(printed.value()).unwrap_or_default(),
                        erratum: erratum.map(|known| known.says.clone()),
                    });
                }
            }
        }
    }
    Ok(found)
}
