//! Compares finished alignments: core with synthetic, two parcellations, two preprocessing methods.

mod pairing;

use crate::aligned::{Aligned, Kind, RECORD};
use crate::published::paper;
use itertools::Itertools;
use neurogauge::alignment::{Unit, UnitEntry, UnitIntervals};
use neurogauge::report::{Format, Table};
use neurogauge::stats::BootstrapOptions;
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use neurogauge_exhibits::{Made, Records};
use pairing::{Level, Paired, QUANTITIES};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Increased when the layout of `compare.json` changes.
const SCHEMA: u32 = 2;
/// The kind of its record among the paper's exhibits.
const RECORDS: &str = "compare";

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
            let (level, pairs) = pairing::paired(&read[0], other);
            if pairs.is_empty() {
                return Err(Error::Usage(format!("{}: it shares no source and target unit with {}", name, names[0])));
            }
            comparison(name, [&read[0], other], level, &pairs, &intervals)
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

/// The folders' names, with as much of their paths as is needed to distinguish them.
fn names(runs: &[PathBuf]) -> Vec<String> {
    let last = |run: &PathBuf| run.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned();
    let short: Vec<String> = runs.iter().map(last).collect();
    if short.iter().all(|name| short.iter().filter(|own| *own == name).count() == 1) {
        return short;
    }
    runs.iter().map(|run| run.display().to_string()).collect()
}

fn comparison(
    name: &str,
    runs: [&Aligned; 2],
    level: Level,
    pairs: &[Paired],
    intervals: &UnitIntervals<'_>,
) -> Result<Value, Error> {
    let sources = runs.map(|run| run.entries.iter().map(|entry| entry.source.as_str()).unique().collect_vec());
    let is_paired = |source: &&str| pairs.iter().any(|pair| pair.source == *source);
    let unpaired = sources.iter().flatten().filter(|source| !is_paired(source)).sorted_unstable().dedup();
    let (mut of_sources, mut of_regions) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        let own = pairs.iter().filter(|pair| pair.kind == kind);
        of_sources.extend(differences(kind.label(), "", own, intervals)?);
    }
    for source in sources[0].iter().filter(|source| is_paired(source)) {
        let own = pairs.iter().filter(|pair| pair.source == **source && pair.kind != Kind::Subject);
        of_sources.extend(differences(source, "", own, intervals)?);
    }
    let regions = if level == Level::Unit {
        runs[0].regions()
    } else {
        Vec::new()
    };
    for (region, kind) in regions.into_iter().cartesian_product(Kind::ALL) {
        let own = pairs.iter().filter(|pair| pair.kind == kind && pair.unit.roi == region);
        of_regions.extend(differences(kind.label(), region, own, intervals)?);
    }
    Ok(json!({
        "run": name,
        "by_hemisphere": level == Level::Hemisphere,
        "unpaired": unpaired.collect_vec(),
        "sources": of_sources,
        "regions": of_regions,
    }))
}

/// For each quantity that both runs have, its means over the entries of both, and that of the other minus the first.
fn differences<'a>(
    sources: &str,
    region: &str,
    pairs: impl Iterator<Item = &'a Paired>,
    intervals: &UnitIntervals<'a>,
) -> Result<Vec<Value>, Error> {
    let pairs: Vec<&Paired> = pairs.collect();
    let mut found = Vec::new();
    for (place, (quantity, _)) in QUANTITIES.iter().enumerate() {
        let own = pairs.iter();
        let own: Vec<(&Paired, [f64; 2])> = own.filter_map(|&pair| Some((pair, pair.values[place]?))).collect();
        if own.is_empty() {
            continue;
        }
        let units: BTreeSet<&Unit> = own.iter().map(|(pair, _)| &pair.unit).collect();
        let intervals = intervals.among(units);
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
