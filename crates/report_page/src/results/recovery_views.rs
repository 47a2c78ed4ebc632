//! Which figures and tables of an alignment answer which question.

use super::view::{Part, View};

/// The view with pictures of the stimuli at both ends of directions.
pub(super) const ENDS: &str = "ends";

/// The questions of a reader, in their order; the last view has everything that no other one shows.
pub(super) fn views(brains_predict_models: bool) -> Vec<View<'static>> {
    vec![
        View {
            id: "recovery",
            heading: "Recovery",
            question: match brains_predict_models {
                true => "How much of a model does each brain recover?",
                false => "How much of a brain's reproducible response does each source recover?",
            },
            about: "A curve shows how well a source covers the first k reproducible directions of the target. A source that \
                    knows nothing lies in the band of the null, another brain on the curve of other subjects.",
            lead: Part::new(
                "",
                [(
                    "recovery_curves",
                    "Coverage of the first k directions by each source, beside other subjects and the null",
                )],
                ["Recovery of reproducible response dimensions"],
            ),
            folds: vec![
                Part::new(
                    "Where in the brain?",
                    [
                        ("regions", "Recovery in each region, on a schematic of the hemispheres"),
                        ("roi_by_architecture", "The curves of each region and architecture"),
                    ],
                    [],
                ),
                Part::new("How far above chance?", [], ["Above chance"]),
                Part::new("Is one source better than the others?", [], ["*less other sources"]),
                Part::new("How much do other subjects recover?", [], ["Other subjects as the reference"]),
                Part::new("What does training add?", [], ["ProfileMean above chance", "ProfileMean by architecture"]),
            ],
        },
        View {
            id: "accuracy",
            heading: "Accuracy and recovery",
            question: "Does a source that predicts better also recover more?",
            about: "Prediction accuracy says how well responses to new stimuli are predicted, recovery which of the target's \
                    directions the predictions span. Two sources of equal accuracy can recover different directions.",
            lead: Part::new(
                "",
                [
                    (
                        "accuracy_profile",
                        "Recovery against prediction accuracy, a point for each source and target unit",
                    ),
                ],
                ["Summary of models"],
            ),
            folds: vec![
                Part::new(
                    "What differs where accuracy is nearly equal?",
                    [
                        ("matched_case", "The recovery curves of two sources of nearly equal accuracy"),
                        ("near_equal_pairs", "Differences of pretrained and untrained models of nearly equal accuracy"),
                        (
                            "pair_categories",
                            "Differences in recovery of all pairs of nearly equal accuracy, by the kind of pair",
                        ),
                    ],
                    [
                        "The best matched pair",
                        "Pretrained against untrained at nearly equal accuracy",
                        "Pretrained less untrained",
                        "Pairs of sources whose accuracies",
                        "Untrained models over their seeds",
                    ],
                ),
                Part::new(
                    "What do the most accurate sources recover?",
                    [("high_accuracy", "Recovery of the sources whose accuracy is in the highest quarter")],
                    ["BrainRefScore where accuracy is highest"],
                ),
                Part::new(
                    "Do curves have the shape of other subjects' curves?",
                    [
                        ("shape_distance", "How far the shape of models' curves is from that of other subjects"),
                        ("shape_by_architecture", "The same by architecture and state"),
                    ],
                    ["Distances of shape"],
                ),
                Part::new(
                    "Does it hold for stimuli that took no part in the fit?",
                    [("next_fold", "Recovery of stimuli that took no part in the fit, against that of the same fold")],
                    ["ProfileMean of the next fold"],
                ),
            ],
        },
        View {
            id: "directions",
            heading: "Reproducible directions",
            question: "How many directions of the response are reproducible, and which of them are recovered?",
            about: "The spectrum shows how much each direction adds to what one half of the trials predicts in the other. Late \
                    directions weigh little and change from fold to fold.",
            lead: Part::new(
                "",
                [("reference", "Weights of the reproducible directions, and how few partitions would find them")],
                ["Target references"],
            ),
            folds: vec![
                Part::new(
                    "How much weight do the first directions have?",
                    [("cumulative_weights", "The share of the weight in the first k directions")],
                    ["Share of the reference weight"],
                ),
                Part::new(
                    "Which directions are covered and predicted?",
                    [
                        ("directions", "Coverage and prediction of each direction by its rank"),
                        ("directions_by_region", "Coverage of the first directions in each region, with their weights"),
                    ],
                    ["Direction-wise held-out prediction"],
                ),
            ],
        },
        View {
            id: ENDS,
            heading: "Both ends of a direction",
            question: "What does a direction respond to?",
            about: "The stimuli with the highest and the lowest scores on a target unit's first directions. What the two ends \
                    differ in is what the direction distinguishes. A direction has no sign: the two ends may change places.",
            lead: Part::new("", [], ["Reproducible responses by target unit"]),
            folds: vec![Part::new("How near are the scores to their ceilings?", [], ["Scores beside their ceilings"])],
        },
        View {
            id: "layers",
            heading: "Layers",
            question: "Which layer of a model recovers most?",
            about: "Each layer is a source by itself, from the first named layer to the last.",
            lead: Part::new(
                "",
                [("depth", "Recovery of each layer by its depth"), ("layers", "Recovery of each layer of each model")],
                ["Each layer as a source"],
            ),
            folds: vec![
                Part::new("Which layers of which model?", [("layers", "Recovery of each layer of each model")], []),
                Part::new(
                    "What does a layer add to the others?",
                    [("contributions", "What each layer adds to the others, and recovers alone")],
                    ["Contributions of layers"],
                ),
                Part::new("Does the training objective matter?", [], ["Objectives of one network"]),
            ],
        },
        View {
            id: "controls",
            heading: "Controls",
            question: "Could response variance, rank or chance explain it?",
            about: "The same scores for subspaces that know nothing of a source: the target's own principal components, random \
                    directions, and sources fitted to permuted responses.",
            lead: Part::new("", [("controls", "Recovery of sources beside that of controls")], ["Controls"]),
            folds: vec![
                Part::new(
                    "Do other rules for the rank change it?",
                    [
                        ("rank_rules", "Recovery under other rules for ranks"),
                        ("score_by_rank", "Scores of models against the rank of their subspaces"),
                        ("rank_by_architecture", "Effective rank of the subspaces by architecture and state"),
                    ],
                    ["Subspaces and shapes by architecture"],
                ),
                Part::new(
                    "Does the subspace keep the accuracy?",
                    [
                        ("readouts", "Accuracy from all features, from the subspace and from principal components"),
                        (
                            "partition_sensitivity",
                            "How much of the accuracy the subspace keeps, for each partition of the trials",
                        ),
                    ],
                    ["Accuracy from all features"],
                ),
                Part::new(
                    "How stable are the fits?",
                    [("source_diagnostics", "Ranks and stability of the subspaces of sources")],
                    ["Selected regularisations"],
                ),
            ],
        },
        View {
            id: "paper",
            heading: "The paper",
            question: "What else does the paper report, and what is missing here?",
            about: "Tables of Nakamura et al. (2026) beside this study's, and what the study would need for those that it lacks.",
            ..View::default()
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_figure_is_folded_twice() {
        let views = views(false);
        let names = || views.iter().flat_map(|view| &view.folds).flat_map(|part| &part.figures).map(|(name, _)| *name);
        let different: BTreeSet<&str> = names().collect();
        assert_eq!(names().count(), different.len());
    }
}
