//! Chooses the metrics to combine, and whether to combine them.

use super::direction::{DirectionFrom, MetricRole, meant};
use super::join::{Joined, STAND_IN, rests_on_stand_in};
use super::{MetaRequest, informative};
use clap::Args;
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Finding, first_names};
use neurogauge::metrics::{Compute, find, parts_among};
use neurogauge::models::registry::nearest;
use neurogauge::stats::combination::{
    CombinationOptions, CombinationResult, Composite, Scaling, combine_among, composite_scores,
};
use neurogauge::stats::meta::MetricColumn;
use neurogauge::stats::summation::{sum, sum_over};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// With up to this many metrics, combinations take less time than everything else.
const MOST_BY_DEFAULT: usize = 12;

/// If spreads differ by more than this factor, a raw average is practically the metric with the wider one.
const SPREADS_THAT_DIFFER: f64 = 10.0;

/// The metric whose parts are combined by default, and the name of their average.
const SEED: &str = "seed";
const SEED_LABEL: &str = "SEED";

#[derive(Debug, Clone, PartialEq, Default, Serialize, Args)]
pub struct CombinationRequest {
    /// Averages of two metrics, best subsets, fitted weights, and what each part of a composite
    /// adds; auto: with 2 to 12 metrics
    #[arg(
        id = "combinations", long = "combinations",
        value_parser = choice::<CombineWhen>(),
        value_name = "WHEN",
        num_args = 0..=1,
        default_value = word_of(&CombineWhen::default()),
        default_missing_value = "on"
    )]
    pub when: CombineWhen,
    /// An average that is held against people as a metric and taken apart, for example ours=clip+effnet; may be
    /// repeated [default: SEED where its parts are there, else all metrics with --combinations, which are only taken
    /// apart]
    #[arg(id = "composite", long = "composite", value_name = "NAME=A+B+...")]
    pub composites: Vec<NamedComposite>,
    #[arg(skip)]
    pub options: CombinationOptions,
}

/// When combinations are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombineWhen {
    /// With 2 to 12 metrics, or if composites are given.
    #[default]
    Auto,
    /// With at least two metrics.
    On,
    Off,
}

/// An average, by the names of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedComposite {
    pub name: String,
    /// The names of its parts: metrics as tables show them, or their ids in the registry.
    pub parts: Vec<String>,
}

impl FromStr for NamedComposite {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a name and its parts, such as ours=clip+effnet".to_owned();
        let (name, parts) = text.split_once('=').ok_or_else(expected)?;
        let parts: Vec<String> = parts.split('+').map(|part| part.trim().to_owned()).collect();
        if name.trim().is_empty() || parts.iter().any(String::is_empty) {
            return Err(expected());
        }
        Ok(NamedComposite {
            name: name.trim().to_owned(),
            parts,
        })
    }
}

/// The composites to analyse; `None` if combinations are not computed.
pub(super) fn composites(request: &MetaRequest, joined: &mut Joined) -> Result<Option<Vec<Composite>>, Error> {
    let CombinationRequest {
        when,
        composites,
        options,
    } = &request.combinations;
    let n_metrics = joined.roles.len();
    match when {
        CombineWhen::Off if !composites.is_empty() => {
            return Err(Error::Usage("a composite is given, and combinations are switched off".into()));
        }
        CombineWhen::On if n_metrics < 2 => {
            return Err(Error::Usage("combinations need at least two metrics, and there is one".into()));
        }
        CombineWhen::Off => return Ok(None),
        CombineWhen::Auto if composites.is_empty() && !(2..=MOST_BY_DEFAULT).contains(&n_metrics) => {
            return Ok(None);
        }
        _ => {}
    }
    let mut found: Vec<Composite> = Vec::with_capacity(composites.len());
    for composite in composites {
        if found.iter().any(|other| other.name == composite.name) {
            let name = &composite.name;
            return Err(Error::Usage(format!("there are two composites {name:?}")));
        }
        found.push(resolve(composite, &joined.roles)?);
    }
    if found.is_empty() {
        found.extend(default_composite(*when, &joined.roles));
    }
    let is_asked_for = *when == CombineWhen::On || !composites.is_empty();
    if is_asked_for && options.scaling == Scaling::Raw {
        joined.findings.extend(spreads_differ(&joined.columns));
    }
    Ok(Some(found))
}

