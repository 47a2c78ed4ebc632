//! Compares finished alignments: core with synthetic, two parcellations, two preprocessing methods.

use crate::aligned::{Aligned, Kind, RECORD};
use crate::published::paper;
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge::align::UnitScore;
use neurogauge::alignment::{Unit, UnitEntry, UnitIntervals};
use neurogauge::report::{Format, Table};
use neurogauge::stats::{BootstrapOptions, mean};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use neurogauge_exhibits::{Made, Records};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Increased when the layout of `compare.json` changes.
const SCHEMA: u32 = 2;
/// The kind of its record among the paper's exhibits.
const RECORDS: &str = "compare";

/// A quantity of an entry.
type Of = fn(&UnitScore) -> Option<f64>;

/// The quantities that are compared, with their names.
const QUANTITIES: [(&str, Of); 6] = [
    ("accuracy", |entry| Some(entry.accuracy)),
    ("ProfileMean", UnitScore::profile_mean),
    ("above chance", |entry| entry.recovered()?.main_null()?.corrected),
    ("BrainRefScore", UnitScore::brain_ref_score),
    ("noise-corrected BrainRefScore", |entry| entry.recovered()?.noise_corrected),
    ("ShapeDist", UnitScore::shape_distance),
];

/// The content of `compare.json` of alignments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignComparisonRecord {
    /// The program, and the runs with the hash of their records.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Names of the runs; the others are compared with the first.
    pub runs: Vec<String>,
    /// How intervals are computed.
    pub intervals: String,
    /// For each other run what it gives beside the first: sources that only one of them has (`unpaired`), whether entries
    /// are paired `by_hemisphere` because they share no region, and mean differences over other subjects, pretrained and
    /// untrained models, and each model (`sources`), and of the groups in each region (`regions`).
    pub comparisons: Vec<Value>,
}

/// A comparison of alignments.
#[derive(Debug)]
pub struct AlignComparison {
    pub record: AlignComparisonRecord,
    made: Made,
}

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
        let mut provenance = Provenance::new(SCHEMA, "compare", Some(options.seed.0));
        for (run, name) in runs.iter().zip(&names) {
            provenance.read(format!("runs/{name}"), &run.join(RECORD))?;
        }
        let settings = read[0].settings();
        let units = read[0].units.iter().map(|unit| &unit.unit);
        let (method, fewest) = (settings.interval, settings.interval_units);
        let intervals = UnitIntervals::new(method, *options, fewest, units);
        let comparisons = read.iter().zip(&names).skip(1).map(|(other, name)| {
            let found = comparison(name, [&read[0], other], &intervals)?;
            let first = &names[0];
            found.ok_or_else(|| Error::Usage(format!("{name}: it shares no source and target unit with {first}")))
        });
        let record = AlignComparisonRecord {
            comparisons: comparisons.collect::<Result<_, Error>>()?,
            runs: names,
            intervals: intervals.words(),
            provenance,
        };
        let records = Records::default().with(RECORDS, &record)?;
        let made = paper()?.make(&records, Some(RECORDS))?;
        Ok(AlignComparison { record, made })
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

/// A source and a place in the brain, with the values of each quantity in both alignments.
struct Paired {
    source: String,
    kind: Kind,
    /// The target unit; its region is empty if regions are averaged.
    unit: Unit,
    values: Vec<Option<[f64; 2]>>,
}

type Places = IndexMap<(String, Unit, bool), (Kind, Vec<Option<f64>>)>;

/// The values of each source and target unit, or their means over the regions of a hemisphere.
fn by_place(aligned: &Aligned, by_hemisphere: bool) -> Places {
    let mut found: IndexMap<(String, Unit, bool), Vec<&UnitScore>> = IndexMap::new();
    for entry in &aligned.entries {
        let unit = match by_hemisphere {
            true => Unit::new(&entry.unit.subject, &entry.unit.hemisphere, ""),
            false => entry.unit.clone(),
        };
        found.entry((entry.source.clone(), unit, entry.donor)).or_default().push(entry);
    }
    let places = found.into_iter().map(|(key, entries)| {
        let values = QUANTITIES.iter().map(|(_, of)| mean(entries.iter().filter_map(|entry| of(entry))));
        (key, (aligned.kind_of(entries[0]), values.collect()))
    });
    places.collect()
}

