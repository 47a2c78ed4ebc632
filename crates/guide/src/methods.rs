//! A methods paragraph for a paper, from the records of finished runs and comparisons.

use neurogauge::core::Direction;
use neurogauge::formats::json_differences::differences;
use neurogauge::metrics::{Metric, Options, find, papers_of};
use neurogauge::stats::{BootstrapOptions, PairedTest};
use neurogauge::{Error, RunRecord, ScoreRequest};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Number of hexadecimal digits of the hash of a model's weights that a paragraph shows.
const HASH_DIGITS: usize = 8;

/// The parts of a comparison's record that concern its methods.
#[derive(Deserialize)]
struct CompareRecord {
    request: CompareRequest,
    rows: Vec<Value>,
    differences: Vec<Value>,
}

#[derive(Deserialize)]
struct CompareRequest {
    holm: String,
    test: PairedTest,
    population: Option<String>,
}

/// Describes what was scored, by which metrics, models and options, how intervals were made, and how systems were
/// compared.
///
/// The first run provides what all runs share; options and presets that differ between runs are said to differ. A
/// comparison is described if its record is among them.
///
/// # Errors
/// [`Error::Usage`] if a record belongs to another command, or if no run is among them.
pub fn paragraph(records: &[Value]) -> Result<String, Error> {
    let refused = |found: &str| {
        Error::Usage(format!(
            "--methods: {found}; expected folders of finished runs (run.json), and at most comparisons of them (compare.json)"
        ))
    };
    let read = |source: serde_json::Error| refused(&format!("a record cannot be read ({source})"));
    let (mut runs, mut comparisons) = (Vec::new(), Vec::new());
    for record in records {
        match record["command"].as_str() {
            Some("score") => runs.push(RunRecord::deserialize(record).map_err(read)?),
            Some("compare") => comparisons.push(CompareRecord::deserialize(record).map_err(read)?),
            other => {
                return Err(refused(&format!("found a record of {}", other.unwrap_or("no command"))));
            }
        }
    }
    let first = runs.first().ok_or_else(|| refused("there is no run"))?;
    let mut sentences = vec![scored(&runs, first)];
    sentences.extend(metrics(&runs));
    sentences.push(options(&runs, &first.request));
    sentences.extend(models(&runs));
    sentences.push(intervals(&first.request.bootstrap, first.unit()));
    sentences.extend(comparisons.iter().filter_map(|own| compared(own, first.unit())));
    if runs.iter().flat_map(|run| &run.metrics).any(|metric| metric.stand_in) {
        sentences.push("Some metrics rest on placeholder models and must not be reported.".to_owned());
    }
    Ok(sentences.join(" "))
}

fn scored(runs: &[RunRecord], first: &RunRecord) -> String {
    let n_pairs = || runs.iter().map(|run| run.n_pairs);
    let (fewest, most) = (n_pairs().min().unwrap_or_default(), n_pairs().max().unwrap_or_default());
    let n = match fewest == most {
        true => format!("{most} {}", first.unit()),
        false => format!("{fewest} to {most} {}", first.unit()),
    };
    let version = first.provenance.versions.get("neurogauge").map_or("", String::as_str);
    match runs.len() {
        1 => format!("{n} of stimulus and reconstruction were scored with Neurogauge {version}."),
        k => format!("{n} of stimulus and reconstruction in each of {k} runs were scored with Neurogauge {version}."),
    }
}

/// Metrics by direction, each with the paper that defines it.
fn metrics(runs: &[RunRecord]) -> Vec<String> {
    let mut ids: Vec<&str> = Vec::new();
    for metric in runs.iter().flat_map(|run| &run.metrics) {
        if !ids.contains(&metric.id.as_str()) {
            ids.push(&metric.id);
        }
    }
    let of = |direction: Direction, which: &str| {
        let known = ids.iter().filter_map(|id| find(id));
        let own: Vec<String> = known.filter(|metric| metric.spec.direction == direction).map(cited).collect();
        (!own.is_empty()).then(|| format!("{which} values are better for {}.", listed(&own)))
    };
    [of(Direction::Higher, "Higher"), of(Direction::Lower, "Lower")].into_iter().flatten().collect()
}

/// A metric with its citation, such as `SSIM (Wang et al. 2004)`.
fn cited(metric: &Metric) -> String {
    let paper = papers_of(metric.spec.id).into_iter().next();
    let short = paper.and_then(|paper| {
        let (authors, rest) = paper.split_once(" (")?;
        let (year, _) = rest.split_once(')')?;
        Some(format!(" ({authors} {year})"))
    });
    format!("{}{}", metric.spec.label, short.unwrap_or_default())
}

fn options(runs: &[RunRecord], first: &ScoreRequest) -> String {
    let differs = runs.iter().any(|run| {
        let own = &run.request;
        own.options != first.options || own.perception != first.perception || own.image_size_px != first.image_size_px
    });
    if differs {
        return "Options of metrics or of the preparation of images differ between runs, whose records (run.json) have them.".to_owned();
    }
    let preset = serde_json::json!(first.perception.preset);
    let images = format!("Images were prepared by the preset {}", preset.as_str().unwrap_or("published"));
    let (default, own) = (serde_json::json!(Options::default()), serde_json::json!(first.options));
    let lines = differences(&default, &own);
    match lines.is_empty() {
        true => format!("{images}; all options of metrics were the defaults of this version."),
        false => {
            let lines: Vec<String> =
                lines.iter().map(|line| line.replace(" then", " by default").replace(" now", " here")).collect();
            format!("{images}; options of metrics differed from the defaults of this version in {}.", lines.join("; "))
        }
    }
}

fn models(runs: &[RunRecord]) -> Option<String> {
    let used = runs.iter().flat_map(|run| &run.models).filter(|model| !model.stand_in);
    let words = used.map(|model| {
        let hash: String = model.sha256.chars().take(HASH_DIGITS).collect();
        format!("{} (weights {hash}…)", model.id)
    });
    let words: Vec<String> = words.collect::<BTreeSet<String>>().into_iter().collect();
    (!words.is_empty()).then(|| format!("Images and texts were observed by {}.", listed(&words)))
}

fn intervals(options: &BootstrapOptions, unit: &str) -> String {
    format!(
        "Means are over {unit} with a value and have {}% intervals for new stimuli ({}, {} resamples, seed {}).",
        (1000.0 * options.level).round() / 10.0,
        options.interval.label(),
        options.resamples,
        options.seed.0
    )
}

fn compared(own: &CompareRecord, unit: &str) -> Option<String> {
    let tested = own.differences.iter().filter(|found| !found["p_value"].is_null());
    let family = match (tested.count(), own.request.holm.as_str()) {
        (0, _) => return None,
        (1, _) => "; there is one difference, so p is not corrected".to_owned(),
        (n, "metric") => {
            format!(" and Holm's correction over the differences of each metric ({n} in all)")
        }
        (n, _) => format!(" and Holm's correction over all {n} differences"),
    };
    let test = match own.request.population.as_deref() {
        Some("new") => "t tests over subjects and stimuli".to_owned(),
        _ => format!("{}s of the paired differences", own.request.test.label()),
    };
    Some(format!(
        "{} systems were compared over the {unit} for which all of them have a value, by two-sided {test}{family}.",
        own.rows.len()
    ))
}

/// A list such as `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
