//! Measures how similarly two configurations rank the systems.

use super::standings::Standings;
use crate::found::square;
use crate::shown_metrics::label;
use crate::systems::SystemGroup;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::stats::kendall_tau_b;
use serde::Serialize;
use serde_json::{Value, json};

/// The rankings of some systems under several configurations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankingAgreement {
    /// The score that ranks the systems.
    pub metric: String,
    pub systems: Vec<String>,
    pub configurations: Vec<String>,
    /// Ranks by configuration and system; 1 is best.
    pub ranks: Vec<Vec<f64>>,
    /// Kendall's tau-b between the rankings of every two configurations; `None` if it is undefined.
    pub kendall_tau_b: Vec<Vec<Option<f64>>>,
}

/// Tau between the rankings of every two configurations, also as rows; or what it needs.
pub(crate) fn rankings(
    group: &SystemGroup<'_>,
    id: &'static str,
    found: &[&Standings],
) -> Result<(RankingAgreement, Value), String> {
    let ranked = found.iter().filter_map(|standings| {
        let (_, all) = standings.find(id)?;
        let ranks: Option<Vec<f64>> = all.iter().map(|standing| standing.rank).collect();
        Some((*standings, ranks?))
    });
    let ranked: Vec<(&Standings, Vec<f64>)> = ranked.collect();
    if ranked.len() < 2 {
        return Err(match group.names.len() {
            1 => "a second system that shares the stimuli".to_owned(),
            _ => format!("two configurations under which every system has a mean of {}", label(id)),
        });
    }
    let is_ranked = |name: &str| ranked.iter().any(|(standings, _)| standings.name == name);
    let unranked = found.iter().filter(|standings| !is_ranked(&standings.name));
    let mut notes: Vec<String> =
        unranked.map(|standings| format!("{} is left out: a system has no mean.", standings.name)).collect();
    let mut values = vec![vec![None; ranked.len()]; ranked.len()];
    for (a, (first, x)) in ranked.iter().enumerate() {
        for (b, (second, y)) in ranked.iter().enumerate().take(a + 1) {
            // Ranks increase from best to worst on both sides, so this tau equals the tau of the means.
            let tau: Outcome =
                kendall_tau_b(x, y).unwrap_or_else(|error| Err(Undefined::Because(error.to_string().into())));
            if let Err(reason) = &tau {
                notes.push(format!("{}, {}: {reason}", first.name, second.name));
            }
            values[a][b] = tau.ok();
            values[b][a] = values[a][b];
        }
    }
    let names: Vec<String> = ranked.iter().map(|(standings, _)| standings.marked(&[id])).collect();
    let mut shown = square(&names, &values);
    let agreement = RankingAgreement {
        metric: id.to_owned(),
        systems: group.names.clone(),
        configurations: ranked.iter().map(|(standings, _)| standings.name.clone()).collect(),
        ranks: ranked.iter().map(|(_, ranks)| ranks.clone()).collect(),
        kendall_tau_b: values,
    };
    shown["notes"] = json!(notes);
    shown["n_systems"] = json!(group.names.len());
    Ok((agreement, shown))
}