/// What another run gives beside the first; `None` if they share nothing.
fn comparison(name: &str, runs: [&Aligned; 2], intervals: &UnitIntervals<'_>) -> Result<Option<Value>, Error> {
    let [first, second] = runs;
    let is_shared = |unit: &Unit| second.units.iter().any(|other| other.unit == *unit);
    let by_hemisphere = !first.units.iter().any(|own| is_shared(&own.unit));
    let others = by_place(second, by_hemisphere);
    let pairs = by_place(first, by_hemisphere).into_iter().filter_map(|(key, (kind, values))| {
        let (_, others) = others.get(&key)?;
        let values = values.iter().zip(others).map(|(one, other)| Some([(*one)?, (*other)?])).collect();
        let (source, unit, _) = key;
        Some(Paired {
            source,
            kind,
            unit,
            values,
        })
    });
    let pairs = pairs.collect_vec();
    if pairs.is_empty() {
        return Ok(None);
    }
    let sources = runs.map(|run| run.entries.iter().map(|entry| entry.source.as_str()).unique().collect_vec());
    let is_paired = |source: &&str| pairs.iter().any(|pair| pair.source == *source);
    let unpaired = sources.iter().flatten().filter(|source| !is_paired(source)).sorted_unstable().dedup();
    let of = |sources: &str, region: &str, wanted: &dyn Fn(&Paired) -> bool| {
        differences([sources, region], pairs.iter().filter(|pair| wanted(pair)), intervals)
    };
    let (mut of_sources, mut of_regions) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        of_sources.extend(of(kind.label(), "", &|pair| pair.kind == kind)?);
    }
    for source in sources[0].iter().filter(|source| is_paired(source)) {
        of_sources.extend(of(source, "", &|pair| pair.source == **source && pair.kind != Kind::Subject)?);
    }
    let regions = if by_hemisphere { Vec::new() } else { first.regions() };
    for (region, kind) in regions.into_iter().cartesian_product(Kind::ALL) {
        of_regions.extend(of(kind.label(), region, &|pair| pair.kind == kind && pair.unit.roi == region)?);
    }
    Ok(Some(json!({
        "run": name,
        "by_hemisphere": by_hemisphere,
        "unpaired": unpaired.collect_vec(),
        "sources": of_sources,
        "regions": of_regions,
    })))
}

/// For each quantity that both runs have, its means over the entries of both, and that of the other minus the first.
fn differences<'a>(
    [sources, region]: [&str; 2],
    pairs: impl Iterator<Item = &'a Paired>,
    intervals: &UnitIntervals<'a>,
) -> Result<Vec<Value>, Error> {
    let pairs = pairs.collect_vec();
    let mut found = Vec::new();
    for (place, (quantity, _)) in QUANTITIES.iter().enumerate() {
        let own = pairs.iter().filter_map(|&pair| Some((pair, pair.values[place]?))).collect_vec();
        if own.is_empty() {
            continue;
        }
        let intervals = intervals.among(own.iter().map(|(pair, _)| &pair.unit).sorted().dedup());
        let of = |value: &dyn Fn(&[f64; 2]) -> f64| {
            intervals.estimate(own.iter().map(|(pair, both)| {
                let source = (pair.source.as_str(), pair.kind == Kind::Subject);
                UnitEntry::of_source(&pair.unit, source, value(both))
            }))
        };
        found.push(json!({
            "sources": sources,
            "region": region,
            "quantity": quantity,
            "first": of(&|both| both[0])?,
            "second": of(&|both| both[1])?,
            "difference": of(&|both| both[1] - both[0])?,
        }));
    }
    Ok(found)
}

impl Report for AlignComparison {
    const FILES: ResultFiles = ResultFiles::of("compare.json", "compare", &[Format::Markdown, Format::Csv]);
    const SHOWN: usize = 1;
    type Record = AlignComparisonRecord;

    fn record(&self) -> &AlignComparisonRecord {
        &self.record
    }

    fn done(&self) -> String {
        format!("{} alignments compared", self.record.runs.len())
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.made.tables()
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.made.figures())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        paper().is_ok_and(|paper| paper.has_figure(RECORDS, stem)) && is_drawn(ending)
    }
}