/// A metric for each requested composite, and for SEED's parts if SEED itself is missing, each with its role.
pub(super) fn as_metrics(
    request: &MetaRequest,
    joined: &mut Joined,
    composites: &[Composite],
) -> Result<Vec<(MetricColumn, MetricRole)>, Error> {
    let CombinationRequest {
        composites: asked,
        options,
        ..
    } = &request.combinations;
    let has_seed = joined.roles.iter().any(|role| role.registry_id == Some(SEED));
    let mut found = Vec::new();
    for composite in composites {
        let name = &composite.name;
        let is_asked_for = !asked.is_empty();
        let is_seed = !is_asked_for && name == SEED_LABEL && !has_seed;
        let has_name = joined.roles.iter().any(|role| role.name == *name);
        if has_name && is_asked_for {
            return Err(Error::Usage(format!(
                "composite {name:?}: a metric has this name already; expected another name"
            )));
        }
        if has_name || !is_asked_for && !is_seed {
            continue;
        }
        let human_score = request.options.human_score;
        let (ratings, columns) = (&joined.ratings, &joined.columns);
        let scores = composite_scores(ratings, columns, composite, options.scaling, human_score)?;
        let column = match scores {
            Ok(column) => column,
            Err(reason) => {
                let message = format!("is no line of its own: {reason}");
                joined.findings.push(Finding::warning("composite_without_scores", name.clone(), message));
                continue;
            }
        };
        let parts: Vec<&str> = composite.parts.iter().map(|&at| joined.roles[at].name.as_str()).collect();
        let is_stand_in = |warning: &Finding| warning.code == STAND_IN && parts.contains(&warning.subject.as_str());
        let rests_on_one = joined.findings.iter().any(is_stand_in);
        let parts = parts.join(" + ");
        if rests_on_one {
            joined.findings.push(rests_on_stand_in(name));
        }
        let role = MetricRole {
            name: name.clone(),
            column: name.clone(),
            source: format!("average of {parts} ({})", options.scaling.in_words()),
            registry_id: is_seed.then_some(SEED).filter(|_| options.scaling == Scaling::Raw),
            direction: column.direction,
            direction_from: DirectionFrom::Composite,
        };
        found.push((column, role));
    }
    Ok(found)
}

/// Combinations, if there are composites to analyse.
pub(super) fn combine(
    request: &MetaRequest,
    joined: &mut Joined,
    composites: Option<&[Composite]>,
) -> Result<Option<CombinationResult>, Error> {
    let Some(composites) = composites else {
        return Ok(None);
    };
    let (among, left_out) = informative::metrics(&joined.ratings, &joined.columns);
    joined.findings.extend(left_out);
    if among.len() < 2 && composites.is_empty() {
        return Ok(None);
    }
    Ok(Some(combine_among(
        (&joined.ratings, joined.stimuli.as_ref()),
        (&joined.columns, &among),
        composites,
        &request.options,
        &request.combinations.options,
    )?))
}

