//! Compares an alignment's values with the paper's.

use super::main_text::main_text;
use super::{PaperRecord, SeedControl};
use crate::aligned::Aligned;
use crate::preset::{MODELS, is_of_main_text};
use crate::published::{self, Printed, PublishedValue};
use neurogauge::Error;
use neurogauge::align::{Alignment, SourceSummary};
use neurogauge::alignment::UnitEstimate;
use serde::Serialize;
use serde_json::{Value, json};

/// A quantity in the alignment and in the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BesidePublished {
    /// Its place in the paper.
    pub place: String,
    /// The model or architecture of Tables 4 and 5; empty if the quantity already names its subject.
    pub of: String,
    pub quantity: String,
    /// The alignment's value.
    pub here: f64,
    pub interval: Option<(f64, f64)>,
    /// The paper's value, as printed.
    pub published: f64,
    /// The interval of the paper's value.
    pub published_interval: Option<(f64, f64)>,
    #[serde(skip)]
    pub(super) decimals: usize,
}

/// A value, with its interval if there is one.
type Own = (f64, Option<(f64, f64)>);

fn of_estimate(of: &UnitEstimate) -> Option<Own> {
    Some((of.mean?, of.interval))
}

impl BesidePublished {
    fn new([place, of, quantity]: [&str; 3], own: Own, published: Printed) -> Self {
        BesidePublished {
            place: place.to_owned(),
            of: of.to_owned(),
            quantity: quantity.to_owned(),
            here: own.0,
            interval: own.1,
            published: published.value,
            published_interval: None,
            decimals: published.decimals,
        }
    }

    /// A row of a table of the paper, with the columns that both have.
    fn row<const N: usize>(place: &str, of: &str, own: [Option<Own>; N]) -> impl Iterator<Item = Self> {
        let both = published::row(place, of).into_iter().zip(own);
        both.filter_map(move |((quantity, printed), own)| {
            Some(BesidePublished::new([place, of, quantity], own?, printed?))
        })
    }

    /// A value from the paper's text or from Table 3.
    fn of_text(printed: PublishedValue, records: &Value) -> Option<Self> {
        let own = own_value(at(records, printed.path)?)?;
        Some(BesidePublished {
            published_interval: printed.interval.map(|(low, high)| (low.value, high.value)),
            ..BesidePublished::new([printed.place, "", printed.quantity], own, printed.printed)
        })
    }
}

/// A part of a record. The path has steps between slashes: a field, a position in a list, or conditions `field=value`
/// (joined by `&`), which select the first element of a list that meets them.
fn at<'a>(record: &'a Value, path: &str) -> Option<&'a Value> {
    let is = |own: &Value, wanted: &str| match own {
        Value::String(own) => own == wanted,
        own => own.is_number() && own.as_f64() == wanted.parse().ok(),
    };
    let fits =
        |own: &Value, condition: &str| condition.split_once('=').is_some_and(|(field, value)| is(&own[field], value));
    path.split('/').try_fold(record, |found, step| match (found.as_array(), step.contains('=')) {
        (Some(list), true) => list.iter().find(|own| step.split('&').all(|condition| fits(own, condition))),
        (Some(list), false) => list.get(step.parse::<usize>().ok()?),
        (None, _) => found.get(step),
    })
}

/// The value of an estimate, an outcome or a number.
fn own_value(found: &Value) -> Option<Own> {
    let value = ["mean", "value"].iter().find_map(|field| found.get(field)).unwrap_or(found);
    let interval = found.get("interval").cloned().and_then(|ends| serde_json::from_value(ends).ok());
    Some((value.as_f64()?, interval))
}

/// All values in the text and in Tables 3 to 5 that the alignment has too; empty if it asks a different question.
pub(super) fn beside(
    alignment: &Alignment,
    aligned: &Aligned,
    record: &PaperRecord,
) -> Result<Vec<BesidePublished>, Error> {
    if !published::is_comparable(&aligned.config) {
        return Ok(Vec::new());
    }
    let summary = &alignment.record.summary;
    let records = json!({
        "summary": summary,
        "references": record.references,
        "main": main_text(alignment, aligned)?,
    });
    let of_text = published::values().filter_map(|printed| BesidePublished::of_text(printed, &records));
    let mut found: Vec<BesidePublished> = of_text.collect();
    found.extend(of_seeds(record, aligned));
    found.extend(summary.sources.iter().flat_map(|source| of_model(source, aligned)));
    Ok(found)
}

/// A row of Table 5; empty for a source that is not in it.
fn of_model(source: &SourceSummary, aligned: &Aligned) -> Vec<BesidePublished> {
    let model = aligned.config.sources.iter().find(|own| own.name == source.source);
    let row = model.and_then(published::id_of).map(|id| {
        let own = [
            Some(&source.accuracy),
            source.profile_mean(),
            Some(&source.brain_ref_score),
            Some(&source.shape_distance),
        ];
        BesidePublished::row("Table 5", id, own.map(|own| own.and_then(of_estimate)))
    });
    row.into_iter().flatten().collect()
}

/// Table 4, for architectures with all four untrained models.
fn of_seeds(record: &PaperRecord, aligned: &Aligned) -> Vec<BesidePublished> {
    let is_paper_s = |name: &str| {
        let known = aligned.config.sources.iter().find(|own| own.model.as_deref() == Some(name));
        MODELS.iter().filter(|model| is_of_main_text(model)).any(|model| model.id == name)
            && known.is_some_and(|own| published::id_of(own).is_some())
    };
    let of_main = |own: &&SeedControl| own.n_seeds == 4 && is_paper_s(&own.architecture);
    let n_main = record.seeds.iter().filter(of_main).count();
    let n_all = record.seeds.iter().filter(|own| own.architecture != "overall").count();
    let is_shown = |own: &&SeedControl| match own.architecture.as_str() {
        "overall" => n_main == 4 && n_all == 4,
        _ => of_main(own),
    };
    let rows = record.seeds.iter().filter(is_shown).flat_map(|of| {
        let own = [
            Some(of.pretrained),
            Some(of.mean),
            Some(of.sd),
            Some(of.range.0),
            Some(of.range.1),
            Some(of.gap),
            of.sd_over_gap,
        ];
        BesidePublished::row("Table 4", &of.architecture, own.map(|own| Some((own?, None))))
    });
    rows.collect()
}
