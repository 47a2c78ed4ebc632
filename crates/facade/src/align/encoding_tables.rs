//! What an encoding model says: a sentence for each region, and tables.

use super::encoding::{EncodingRecord, LEAST_RELIABILITY, RegionEncoding};
use neurogauge_alignment::TwoFactorEstimate;
use neurogauge_alignment::encoding::Quantity;
use neurogauge_core::words::word_of;
use neurogauge_report::{Cell, Table, fixed, p_in_words};
use neurogauge_stats::FEWEST_SUBJECTS;

/// The significance level of every claim.
pub(super) const ALPHA: f64 = 0.05;
/// Regions that have a sentence; the tables have all.
const MOST_SENTENCES: usize = 4;

pub(super) fn opening(record: &EncodingRecord) -> Vec<String> {
    of_first_regions(&record.regions, |region| headline(record, region))
}

/// A sentence for each of the first regions, and how many more there are.
pub(super) fn of_first_regions<R>(regions: &[R], sentence: impl Fn(&R) -> String) -> Vec<String> {
    let mut lines: Vec<String> = regions.iter().take(MOST_SENTENCES).map(sentence).collect();
    if regions.len() > MOST_SENTENCES {
        lines.push(format!("The other {} regions are in the table.", regions.len() - MOST_SENTENCES));
    }
    lines
}

/// What the source of the highest r explains, if it predicts anything, and whether it differs from all others.
fn headline(record: &EncodingRecord, region: &RegionEncoding) -> String {
    let value = |source: usize, quantity| region.result.sources[source].get(quantity)?.value.as_ref().ok().copied();
    let predicts = |&source: &usize| {
        let found = region.result.sources[source].get(Quantity::R);
        found.is_some_and(|own| {
            own.value.as_ref().is_ok_and(|r| *r > 0.0) && own.p_corrected.is_some_and(|p| p <= ALPHA)
        })
    };
    let name = region.name();
    let order = |a: &usize, b: &usize| value(*a, Quantity::R).partial_cmp(&value(*b, Quantity::R));
    let best = (0..record.sources.len())
        .filter(predicts)
        .max_by(|a, b| order(a, b).unwrap_or(std::cmp::Ordering::Equal));
    let Some(best) = best else {
        return format!("{name}: no source is shown to predict its voxels.");
    };
    let words = |quantity| {
        let found = region.result.sources[best].get(quantity);
        found.map_or(String::new(), in_words)
    };
    let p = region.result.sources[best]
        .get(Quantity::R)
        .and_then(|own| own.p_corrected)
        .map_or(String::new(), p_in_words);
    let others: Vec<Option<f64>> = (region.result.differences.iter())
        .filter(|(a, b, _)| [*a, *b].contains(&best))
        .map(|(.., found)| found.p_corrected)
        .collect();
    let first = match (others.len(), others.iter().all(|p| p.is_some_and(|p| p <= ALPHA))) {
        (0, _) => "",
        (_, true) => ", more than every other source",
        (_, false) => ", and is not shown to predict more than every other source",
    };
    format!(
        "{name}: {} predicts voxels with r {} ({p}){first}. It explains {} of their variance, and {} of what repeats reproduce.",
        record.sources[best],
        words(Quantity::R),
        words(Quantity::Explained),
        words(Quantity::ExplainedRelative)
    )
}

fn in_words(own: &TwoFactorEstimate) -> String {
    let fixed = |value| fixed(value, Cell::DECIMALS);
    let ends = own.interval.map_or(String::new(), |(low, high)| format!(" [{}, {}]", fixed(low), fixed(high)));
    own.value.as_ref().map_or("without a value".to_owned(), |value| format!("{}{ends}", fixed(*value)))
}

fn cell(own: Option<&TwoFactorEstimate>) -> Cell {
    own.map_or(Cell::Missing, |own| Cell::estimate(&own.value, own.interval))
}

pub(super) fn tables(record: &EncodingRecord) -> Vec<Table> {
    let rows = record.regions.iter().flat_map(|region| (0..record.sources.len()).map(move |place| (region, place)));
    let of =
        |quantity| move |(region, place): &(&RegionEncoding, usize)| cell(region.result.sources[*place].get(quantity));
    let accuracies = Table::of("Voxels predicted by ridge regression", rows)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("source", |(_, place)| Cell::text(record.sources[*place].as_str()))
        .column("r", of(Quantity::R))
        .column("p", |(region, place)| {
            Cell::p_value(region.result.sources[*place].get(Quantity::R).and_then(|own| own.p_corrected))
        })
        .column("r²", of(Quantity::RSquared))
        .column("R²", of(Quantity::Explained))
        .column("ceiling of r", of(Quantity::RCeiling))
        .column("explainable", of(Quantity::Explainable))
        .column("r / ceiling", of(Quantity::RRelative))
        .column("r² / explainable", of(Quantity::RSquaredRelative))
        .column("R² / explainable", of(Quantity::ExplainedRelative))
        .noted(notes(record));
    let differences = record
        .regions
        .iter()
        .flat_map(|region| region.result.differences.iter().map(move |own| (region, own)));
    let differences = Table::of("Differences of sources", differences)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("difference", |(_, (a, b, _))| {
            Cell::text(format!("{} − {}", record.sources[*a], record.sources[*b]))
        })
        .column("r", |(_, (.., found))| cell(Some(found)))
        .column("p", |(_, (.., found))| Cell::p_value(found.p_corrected))
        .noted(Vec::new());
    [Some(accuracies), differences.filled()].into_iter().flatten().collect()
}

fn notes(record: &EncodingRecord) -> Vec<String> {
    let count = |of: &dyn Fn(&RegionEncoding) -> &Vec<usize>| -> usize { record.regions.iter().flat_map(of).sum() };
    let [all, constant, below] =
        [count(&|own| &own.n_voxels), count(&|own| &own.n_constant), count(&|own| &own.n_below)];
    let most = record.regions.iter().map(|region| region.subjects.len()).max().unwrap_or(0);
    let over = match most >= FEWEST_SUBJECTS {
        true => "new subjects and new stimuli, from resamples of both".to_owned(),
        false => format!("these subjects and new stimuli; new subjects need {FEWEST_SUBJECTS}"),
    };
    let ceiling = word_of(&record.request.encoding.ceiling);
    vec![
        format!(
            "Means over voxels; relative: mean accuracy over mean ceiling. Intervals ({}%): {over}, ceilings included, for these fits. \
             p: Holm within the region",
            100.0 * record.request.encoding.level
        ),
        format!(
            "Ceilings from repeats ({ceiling}). {below} of {all} voxels have a reliability below {LEAST_RELIABILITY}: they count in \
             means, and have no relative value in voxels.parquet. {constant} are constant, and left out"
        ),
        "r² of a source without information is above 0 on average; r and R² are not".to_owned(),
    ]
}