fn resolve(composite: &NamedComposite, roles: &[MetricRole]) -> Result<Composite, Error> {
    let name = &composite.name;
    let mut parts = Vec::with_capacity(composite.parts.len());
    for part in &composite.parts {
        let by_name = meant(part, roles);
        if let [_, _, ..] = by_name[..] {
            let names: Vec<&str> = by_name.iter().map(|role| role.name.as_str()).collect();
            return Err(Error::Usage(format!(
                "composite {name:?}: {part:?} could be any of {}; name one of them",
                first_names(&names)
            )));
        }
        let by_name = by_name.first().map(|role| &role.name);
        let by_name = roles.iter().position(|role| Some(&role.name) == by_name);
        let Some(place) = by_name.or_else(|| known_as(part, roles)) else {
            let names = || roles.iter().map(|role| role.name.as_str());
            return Err(Error::Usage(format!(
                "composite {name:?}: {part:?} is not a metric here; the nearest is {:?}; there are {}",
                nearest(part, names()),
                first_names(&names().collect::<Vec<_>>())
            )));
        };
        if parts.contains(&place) {
            return Err(Error::Usage(format!("composite {name:?}: {part:?} is in it twice; parts count alike")));
        }
        parts.push(place);
    }
    if parts.len() < 2 {
        return Err(Error::Usage(format!(
            "composite {name:?} has only one part; expected at least two, so that one can be left out"
        )));
    }
    Ok(Composite {
        name: name.clone(),
        parts,
    })
}

/// The metric with this registry id, if there is exactly one.
fn known_as(id: &str, roles: &[MetricRole]) -> Option<usize> {
    let mut known = (0..roles.len()).filter(|&place| roles[place].registry_id == Some(id));
    let first = known.next()?;
    known.next().is_none().then_some(first)
}

/// SEED's parts if all of them are present; otherwise, on request, all metrics, since bootstrapping the average without
/// each of them takes as long as everything else.
fn default_composite(when: CombineWhen, roles: &[MetricRole]) -> Option<Composite> {
    let anywhere = seed_parts(|id| known_as(id, roles));
    // If several sources have a part, the parts of one source are used together.
    let of_sources = roles.iter().map(|role| &role.source);
    let of_sources = of_sources.map(|source| {
        let is_of = |role: &MetricRole, id: &str| role.source == *source && role.registry_id == Some(id);
        seed_parts(|id| roles.iter().position(|role| is_of(role, id)))
    });
    let parts = anywhere.or_else(|| of_sources.flatten().next());
    match (parts, when) {
        (Some(parts), _) => Some(Composite {
            name: SEED_LABEL.into(),
            parts,
        }),
        (None, CombineWhen::On) => Some(Composite {
            name: "all metrics".into(),
            parts: (0..roles.len()).collect(),
        }),
        (None, _) => None,
    }
}

/// The positions of SEED's parts; `place` finds a metric's position.
fn seed_parts(place: impl Fn(&str) -> Option<usize>) -> Option<Vec<usize>> {
    let Compute::Scores { from, .. } = find(SEED)?.compute else {
        return None;
    };
    parts_among(from, |id| place(id).is_some()).iter().map(|id| place(id)).collect()
}

/// A warning if some metric dominates another in raw averages.
fn spreads_differ(columns: &[MetricColumn]) -> Option<Finding> {
    let spread = |column: &MetricColumn| {
        let scores: Vec<f64> = column.scores.iter().flatten().copied().filter(|score| score.is_finite()).collect();
        let mean = sum(&scores) / scores.len() as f64;
        (sum_over(&scores, |v| (v - mean) * (v - mean)) / scores.len() as f64).sqrt()
    };
    let spreads = columns.iter().map(|column| (spread(column), &column.name));
    let mut spreads: Vec<(f64, &String)> = spreads.filter(|(spread, _)| *spread > 0.0).collect();
    spreads.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (narrow, wide) = (spreads.first()?, spreads.last()?);
    let times = wide.0 / narrow.0;
    (times > SPREADS_THAT_DIFFER).then(|| {
        Finding::warning(
            "raw_scales_differ",
            wide.1.clone(),
            format!(
                "its scores spread {times:.0} times as wide as those of {}, so raw averages follow \
                 it; {} or rank counts metrics alike",
                narrow.1,
                option("scaling", "zscore")
            ),
        )
    })
}
