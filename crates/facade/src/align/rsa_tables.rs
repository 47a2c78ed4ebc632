//! What a representational similarity analysis says: a sentence for each region, and tables.

use super::encoding_tables::{ALPHA, of_first_regions};
use super::rsa::{MISSING_STIMULI, RsaRecord, RsaRegion};
use neurogauge_alignment::TwoFactorEstimate;
use neurogauge_alignment::rsa::RsaResult;
use neurogauge_core::words::word_of;
use neurogauge_report::Table;
use neurogauge_report::{Cell, Ranked, Ranking, TestedDifference, fixed, p_in_words};
use neurogauge_stats::FEWEST_SUBJECTS;

pub(super) fn opening(record: &RsaRecord) -> Vec<String> {
    of_first_regions(&record.regions, |region| headline(record, region))
}

fn quantity(record: &RsaRecord) -> String {
    word_of(&record.request.rsa.comparison)
}

fn headline(record: &RsaRecord, region: &RsaRegion) -> String {
    let result = &region.result;
    let name = region.name();
    let is_tested = result.sources.iter().any(|own| own.p.is_some());
    let is_above = |own: &TwoFactorEstimate| {
        let value = own.value.as_ref().is_ok_and(|value| *value > 0.0);
        value && (!is_tested || own.p_corrected.is_some_and(|p| p <= ALPHA))
    };
    let mut above: Vec<(usize, f64)> = (result.sources.iter().enumerate())
        .filter(|(_, own)| is_above(own))
        .filter_map(|(place, own)| Some((place, *own.value.as_ref().ok()?)))
        .collect();
    above.sort_by(|one, other| other.1.total_cmp(&one.1));
    let quantity = quantity(record);
    let sentence = match above.as_slice() {
        [] => format!("{name}: no source is shown to be more similar to these brains than chance."),
        [(only, value)] => {
            let own = &result.sources[*only];
            let how = own.p_corrected.map_or(String::new(), |p| format!(" ({})", p_in_words(p)));
            let value = format!("{}{}", fixed(*value, Cell::DECIMALS), ends(own));
            let source = &record.sources[*only];
            match is_tested {
                true => format!("{name}: {source} is similar to these brains beyond chance: {quantity} {value}{how}."),
                false => format!("{name}: {source} has {quantity} {value}."),
            }
        }
        _ => format!("{name}: {}", ranking(record, result, &above, &quantity)),
    };
    match (&result.lower_ceiling, &result.upper_ceiling) {
        (Some(lower), Some(upper)) => match (&lower.value, &upper.value) {
            (Ok(lower), Ok(upper)) => {
                let [lower, upper] = [lower, upper].map(|value| fixed(*value, Cell::DECIMALS));
                format!("{sentence} The noise ceiling is between {lower} and {upper}.")
            }
            _ => sentence,
        },
        _ => sentence,
    }
}

fn ranking(record: &RsaRecord, result: &RsaResult, above: &[(usize, f64)], quantity: &str) -> String {
    let ranked: Vec<Ranked<'_>> = above
        .iter()
        .map(|&(place, value)| Ranked {
            name: &record.sources[place],
            value,
            interval: result.sources[place].interval,
        })
        .collect();
    let n = result.differences.len();
    let correction = if n == 1 {
        "1 difference".to_owned()
    } else {
        format!("Holm, {n} differences")
    };
    let ranking = Ranking {
        kind: "source",
        claim: "is most similar",
        quantity,
        correction: &correction,
        alpha: ALPHA,
        decimals: Cell::DECIMALS,
    };
    ranking.sentence(&ranked, |other| {
        let (first, other) = (above.first()?.0, above.get(other)?.0);
        let found = result.differences.iter().find(|own| {
            [own.minuend, own.subtrahend] == [first, other] || [own.minuend, own.subtrahend] == [other, first]
        })?;
        let sign = if found.minuend == first { 1.0 } else { -1.0 };
        let turned = |(low, high): (f64, f64)| if sign > 0.0 { (low, high) } else { (-high, -low) };
        Some(TestedDifference {
            value: sign * found.estimate.value.as_ref().ok()?,
            interval: found.estimate.interval.map(turned),
            p: found.estimate.p_corrected,
        })
    })
}

