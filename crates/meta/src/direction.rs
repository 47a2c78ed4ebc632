//! Whether higher or lower is better for each metric. Guesses are always reported.

use super::MetaRequest;
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::core::{Direction, Finding, first_names};
use neurogauge::metrics::find;
use neurogauge::models::registry::did_you_mean;
use neurogauge::models::{LocalImageModel, model_of_family};
use serde::Serialize;
use std::collections::HashSet;

/// A metric's origin, and whether higher or lower is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetricRole {
    /// Its name in tables: the file's name for it, followed by the source if two metrics share a name.
    pub name: String,
    /// Its name in the file or run.
    pub column: String,
    /// The file or run that it comes from; for an average, its parts.
    pub source: String,
    pub registry_id: Option<&'static str>,
    pub direction: Direction,
    pub direction_from: DirectionFrom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectionFrom {
    Stated,
    /// The registry has a metric of this name.
    Registry,
    /// It is an average of metrics, each oriented so that higher is better.
    Composite,
    /// It is unknown: higher is assumed to be better, with a warning.
    Assumed,
}

/// Names in SEED's files of metrics with another id here.
const ALIASES: [(&str, &str); 2] = [("obj_f1", "object_f1"), ("git_st", "cap_sim")];

/// The role of the metric `name`, and warnings about it.
pub(super) fn role(
    request: &MetaRequest,
    name: &str,
    shown: &str,
    source: String,
    findings: &mut Vec<Finding>,
) -> MetricRole {
    let alias = ALIASES.iter().find(|(theirs, _)| *theirs == name);
    // A column of another program may have a colon in its name too.
    let is_ours = |name: &str| match name.split_once(':') {
        Some((model, _)) => LocalImageModel::knows(model_of_family(model)),
        None => true,
    };
    let known = Some(alias.map_or(name, |(_, ours)| ours)).filter(|name| is_ours(name));
    let known = known.and_then(find).map(|metric| &metric.spec);
    let is_in = |names: &[String]| names.iter().any(|n| n == name || n == shown);
    let stated = if is_in(&request.lower_is_better) {
        Some(Direction::Lower)
    } else if is_in(&request.higher_is_better) {
        Some(Direction::Higher)
    } else {
        None
    };
    let (direction, direction_from) = match (stated, known) {
        (Some(direction), _) => (direction, DirectionFrom::Stated),
        (None, Some(spec)) => (spec.direction, DirectionFrom::Registry),
        (None, None) => (Direction::Higher, DirectionFrom::Assumed),
    };
    if let Some(spec) = known
        && spec.direction != direction
    {
        findings.push(Finding::warning(
            "direction_overridden",
            shown,
            format!("read the other way round than {} is here, as stated", spec.id),
        ));
    }
    MetricRole {
        name: shown.to_owned(),
        column: name.to_owned(),
        source,
        registry_id: known.map(|spec| spec.id),
        direction,
        direction_from,
    }
}

/// The warning about guessed directions, if there are any.
pub(super) fn assumed(roles: &[MetricRole]) -> Option<Finding> {
    let guessed = roles.iter().filter(|role| role.direction_from == DirectionFrom::Assumed);
    let names: Vec<&str> = guessed.map(|role| role.name.as_str()).collect();
    let known = match names.len() {
        0 => return None,
        1 => "not a known metric",
        _ => "not known metrics",
    };
    Some(Finding::warning(
        "direction_assumed",
        first_names(&names),
        format!(
            "{known}, and no direction was stated: higher is taken to be better (state it with {} or {})",
            option("lower-is-better", ""),
            option("higher-is-better", "")
        ),
    ))
}

/// The metrics that `name` refers to, by their names in tables: the metric with this name in tables, otherwise all
/// metrics with this name in their files.
pub(super) fn meant<'a>(name: &str, roles: &'a [MetricRole]) -> Vec<&'a MetricRole> {
    match roles.iter().find(|role| role.name == name) {
        Some(role) => vec![role],
        None => roles.iter().filter(|role| role.column == name).collect(),
    }
}

/// Refuses names that no metric has, and names stated as both higher and lower.
pub(super) fn check_stated<'a>(
    request: &MetaRequest,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Error> {
    for name in request.lower_is_better.iter().chain(&request.higher_is_better) {
        if !names.clone().any(|known| known == name) {
            let mut seen = HashSet::new();
            let all: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
            return Err(Error::Usage(format!(
                "a direction is stated for {name:?}, which is not a metric here{}; there are {}",
                did_you_mean(name, &all),
                first_names(&all)
            )));
        }
    }
    match request.lower_is_better.iter().into_iter().find(|name| request.higher_is_better.contains(name)) {
        Some(name) => Err(Error::Usage(format!("{name:?} is stated as lower is better and as higher is better"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_warning_names_all_metrics_whose_direction_is_a_guess() {
        let role = |name: &str, direction_from| MetricRole {
            name: name.to_owned(),
            column: name.to_owned(),
            source: "table.csv".to_owned(),
            registry_id: None,
            direction: Direction::Higher,
            direction_from,
        };
        let stated = role("a", DirectionFrom::Stated);
        let guessed = ["b", "c"].map(|name| role(name, DirectionFrom::Assumed));
        assert_eq!(assumed(std::slice::from_ref(&stated)), None);
        let said = |roles: &[MetricRole]| assumed(roles).map(|warning| warning.to_string());
        let one = said(&[stated.clone(), guessed[0].clone()]).unwrap_or_default();
        assert!(one.starts_with("b: not a known metric, and"), "{one}");
        let both = said(&guessed).unwrap_or_default();
        assert!(both.starts_with("b, c: not known metrics, and"), "{both}");
    }
}
