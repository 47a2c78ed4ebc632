//! Compares finished alignments: core with synthetic, two parcellations, two preprocessing methods.

use crate::aligned::{Aligned, Kind, QUANTITIES, RECORD};
use crate::shown::{AlignComparison, Shown};
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge::align::UnitScore;
use neurogauge::alignment::{Unit, UnitEntry, UnitIntervals};
use neurogauge::stats::{BootstrapOptions, mean};
use neurogauge::{Error, Provenance};
use neurogauge_exhibits::Records;
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many of the quantities are compared: all but ranks.
const N_COMPARED: usize = 6;

impl AlignComparison {
    /// Are these folders of finished alignments?
    pub fn is_of(runs: &[PathBuf]) -> bool {
        !runs.is_empty() && runs.iter().all(|run| run.join(RECORD).exists())
    }

    /// Compares every run with the first, entry by entry. Intervals use the first run's method, with the level, number
    /// of resamples and seed of the options.
    ///
    /// # Errors
    /// A folder has no finished alignment; runs share no source and place.
    pub fn of(runs: &[PathBuf], options: &BootstrapOptions) -> Result<AlignComparison, Error> {
        let read: Vec<Aligned> = runs.iter().map(|run| Aligned::read(run)).collect::<Result<_, Error>>()?;
        let names = names(runs);
        let mut provenance = Provenance::new(Self::SCHEMA, "compare", Some(options.seed.0));
        for (run, name) in runs.iter().zip(&names) {
            provenance.read(format!("runs/{name}"), &run.join(RECORD))?;
        }
        let settings = &read[0].config.settings;
        let units = read[0].units.iter().map(|unit| &unit.unit);
        let intervals = UnitIntervals::new(settings.interval, *options, settings.interval_units, units);
        let all = names.iter().zip(&read).collect_vec();
        let comparisons = all[1..].iter().map(|other| comparison([all[0], *other], &intervals));
        let shown = json!({
            "runs": names,
            "intervals": intervals.words(),
            "comparisons": comparisons.collect::<Result<Vec<_>, Error>>()?,
        });
        let done = format!("{} alignments compared", runs.len());
        Shown::new(provenance, shown, Records::default(), done)
    }
}

/// The folders' names, or whole paths if two folders share a name.
fn names(runs: &[PathBuf]) -> Vec<String> {
    let last = |run: &PathBuf| run.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned();
    let short = runs.iter().map(last).collect_vec();
    match short.iter().all_unique() {
        true => short,
        false => runs.iter().map(|run| run.display().to_string()).collect(),
    }
}

/// A source, whether it is a subject, and a target unit, whose region is empty if regions are averaged.
type Place = (String, bool, Unit);

/// The quantities of each source and target unit, or their means over the regions of a hemisphere.
fn by_place(aligned: &Aligned, by_hemisphere: bool) -> IndexMap<Place, Vec<Option<f64>>> {
    let mut found: IndexMap<Place, Vec<&UnitScore>> = IndexMap::new();
    for entry in &aligned.entries {
        let mut unit = entry.unit.clone();
        if by_hemisphere {
            unit.roi.clear();
        }
        let is_subject = aligned.kind_of(entry) == Kind::Subject;
        found.entry((entry.source.clone(), is_subject, unit)).or_default().push(entry);
    }
    let means = |entries: Vec<&UnitScore>| {
        let quantities = QUANTITIES[..N_COMPARED].iter();
        quantities.map(|(_, _, of)| mean(entries.iter().filter_map(|entry| of(entry)))).collect()
    };
    found.into_iter().map(|(place, entries)| (place, means(entries))).collect()
}

/// What another run gives beside the first.
fn comparison(runs: [(&String, &Aligned); 2], intervals: &UnitIntervals<'_>) -> Result<Value, Error> {
    let [(of_first, first), (name, second)] = runs;
    let is_shared = |unit: &Unit| second.units.iter().any(|other| other.unit == *unit);
    let by_hemisphere = !first.units.iter().any(|own| is_shared(&own.unit));
    let (own, others) = (by_place(first, by_hemisphere), by_place(second, by_hemisphere));
    let pairs = own.iter().filter_map(|(place, values)| Some((place, [values, others.get(place)?]))).collect_vec();
    if pairs.is_empty() {
        return Err(Error::Usage(format!("{name}: it shares no source and target unit with {of_first}")));
    }
    let sources =
        [first, second].map(|run| run.entries.iter().map(|entry| entry.source.as_str()).unique().collect_vec());
    let is_paired = |source: &&str| pairs.iter().any(|((own, ..), _)| own == source);
    let unpaired = sources.iter().flatten().filter(|source| !is_paired(source)).sorted_unstable().dedup();
    // A row for each quantity that both runs have: its means over the entries of both, and that of the other minus the first.
    let of = |sources: Value, region: &str, wanted: &dyn Fn(&Place, Kind) -> bool| {
        let own = pairs.iter().filter(|(place, _)| wanted(place, first.kind(&place.0, place.1))).collect_vec();
        let mut rows = Vec::new();
        for (at, (_, quantity, _)) in QUANTITIES[..N_COMPARED].iter().enumerate() {
            let both = own.iter().filter_map(|(place, [one, other])| Some((place, one[at]?, other[at]?))).collect_vec();
            if both.is_empty() {
                continue;
            }
            let intervals = intervals.among(both.iter().map(|((.., unit), ..)| unit).sorted().dedup());
            let mean = |of: fn(f64, f64) -> f64| {
                intervals.estimate(both.iter().map(|((source, is_subject, unit), one, other)| {
                    UnitEntry::of_source(unit, (source, *is_subject), of(*one, *other))
                }))
            };
            rows.push(json!({
                "sources": sources,
                "region": region,
                "quantity": quantity,
                "first": mean(|one, _| one)?,
                "second": mean(|_, other| other)?,
                "difference": mean(|one, other| other - one)?,
            }));
        }
        Ok::<_, Error>(rows)
    };
    let (mut of_sources, mut of_regions) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        of_sources.extend(of(json!(kind), "", &|_, own| own == kind)?);
    }
    for source in sources[0].iter().filter(|source| is_paired(source)) {
        of_sources.extend(of(json!(source), "", &|(own, is_subject, _), _| own == source && !is_subject)?);
    }
    let regions = if by_hemisphere { Vec::new() } else { first.regions() };
    for (region, kind) in regions.into_iter().cartesian_product(Kind::ALL) {
        of_regions.extend(of(json!(kind), region, &|(.., unit), own| own == kind && unit.roi == region)?);
    }
    Ok(json!({
        "run": name,
        "by_hemisphere": by_hemisphere,
        "unpaired": unpaired.collect_vec(),
        "sources": of_sources,
        "regions": of_regions,
    }))
}
