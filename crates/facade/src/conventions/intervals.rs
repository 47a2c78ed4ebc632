//! How estimates get their intervals, and metrics their level of chance.

use super::entry::Convention;
use super::value::{itself, optional, word};
use crate::clusters::ClusterChoice;
use crate::shuffled_null::ShuffledNull;

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("interval", "interval"),
            "How intervals of means are made. Percentiles are too narrow below some 30 pairs",
            word(),
            |request| Some(&mut request.bootstrap.interval),
        ),
        Convention::new(
            ("cluster", "alike-stimuli"),
            "Stimuli that are alike (scenes of a film, pictures of a concept): a pattern of names such as '{cluster}_*', a \
             table with the columns item and cluster, `none`, or `auto`, pieces of a film if all names say it, such as \
             movie1_clip03. Intervals and tests are then over clusters; scores stay as they are",
            itself::<ClusterChoice>("PATTERN|FILE|none|auto"),
            |request| Some(&mut request.cluster),
        )
        .file_if(|value| value.parse().is_ok_and(|choice: ClusterChoice| choice.file().is_some())),
        Convention::new(
            ("null", "shuffled-null"),
            "Also compute what metrics without a known level of chance give reconstructions of other stimuli: `shuffled`, or \
             `shuffled=N` for N random pairings. Each costs as much as comparing the pairs",
            optional("none", itself::<ShuffledNull>("shuffled[=N]")),
            |request| Some(&mut request.null),
        ),
    ]
}
