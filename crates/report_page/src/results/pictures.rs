//! The pictures of the items that a metric and people rank most differently.

use super::dots::Mark;
use crate::html::fixed;
use crate::inputs::Inputs;
use crate::thumbnails::Thumbnails;
use maud::{Markup, html};
use serde::Deserialize;

/// At most this many items are shown.
const MOST: usize = 4;

/// An item that a metric and people rank differently; rank 1 is best.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    item: String,
    score: f64,
    human_score: f64,
    metric_rank: f64,
    human_rank: f64,
}

/// The worst cases of a metric with the pictures of a system of the page; empty without pictures.
pub(super) fn pictures(
    metric: &Mark,
    cases: &[Case],
    (inputs, thumbnails, system): (&Inputs, &Thumbnails, usize),
) -> Markup {
    let shown = cases.iter().filter_map(|case| {
        let pair = inputs.stems.iter().position(|stem| *stem == case.item)?;
        Some((case, thumbnails.address(None, pair)?, thumbnails.address(Some(system), pair)?))
    });
    let shown: Vec<_> = shown.take(MOST).collect();
    let rank = |rank: f64| fixed(rank, usize::from(rank.fract() != 0.0));
    html! {
        @if !shown.is_empty() {
            h4 { "Where " (metric.label) " and people disagree most" }
            ul.grid {
                @for (case, stimulus, reconstruction) in shown {
                    li {
                        h5 { (case.item) }
                        div.images {
                            figure { img src=(stimulus) alt={ "stimulus of " (case.item) }; figcaption { "Stimulus" } }
                            figure {
                                img src=(reconstruction) alt={ "reconstruction of " (case.item) };
                                figcaption { (inputs.systems[system].name) }
                            }
                        }
                        p.quiet {
                            "People: " (fixed(case.human_score, 2)) ", rank " (rank(case.human_rank))
                            br;
                            (metric.label) ": " (fixed(case.score, 3)) ", rank " (rank(case.metric_rank))
                        }
                    }
                }
            }
        }
    }
}
