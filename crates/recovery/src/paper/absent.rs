//! Tables and figures of the paper that an alignment does not have, and the keys of its configuration that would add
//! them.

use super::PaperRecord;
use neurogauge::align::{AlignRecord, Control, SourceState};
use neurogauge::alignment::study::OTHER_SUBJECTS;
use serde::Serialize;

/// A table or a figure of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its number in the paper.
    pub item: &'static str,
    pub shows: &'static str,
    pub needs: &'static str,
}

/// All missing ones, in the paper's order.
pub(super) fn absent(alignment: &AlignRecord, record: &PaperRecord, stimulus_scores: bool) -> Vec<Absent> {
    let (summary, config) = (&alignment.summary, &alignment.config);
    let makes = |control| config.settings.makes(control);
    let sources = || config.sources.iter();
    let has_brains = summary.sources.iter().any(|own| own.source == OTHER_SUBJECTS);
    let is_named = sources().any(|own| own.architecture.is_some());
    let has_pairs = !summary.sensitivity.is_empty();
    let baselines = [Control::TargetPca, Control::RandomDirections, Control::ResponsePermutation];
    let no_layers = sources().all(|own| !own.each_layer);
    let pairs = "a source of the same `architecture` with `state = \"random\"` for one with `state = \"pretrained\"`";
    let all = [
        (
            makes(Control::AuxiliaryReadouts),
            "Figure 2D",
            "accuracy of the subspace beside all features",
            "`auxiliary-readouts` in `controls`",
        ),
        (has_pairs, "Figure 3, Table 3", "pretrained beside untrained models", pairs),
        (
            makes(Control::DirectionPrediction),
            "Table 3, lower part",
            "prediction of single directions",
            "`direction-prediction` in `controls`",
        ),
        (stimulus_scores, "Figure 4A", "sensitivity to partitions", "`--stimulus-scores`"),
        (makes(Control::FixedRank), "Figure 4B", "fixed ranks", "`fixed-rank` in `controls`"),
        (
            baselines.into_iter().all(makes),
            "Figure 4C",
            "PCA of the target, random directions, permuted responses",
            "`target-pca`, `random-directions` and `response-permutation` in `controls`",
        ),
        (
            !summary.contributions.is_empty(),
            "Appendix B, block ablation",
            "contributions of layers",
            "`block-ablation` in `controls`, and a source of two layers or more",
        ),
        (
            makes(Control::BalancedPartitions),
            "Appendix D",
            "partitions balanced over sessions",
            "`balanced-partitions` in `controls`",
        ),
        (
            !record.seeds.is_empty(),
            "Table 4",
            "untrained models over their seeds",
            "two sources or more with `state = \"random\"`, a `seed` each and the `architecture` of a pretrained one",
        ),
        (
            has_brains,
            "Figure 5, BrainRefScore, ShapeDist",
            "other subjects as sources",
            "responses of a second subject for the same region, and `donors = true`",
        ),
        (
            is_named,
            "Figures 8 and 9",
            "profiles by architecture and state",
            "`architecture` (and `state`) of [[sources]]",
        ),
        (
            !record.depth.is_empty(),
            "Figure 10A, B",
            "layers by depth",
            match no_layers {
                true => "`each_layer = true` of a source of several layers",
                false => "a second layer of a source with `each_layer = true`",
            },
        ),
        (
            !record.objectives.is_empty(),
            "Figure 10C, D, E",
            "objectives of one network",
            "one `family` of two sources or more with different `weights`",
        ),
        (
            sources().any(|own| own.state == SourceState::Pretrained || own.seed.is_some()),
            "Table 5",
            "summary of models",
            "[[sources]], with `weights` and `layer_names` in words",
        ),
    ];
    let absent = all.into_iter().filter(|(is_there, ..)| !is_there);
    absent.map(|(_, item, shows, needs)| Absent { item, shows, needs }).collect()
}
