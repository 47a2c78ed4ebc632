//! Measures how similarly two configurations rank the systems.

use super::standings::{Standings, stand_in_note};
use crate::averages_figure::square;
use crate::paper_item::PaperItems;
use crate::shown_metrics::label;
use crate::systems_table::SystemGroup;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::report::figures::{ColourScale, Heatmap};
use neurogauge::stats::kendall_tau_b;
use serde::Serialize;

const PAPER: &str = "BASIC Figure 3: rankings";

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

/// Tau between the rankings of every two configurations, as a table and a figure.
pub(crate) fn rankings(
    group: &SystemGroup<'_>,
    id: &'static str,
    found: &[&Standings],
    paper_items: &mut PaperItems,
) -> Option<RankingAgreement> {
    let about = group.about();
    let ranked = found.iter().filter_map(|standings| {
        let (_, all) = standings.find(id)?;
        let ranks: Option<Vec<f64>> = all.iter().map(|standing| standing.rank).collect();
        Some((*standings, ranks?))
    });
    let ranked: Vec<(&Standings, Vec<f64>)> = ranked.collect();
    if ranked.len() < 2 {
        let needs = match group.names.len() {
            1 => "a second system that shares the stimuli".to_owned(),
            _ => format!("two configurations under which every system has a mean of {}", label(id)),
        };
        paper_items.absent(PAPER, &about, needs);
        return None;
    }
    let mut notes = vec![format!(
        "Kendall's tau-b between the rankings of {} systems under two configurations: 1 for the same order, -1 for the \
         reverse.",
        group.names.len()
    )];
    let is_ranked = |name: &str| ranked.iter().any(|(standings, _)| standings.name == name);
    let unranked = found.iter().filter(|standings| !is_ranked(&standings.name));
    notes.extend(unranked.map(|standings| format!("{} is left out: a system has no mean.", standings.name)));
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
    notes.extend(stand_in_note(&names));
    let title = format!("Rankings of systems by {}", label(id));
    let (table, heatmap) = square(title, "Configuration", &names, &values, notes);
    let heatmap = Heatmap {
        scale: ColourScale::Diverging,
        value_label: "Kendall τ-b".to_owned(),
        ..heatmap
    };
    let name = format!("figure_{id}_rankings{}", group.suffix);
    paper_items.add_with_figure((PAPER, name, &about), table, heatmap.draw());
    let configurations = ranked.iter().map(|(standings, _)| standings.name.clone());
    Some(RankingAgreement {
        metric: id.to_owned(),
        systems: group.names.clone(),
        configurations: configurations.collect(),
        ranks: ranked.iter().map(|(_, ranks)| ranks.clone()).collect(),
        kendall_tau_b: values,
    })
}
