//! Decides which figures and tables of an alignment answer which question.

pub(super) struct View {
    pub(super) id: &'static str,
    pub(super) heading: &'static str,
    question: &'static str,
    /// How to read it.
    pub(super) about: &'static str,
    pub(super) parts: &'static [ViewPart],
}

impl View {
    /// Does it have pictures of the stimuli at both ends of directions?
    pub(super) fn has_sheets(&self) -> bool {
        self.id == "ends"
    }

    pub(super) fn question(&self, brains_predict_models: bool) -> &'static str {
        match self.id {
            "recovery" if brains_predict_models => "How much of a model does each brain recover?",
            _ => self.question,
        }
    }
}

/// Names of figures, what they show, and the beginnings of the titles of the tables beside them.
pub(super) struct ViewPart {
    pub(super) figures: &'static [(&'static str, &'static str)],
    pub(super) tables: &'static [&'static str],
}

pub(super) const VIEWS: [View; 6] = [
    View {
        id: "recovery",
        heading: "Recovery",
        question: "How much of a brain's reproducible response does each source recover?",
        about: "A curve shows how well a source covers the first k reproducible directions of the target. A source that \
                knows nothing lies in the band of the null, another brain on the curve of other subjects.",
        parts: &[
            ViewPart {
                figures: &[(
                    "recovery_curves",
                    "Coverage of the first k directions by each source, beside other subjects and the null",
                )],
                tables: &["Recovery of reproducible response dimensions", "Above chance"],
            },
            ViewPart {
                figures: &[("roi_by_architecture", "The same curves for each region and architecture")],
                tables: &["ProfileMean above chance"],
            },
        ],
    },
    View {
        id: "accuracy",
        heading: "Accuracy and recovery",
        question: "Does a source that predicts better also recover more?",
        about: "Prediction accuracy says how well responses to new stimuli are predicted, recovery which of the target's \
                directions the predictions span. Two sources of equal accuracy can recover different directions.",
        parts: &[
            ViewPart {
                figures: &[(
                    "accuracy_profile",
                    "Recovery against prediction accuracy, a point for each source and target unit",
                )],
                tables: &["Summary of models"],
            },
            ViewPart {
                figures: &[
                    ("matched_case", "The recovery curves of two sources of nearly equal accuracy"),
                    ("near_equal_pairs", "Differences of pretrained and untrained models of nearly equal accuracy"),
                    (
                        "pair_categories",
                        "Differences in recovery of all pairs of nearly equal accuracy, by the kind of pair",
                    ),
                ],
                tables: &[
                    "The best matched pair",
                    "Pretrained against untrained at nearly equal accuracy",
                    "Pretrained less untrained",
                    "Pairs of sources whose accuracies",
                    "Untrained models over their seeds",
                ],
            },
            ViewPart {
                figures: &[("high_accuracy", "Recovery of the sources whose accuracy is in the highest quarter")],
                tables: &["BrainRefScore where accuracy is highest"],
            },
            ViewPart {
                figures: &[
                    ("shape_distance", "How far the shape of models' curves is from that of other subjects"),
                    ("shape_by_architecture", "The same by architecture and state"),
                ],
                tables: &["Distances of shape"],
            },
            ViewPart {
                figures: &[(
                    "next_fold",
                    "Recovery of stimuli that took no part in the fit, against that of the same fold",
                )],
                tables: &["ProfileMean of the next fold"],
            },
        ],
    },
    View {
        id: "directions",
        heading: "Reproducible directions",
        question: "How many directions of the response are reproducible, and which of them are recovered?",
        about: "The spectrum shows how much each direction adds to what one half of the trials predicts in the other. Late \
                directions weigh little and change from fold to fold.",
        parts: &[
            ViewPart {
                figures: &[
                    ("reference", "Weights of the reproducible directions, and how few partitions would find them"),
                    ("cumulative_weights", "The share of the weight in the first k directions"),
                ],
                tables: &["Target references", "Share of the reference weight"],
            },
            ViewPart {
                figures: &[
                    ("directions", "Coverage and prediction of each direction by its rank"),
                    ("directions_by_region", "Coverage of the first directions in each region, with their weights"),
                ],
                tables: &["Direction-wise held-out prediction"],
            },
        ],
    },
    View {
        id: "ends",
        heading: "Both ends of a direction",
        question: "What does a direction respond to?",
        about: "For each target unit, the stimuli with the highest and the lowest scores on its first directions. What the two \
                ends differ in is what the direction distinguishes. A direction has no sign: the two ends may change places.",
        parts: &[ViewPart {
            figures: &[],
            tables: &["Reproducible responses by target unit", "Scores beside their ceilings"],
        }],
    },
    View {
        id: "layers",
        heading: "Layers",
        question: "Which layer of a model recovers most?",
        about: "Each layer is a source by itself, from the first named layer to the last.",
        parts: &[
            ViewPart {
                figures: &[
                    ("depth", "Recovery of each layer by its depth"),
                    ("layers", "Recovery of each layer of each model"),
                ],
                tables: &["Each layer as a source"],
            },
            ViewPart {
                figures: &[("contributions", "What each layer adds to the others, and recovers alone")],
                tables: &["Contributions of layers"],
            },
            ViewPart {
                figures: &[],
                tables: &["Objectives of one network"],
            },
        ],
    },
    View {
        id: "controls",
        heading: "Controls",
        question: "Could response variance, rank or chance explain it?",
        about: "The same scores for subspaces that know nothing of a source: the target's own principal components, random \
                directions, and sources fitted to permuted responses.",
        parts: &[
            ViewPart {
                figures: &[
                    ("controls", "Recovery of sources beside that of controls"),
                    ("rank_rules", "Recovery under other rules for ranks"),
                ],
                tables: &["Controls"],
            },
            ViewPart {
                figures: &[
                    ("readouts", "Accuracy from all features, from the subspace and from principal components"),
                    ("source_diagnostics", "Ranks and stability of the subspaces of sources"),
                ],
                tables: &["Accuracy from all features", "Selected regularisations"],
            },
            ViewPart {
                figures: &[
                    ("score_by_rank", "Scores of models against the rank of their subspaces"),
                    ("rank_by_architecture", "Effective rank of the subspaces by architecture and state"),
                ],
                tables: &["Subspaces and shapes by architecture"],
            },
            ViewPart {
                figures: &[(
                    "partition_sensitivity",
                    "How much of the accuracy the subspace keeps, for each partition of the trials",
                )],
                tables: &[],
            },
        ],
    },
];

/// Everything that no other view shows.
pub(super) const OTHER: View = View {
    id: "paper",
    heading: "The paper",
    question: "What else does the paper report, and what is missing here?",
    about: "Tables of Nakamura et al. (2026) beside this study's, and what the study would need for those that it lacks.",
    parts: &[],
};
