//! Sets published values beside those of runs.

use crate::exhibit::{BesideRule, Exhibit};
use crate::making::Making;
use crate::place::{PathError, Place};
use crate::value::{decimals_of, interval_of, number_of};
use crate::{Paper, Records};
use neurogauge::Error;
use serde_json::{Value, json};

impl Paper {
    /// The published values that the records have too. Each has its `place` in the paper, the row `of` the paper's table
    /// (empty if the quantity names its subject), its `quantity`, the value `here` with its `interval`, the `published` one
    /// with its `published_interval` and the `decimals` with which it is printed, the `difference` (here less published),
    /// and the `erratum` that concerns it.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn beside(&self, records: &Records) -> Result<Vec<Value>, Error> {
        let (no_exhibit, mut found) = (Exhibit::default(), Vec::new());
        let making = Making::of(&no_exhibit, self.start(records));
        for (number, rule) in (1..).zip(&self.beside) {
            making.reads(format!("[[beside]] {number}"));
            for row in making.told(self, making.place.find(&rule.rows))? {
                found.extend(making.told(self, self.beside_row(rule, &row))?);
            }
        }
        Ok(found)
    }

    fn beside_row(&self, rule: &BesideRule, row: &Place<'_>) -> Result<Vec<Value>, PathError> {
        let words = |sentence: &str| row.text(sentence).map(Option::unwrap_or_default);
        let (place, of, mut found) = (words(&rule.place)?, words(&rule.of)?, Vec::new());
        let ends = match &rule.ends {
            Some([low, high]) => row.number(low)?.zip(row.number(high)?),
            None => None,
        };
        for [quantity, here, published] in &rule.columns {
            let (Some(here), Some(printed)) = (row.one(here)?, row.one(published)?) else {
                continue;
            };
            let quantity = words(quantity)?;
            let concerned = format!("{place}: {quantity}");
            let erratum = self.errata.iter().find(|own| own.concerns.contains(&concerned));
            if let Some((value, published)) = number_of(here.value()).zip(number_of(printed.value())) {
                found.push(json!({
                    "place": place, "of": of, "quantity": quantity, "here": value, "interval": interval_of(here.value()),
                    "published": published, "published_interval": ends, "difference": value - published,
                    "decimals": decimals_of(printed.value()).unwrap_or_default(),
                    "erratum": erratum.map(|known| &known.says),
                }));
            }
        }
        Ok(found)
    }
}
