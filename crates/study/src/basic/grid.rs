//! Stimuli with each system's reconstructions (BASIC, Figs. 4 and S2).

use crate::found::needs;
use crate::shown_metrics::label;
use crate::systems::SystemGroup;
use itertools::Itertools;
use neurogauge::{Error, Run};
use serde_json::{Value, json};

/// The most comprehensive score first.
const SCORES: [&str; 3] = ["basic", "basic_h", "basic_l"];

/// A row for each requested stimulus, or for the first `n`.
pub(crate) fn rows(group: &SystemGroup<'_>, runs: &[&Run], (asked, n): (&[String], usize)) -> Result<Value, Error> {
    let has = |id: &&&str| runs.iter().all(|run| run.scores.column(id).is_some());
    let (Some(&score), Some(first)) = (SCORES.iter().find(has), runs.first()) else {
        return needs("a score of BASIC that all systems have");
    };
    let shared = |stem: &&String| runs.iter().all(|run| run.scores.pairs.contains(stem));
    let pairs = || first.scores.pairs.iter().filter(shared);
    if let Some(unknown) = asked.iter().find(|stem| !pairs().any(|pair| pair == *stem)) {
        return Err(Error::Usage(format!(
            "basic.stimuli: {unknown:?} is no stimulus of all of {}; the first is {:?}",
            group.about(),
            pairs().next().map_or("", String::as_str)
        )));
    }
    let stems: Vec<&String> = match asked {
        [] => pairs().take(n).collect(),
        asked => asked.iter().collect(),
    };
    let value = |run: &&Run, stem: &str| {
        let place = run.scores.pairs.iter().position(|pair| pair == stem)?;
        run.scores.column(score)?[place].as_ref().ok().copied()
    };
    let row = |stem: &String| {
        let values = runs.iter().map(|run| value(run, stem)).collect_vec();
        let of_system = group.names.iter().zip(&values).map(|(name, value)| match value {
            Some(value) => format!("{name}: {} {value:.3}", label(score)),
            None => format!("{name}: no {}", label(score)),
        });
        let lines = [stem.clone()].into_iter().chain(of_system).collect_vec();
        json!({"pair": stem, "values": values, "lines": lines})
    };
    Ok(json!({"score": label(score), "rows": stems.into_iter().map(row).collect_vec()}))
}
