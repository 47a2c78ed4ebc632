//! Scores every system under every convention.

use crate::choices::{choices, kind_of};
use crate::convention::{Convention, conventions};
use crate::effects::{FactorLevels, is_factorial, main_effects};
use crate::order::order;
use crate::record::{DAGGER, SCHEMA, nearest};
use crate::{ConventionRow, Effect, MetricUniverse, MultiverseRecord, MultiverseRequest, Scored};
use itertools::Itertools;
use neurogauge::core::observation::ObservationKind;
use neurogauge::core::{Direction, Finding, Side};
use neurogauge::metrics::{Metric, find, in_order, list};
use neurogauge::stats::{BootstrapOptions, standard_deviation};
use neurogauge::{Error, Input, MetricSummary, Progress, Provenance, Run, RunSettings, score, unknown_metric};
use std::collections::BTreeMap;

/// Scores every system under every convention into `runs/<convention>/<system>` below the folder of the settings, and
/// summarises. Finished runs there are read back, and features of images with the same preparation are computed once.
///
/// # Errors
/// A metric is unknown; a metric is affected by no preset or option; metrics of images and of captions are mixed; two
/// systems have one name; errors of [`score`](neurogauge::score()). Sizes that cannot be compared under a convention
/// are a warning, and the convention is left out.
pub fn multiverse(
    request: &MultiverseRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<MultiverseRecord, Error> {
    let request = &request.with_absolute_paths();
    let (metrics, conventions) = resolved(request)?;
    let names: Vec<String> = request.systems.iter().map(|(name, _)| name.clone()).collect();
    let mut findings = Vec::new();
    let mut rows: Vec<(&Convention, Vec<(String, Run)>)> = Vec::new();
    for (place, convention) in conventions.iter().enumerate() {
        progress.detail(&format!("convention {} of {}: {}", place + 1, conventions.len(), convention.name));
        let mut runs = Vec::new();
        for (place, asked) in convention.runs(&request.systems) {
            let settings = RunSettings {
                out: settings.out.join(&place),
                ..settings.clone()
            };
            match score(&asked, &settings, progress) {
                Ok(run) => runs.push((place, run)),
                Err(error @ Error::Shapes { .. }) => {
                    findings.push(Finding::warning("left_out", &convention.name, of_shapes(&error)));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        if runs.len() == request.systems.len() {
            rows.push((convention, runs));
        }
    }
    for (_, runs) in &rows {
        for (_, run) in runs {
            for warning in &run.record.findings {
                if !findings.contains(warning) {
                    findings.push(warning.clone());
                }
            }
        }
    }
    let universes = metrics
        .iter()
        .filter_map(|metric| universe(metric, metrics.len(), &names, &rows, &request.score.bootstrap).transpose());
    let metrics: Vec<MetricUniverse> = universes.collect::<Result<_, Error>>()?;
    let seed = request.score.bootstrap.seed.0;
    Ok(MultiverseRecord {
        provenance: Provenance::new(SCHEMA, "multiverse", Some(seed)),
        nearest: match request.published {
            Some(published) => {
                let rows = metrics.iter().map(|own| (own.metric, own.conventions.as_slice()));
                nearest(published, &names, rows)
            }
            None => Vec::new(),
        },
        request: request.clone(),
        metrics,
        findings,
    })
}

/// The reason why a convention is left out. The convention itself decides whether images are squashed, so no option
/// could help.
fn of_shapes(error: &Error) -> String {
    let Error::Shapes {
        pair,
        metrics,
        gt,
        recon,
        gt_resized,
        recon_resized,
    } = error
    else {
        return error.to_string();
    };
    let px = |(width, height): &(usize, usize)| format!("{width} x {height} px");
    format!(
        "left out: the stimulus of pair {pair:?} is {} and the reconstruction {} ({} and {} after resizing); this convention needs the same \
         shape for {metrics}: crop or pad one side. `neurogauge check` lists all such pairs",
        px(gt),
        px(recon),
        px(gt_resized),
        px(recon_resized)
    )
}

/// The metrics of a request, and the conventions under which they are computed.
pub(crate) fn resolved(request: &MultiverseRequest) -> Result<(Vec<&'static Metric>, Vec<Convention>), Error> {
    let metrics = metrics(request)?;
    for (place, (name, _)) in request.systems.iter().enumerate() {
        if request.systems[..place].iter().any(|(known, _)| known == name) {
            return Err(Error::Usage(format!("two systems are called {name}; give each its own NAME=RECON")));
        }
    }
    let mut base = request.score.clone();
    let reads = metrics.first().map_or(ObservationKind::Images, |metric| kind_of(metric));
    if let Some(other) = metrics.iter().find(|metric| kind_of(metric) != reads) {
        return Err(Error::Usage(format!(
            "--metrics: {} and {} read images and captions; expected metrics of one of them, and a call for each",
            metrics[0].spec.id, other.spec.id
        )));
    }
    let input = Input::Of(Side::Gt, reads);
    base.inputs.set(input, Some(request.stimuli.clone()));
    let conventions = conventions(request.over, &base, &metrics)?;
    let is_computed = |id| conventions.iter().any(|own| own.metrics.contains(&id));
    match metrics.iter().find(|metric| !is_computed(metric.spec.id)) {
        Some(other) => Err(Error::Usage(format!(
            "--metrics {}: none of the conventions of --over options is about it; expected --over presets",
            other.spec.id
        ))),
        None => Ok((metrics, conventions)),
    }
}

/// The requested metrics, each of which must be affected by some choice.
fn metrics(request: &MultiverseRequest) -> Result<Vec<&'static Metric>, Error> {
    let mut ids: Vec<&str> = Vec::new();
    for name in &request.metrics {
        match list(name) {
            Some(listed) => ids.extend(listed),
            None => match find(name) {
                Some(metric) => ids.push(metric.spec.id),
                None => return Err(Error::Usage(format!("--metrics: {}", unknown_metric(name)))),
            },
        }
    }
    let metrics = in_order(ids);
    match metrics.iter().find(|metric| choices(metric, &request.score).is_empty()) {
        Some(other) => Err(Error::Usage(format!(
            "--metrics {}: nothing decides how it is computed; expected metrics of pixels or of image models, such as nsd8, or \
             Cap-Sim and ROUGE",
            other.spec.id
        ))),
        None => Ok(metrics),
    }
}

/// A metric under the conventions that computed it.
fn universe(
    metric: &'static Metric,
    n_metrics: usize,
    names: &[String],
    rows: &[(&Convention, Vec<(String, Run)>)],
    options: &BootstrapOptions,
) -> Result<Option<MetricUniverse>, Error> {
    let id = metric.spec.id;
    let mut found: Vec<ConventionRow> = Vec::new();
    let mut heading: Option<(String, Option<f64>)> = None;
    for (convention, runs) in rows.iter().filter(|(own, _)| own.metrics.contains(&id)) {
        let decided = choices(metric, &convention.request);
        if let Some(known) = found.iter_mut().find(|row| row.choices == decided) {
            known.name += &format!(", {}", convention.name);
            continue;
        }
        let systems = runs.iter().filter_map(|(place, run)| {
            let mut summaries = match run.summaries() {
                Ok(summaries) => summaries.iter(),
                Err(error) => return Some(Err(error)),
            };
            let summary = summaries.find(|own| own.metric.spec.id == id)?;
            let dagger = if summary.stand_in { DAGGER } else { "" };
            let label = || format!("{}{dagger}", summary.label);
            heading.get_or_insert_with(|| (label(), summary.chance));
            Some(Ok(scored(place, run, summary)))
        });
        let systems: Vec<Scored> = systems.collect::<Result<_, Error>>()?;
        if systems.len() == names.len() {
            found.push(ConventionRow {
                name: convention.name.clone(),
                choices: decided,
                systems,
            });
        }
    }
    let Some((label, chance)) = heading else {
        return Ok(None);
    };
    found.sort_by(|a, b| {
        let of = |row: &ConventionRow| row.mean().unwrap_or(f64::NAN);
        of(a).total_cmp(&of(b))
    });
    let direction = metric.spec.direction;
    let sign = match direction {
        Direction::Higher => 1.0,
        Direction::Lower => -1.0,
    };
    Ok(Some(MetricUniverse {
        metric: id,
        label,
        direction,
        chance,
        effects: effects(names, &found),
        order: order(names, &found, (sign, n_metrics), options)?,
        conventions: found,
    }))
}

fn scored(place: &str, run: &Run, summary: &MetricSummary) -> Scored {
    let id = summary.metric.spec.id;
    let column = run.pseudo_values.column(id).or(run.scores.column(id));
    let outcomes = run.scores.pairs.iter().zip(column.unwrap_or_default());
    let values = outcomes.filter_map(|(stem, value)| Some((stem.clone(), value.clone().ok()?)));
    let values: BTreeMap<String, f64> = values.collect();
    let of_pairs: Vec<f64> = values.values().copied().collect();
    Scored {
        estimate: summary.estimate.clone(),
        standard_error: (of_pairs.len() > 1)
            .then(|| standard_deviation(&of_pairs))
            .flatten()
            .map(|deviation| deviation / (of_pairs.len() as f64).sqrt()),
        run: place.to_owned(),
        values,
    }
}

/// The choices that differ between conventions, each with the options in the rows.
pub(crate) fn factors(rows: &[ConventionRow]) -> Vec<FactorLevels> {
    let names = rows.iter().flat_map(|row| &row.choices).map(|choice| choice.factor).unique();
    let factor = |name: &str| {
        let of_row = |row: &ConventionRow| {
            let own = row.choices.iter().find(|choice| choice.factor == name);
            own.map_or("does not apply", |choice| choice.option.as_str()).to_owned()
        };
        let options = rows.iter().map(of_row).unique().collect_vec();
        let place = |row| options.iter().position(|known| *known == of_row(row)).unwrap_or_default();
        FactorLevels {
            levels: rows.iter().map(place).collect(),
            name: name.to_owned(),
            options,
        }
    };
    names.map(factor).filter(|factor| factor.options.len() > 1).collect()
}

/// Main effects over all conventions and systems that have values throughout.
fn effects(names: &[String], rows: &[ConventionRow]) -> Vec<Effect> {
    let mut values = Vec::new();
    for row in rows {
        for scored in &row.systems {
            match &scored.estimate.value {
                Ok(value) => values.push(*value),
                Err(_) => return Vec::new(),
            }
        }
    }
    let own = factors(rows);
    let own = match is_factorial(&own, rows.len()) {
        true => own,
        false => vec![FactorLevels {
            name: "convention".to_owned(),
            options: rows.iter().map(|row| row.name.clone()).collect(),
            levels: (0..rows.len()).collect(),
        }],
    };
    let over_systems = |factor: FactorLevels| FactorLevels {
        levels: (factor.levels.iter()).flat_map(|level| vec![*level; names.len()]).collect(),
        ..factor
    };
    let mut factors: Vec<FactorLevels> = own.into_iter().map(over_systems).collect();
    if names.len() > 1 {
        factors.push(FactorLevels {
            name: "system".to_owned(),
            options: names.to_vec(),
            levels: (0..values.len()).map(|place| place % names.len()).collect(),
        });
    }
    main_effects(&values, &factors).unwrap_or_default()
}