fn ends(own: &TwoFactorEstimate) -> String {
    let fixed = |value| fixed(value, Cell::DECIMALS);
    own.interval.map_or(String::new(), |(low, high)| format!(" [{}, {}]", fixed(low), fixed(high)))
}

fn cell(own: Option<&TwoFactorEstimate>) -> Cell {
    own.map_or(Cell::Missing, |own| Cell::estimate(&own.value, own.interval))
}

fn p_of(own: Option<&TwoFactorEstimate>) -> Cell {
    Cell::p_value(own.and_then(|own| own.p_corrected))
}

pub(super) fn tables(record: &RsaRecord) -> Vec<Table> {
    let sources = record.regions.iter().flat_map(|region| (0..record.sources.len()).map(move |place| (region, place)));
    let similarities = Table::of("Similarity of dissimilarities", sources)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("source", |(_, place)| Cell::text(record.sources[*place].as_str()))
        .column(quantity(record).as_str(), |(region, place)| cell(region.result.sources.get(*place)))
        .column("p", |(region, place)| p_of(region.result.sources.get(*place)))
        .column("lower ceiling", |(region, _)| cell(region.result.lower_ceiling.as_ref()))
        .column("upper ceiling", |(region, _)| cell(region.result.upper_ceiling.as_ref()))
        .column("below lower ceiling", |(region, place)| cell(region.result.below_ceiling.get(*place)))
        .column("p below", |(region, place)| p_of(region.result.below_ceiling.get(*place)))
        .noted(notes(record));
    let differences = record
        .regions
        .iter()
        .flat_map(|region| region.result.differences.iter().map(move |own| (region, own)));
    let differences = Table::of("Differences of sources", differences)
        .column("region", |(region, _)| Cell::text(region.name()))
        .column("difference", |(_, own)| {
            let [a, b] = [own.minuend, own.subtrahend].map(|place| record.sources[place].as_str());
            Cell::text(format!("{a} − {b}"))
        })
        .column(quantity(record).as_str(), |(_, own)| cell(Some(&own.estimate)))
        .column("p", |(_, own)| p_of(Some(&own.estimate)))
        .noted(Vec::new());
    [Some(similarities), differences.filled()].into_iter().flatten().collect()
}

fn notes(record: &RsaRecord) -> Vec<String> {
    let rsa = &record.request.rsa;
    let most = record.regions.iter().map(|region| region.subjects.len()).max().unwrap_or(0);
    let over = match most >= FEWEST_SUBJECTS {
        true => "new subjects and new stimuli, from resamples of both".to_owned(),
        false => format!("these subjects and new stimuli; new subjects need {FEWEST_SUBJECTS}"),
    };
    let [responses, features] = [rsa.dissimilarity, rsa.dissimilarity.of_features()].map(|kind| word_of(&kind));
    let mut notes = vec![format!(
        "Dissimilarities of responses: {responses}; of features: {features}; over pairs of {} stimuli, responses z-scored within \
             sessions. Intervals ({}%): {over}. p: Holm within the region",
        record.stimuli.len(),
        100.0 * rsa.level
    )];
    if most > 1 {
        notes.push(
            "Ceilings: each subject beside the mean of the others (lower) and of all (upper), over the stimuli that all have".to_owned(),
        );
    }
    if record
        .regions
        .iter()
        .any(|region| region.result.sources.iter().any(|own| own.value.is_ok() && own.p.is_none()))
    {
        notes.push(
            "No p: cosines of dissimilarities that are never negative are above 0 without any relation; crossnobis, or a correlation, \
             has a chance of 0"
                .to_owned(),
        );
    }
    match record.findings.iter().filter(|finding| finding.code == MISSING_STIMULI).count() {
        0 => {}
        1 => notes.push("1 target unit lacks stimuli that others have, and is compared over its own".to_owned()),
        n => notes.push(format!("{n} target units lack stimuli that others have, and are compared over their own")),
    }
    let reasons = record
        .regions
        .iter()
        .flat_map(|region| &region.result.sources)
        .filter_map(|own| own.value.as_ref().err());
    notes.extend(reasons.map(|reason| format!("Undefined: {reason}")).next());
    notes
}
