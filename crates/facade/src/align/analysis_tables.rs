//! What an analysis of sources says: a sentence for each region, and tables.

use super::analysis::{AnalysedRegion, AnalysisRecord, SourceAnalysis};
use neurogauge_alignment::{Quantity, TwoFactorEstimate};
use neurogauge_report::{Cell, Table, fixed, p_in_words};
use neurogauge_stats::FEWEST_SUBJECTS;

/// The significance level of every claim.
const ALPHA: f64 = 0.05;
/// Regions that have a sentence; the tables have all.
const MOST_SENTENCES: usize = 4;

pub(super) fn opening<A: SourceAnalysis>(record: &AnalysisRecord<A>) -> Vec<String> {
    let mut lines: Vec<String> =
        record.regions.iter().take(MOST_SENTENCES).map(|region| headline(record, region)).collect();
    if record.regions.len() > MOST_SENTENCES {
        lines.push(format!("The other {} regions are in the table.", record.regions.len() - MOST_SENTENCES));
    }
    lines
}

fn headline<A: SourceAnalysis>(record: &AnalysisRecord<A>, region: &AnalysedRegion) -> String {
    let quantity = record.request.analysis.quantity();
    let [claim, none] = A::CLAIMS;
    let sources = region.estimates.sources.iter().enumerate();
    let valued = sources.filter_map(|(source, own)| {
        let own = &own.first()?.1;
        Some((source, *own.value.as_ref().ok()?, own))
    });
    let mut ranked: Vec<(usize, f64, &TwoFactorEstimate)> = valued.collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    let name = |source: usize| record.sources[source].as_str();
    let is_untested = !ranked.is_empty() && ranked.iter().all(|(.., own)| own.p.is_none());
    ranked.retain(|(_, value, own)| *value > 0.0 && own.p_corrected.is_some_and(|p| p <= ALPHA));
    let sentence = match ranked.first() {
        None if is_untested => format!("{quantity} has no p, so nothing is claimed of sources."),
        None => format!("{none}."),
        Some((source, _, own)) => {
            let differences = region.estimates.differences.iter();
            let of_best = differences.filter(|other| [other.minuend, other.subtrahend].contains(source));
            let p: Vec<Option<f64>> = of_best.map(|other| other.estimate.p_corrected).collect();
            let rank = match (p.len(), p.iter().all(|p| p.is_some_and(|p| p <= ALPHA))) {
                (0, _) => "",
                (_, true) => ", more than every other source",
                (_, false) => ", and is not shown to be above every other source",
            };
            let p = own.p_corrected.map_or(String::new(), p_in_words);
            format!("{} {claim}: {quantity} {} ({p}){rank}.", name(*source), in_words(own))
        }
    };
    let best = ranked.first().map(|(source, ..)| (*source, name(*source)));
    let addition = A::addition(region, best).map_or(String::new(), |words| format!(" {words}"));
    format!("{}: {sentence}{addition}", region.name())
}

/// A value and its interval.
pub(super) fn in_words(own: &TwoFactorEstimate) -> String {
    let fixed = |value| fixed(value, Cell::DECIMALS);
    let ends = own.interval.map_or(String::new(), |(low, high)| format!(" [{}, {}]", fixed(low), fixed(high)));
    own.value.as_ref().map_or("without a value".to_owned(), |value| format!("{}{ends}", fixed(*value)))
}

fn cell(own: Option<&TwoFactorEstimate>) -> Cell {
    own.map_or(Cell::Missing, |own| Cell::estimate(&own.value, own.interval))
}

fn p_of(own: Option<&TwoFactorEstimate>) -> Cell {
    Cell::p_value(own.and_then(|own| own.p_corrected))
}

fn heading(quantity: Quantity, first: &str) -> &str {
    match quantity {
        Quantity::Similarity | Quantity::R => first,
        Quantity::LowerCeiling => "lower ceiling",
        Quantity::UpperCeiling => "upper ceiling",
        Quantity::BelowCeiling => "below lower ceiling",
        Quantity::RSquared => "r²",
        Quantity::Explained => "R²",
        Quantity::RCeiling => "ceiling of r",
        Quantity::Explainable => "explainable",
        Quantity::RRelative => "r / ceiling",
        Quantity::RSquaredRelative => "r² / explainable",
        Quantity::ExplainedRelative => "R² / explainable",
    }
}

pub(super) fn tables<A: SourceAnalysis>(record: &AnalysisRecord<A>) -> Vec<Table> {
    let first = record.request.analysis.quantity();
    let regions = &record.regions;
    let rows = regions.iter().flat_map(|region| (0..record.sources.len()).map(move |place| (region, place)));
    let mut table = Table::of("Sources", rows)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("source", |(_, place)| Cell::text(record.sources[*place].as_str()));
    // Regions of one subject have no ceilings of similarity.
    let all = || regions.iter().flat_map(|region| &region.estimates.sources);
    let longest = all().max_by_key(|own| own.len()).map_or(&[][..], Vec::as_slice);
    for &(quantity, _) in longest {
        let heading = heading(quantity, &first);
        table = table.column(heading, |(region, place)| cell(region.estimates.get(*place, quantity)));
        if all().flatten().any(|(own, found)| *own == quantity && found.p.is_some()) {
            let of = if heading == first { "" } else { heading };
            let heading = format!("p {of}").trim_end().to_owned();
            table = table.column(heading, |(region, place)| p_of(region.estimates.get(*place, quantity)));
        }
    }
    let differences =
        regions.iter().flat_map(|region| region.estimates.differences.iter().map(move |own| (region, own)));
    let differences = Table::of("Differences of sources", differences)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("difference", |(_, own)| {
            Cell::text(format!("{} − {}", record.sources[own.minuend], record.sources[own.subtrahend]))
        })
        .column(first.as_str(), |(_, own)| cell(Some(&own.estimate)))
        .column("p", |(_, own)| p_of(Some(&own.estimate)))
        .noted(Vec::new());
    let most = regions.iter().map(|region| region.subjects.len()).max().unwrap_or(0);
    let over = match most >= FEWEST_SUBJECTS {
        true => "Intervals (95%): new subjects and new stimuli, from resamples of both".to_owned(),
        false => format!("Intervals (95%): these subjects and new stimuli; new subjects need {FEWEST_SUBJECTS}"),
    };
    let mut notes = A::notes(record, &over);
    let undefined = all().flatten().filter_map(|(_, own)| own.value.as_ref().err());
    notes.extend(undefined.map(|reason| format!("Undefined: {reason}")).next());
    [Some(table.noted(notes)), differences.filled()].into_iter().flatten().collect()
}
