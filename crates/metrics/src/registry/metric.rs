//! What a metric is: its specification, what it compares, and what that needs.

use crate::decoding::basic_h::BasicHScores;
use crate::decoding::cap_sim::References;
use crate::{MetricError, Options, Taxonomy};
use neurogauge_core::{
    CategoryNames, Detections, Direction, Group, Image, Masks, MetricSpec, Outcome,
};

pub(super) type Computed = Result<Outcome, MetricError>;

/// From the columns of a composite's parts to the columns whose means make up a system's value.
pub type SystemColumns = fn(&[&[Outcome]]) -> Vec<Vec<Outcome>>;

/// A metric: how to read it and how to compute it.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Name, direction, range and the rest.
    pub spec: MetricSpec,
    /// What it is computed from, and how.
    pub compute: Compute,
}

/// What a metric compares of the two images of a pair.
#[derive(Debug, Clone, Copy)]
pub enum Compute {
    /// The images, resized by [`PixelOptions`](crate::PixelOptions).
    Pixels(fn(&Image<f32>, &Image<f32>) -> Computed),
    /// The images, resized likewise, by a network that the caller has.
    Perceptual {
        /// What the network belongs to.
        model: &'static str,
    },
    /// Their detections.
    Detections(fn(&Detections, &Detections, &Taxonomy, &Options) -> Computed),
    /// The categories that somebody names in them.
    CategoryNames(fn(&CategoryNames, &CategoryNames, &Options) -> Computed),
    /// Their masks.
    Masks(fn(&Masks, &Masks, &Options) -> Computed),
    /// Embeddings of the reference captions and of the reconstruction's caption.
    Captions(fn(&[&[f32]], &[f32], References) -> Computed),
    /// What [`basic_h_scores`](crate::decoding::basic_h::basic_h_scores) says of their scene graphs.
    SceneGraphs(fn(&BasicHScores) -> Outcome),
    /// Feature rows of a model: the first of these names that the features folder holds.
    Features {
        /// File names, without `.npy`.
        models: &'static [&'static str],
        /// Compares two rows.
        compare: fn(&[f32], &[f32]) -> Computed,
    },
    /// Feature rows of all pairs: each pair is told from others by
    /// [`identify`](crate::decoding::identification::identify).
    Identification {
        /// File names, as for [`Compute::Features`].
        models: &'static [&'static str],
        /// What it is told from.
        others: Others,
        /// Metrics that are reported beside it wherever the inputs allow, asked for or not.
        beside: &'static [&'static str],
    },
    /// Other metrics' outcomes.
    Scores {
        /// Their ids; each stands before this metric in the registry.
        from: &'static [&'static str],
        /// The outcome for a pair.
        combine: fn(&[&Outcome], &Options) -> Outcome,
        /// Columns whose means are averaged for a system, where that is not the mean over pairs.
        system: Option<SystemColumns>,
    },
}

/// What the own one of a pair is told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Those of the other pairs.
    OfPairs,
    /// The images of a pool that is the same for all systems.
    Pool,
}

impl Compute {
    /// Is it computed among the images of a common pool?
    pub fn needs_pool(&self) -> bool {
        matches!(
            self,
            Compute::Identification {
                others: Others::Pool,
                ..
            }
        )
    }

    /// What it needs, in words.
    pub fn needs(&self) -> String {
        match self {
            Compute::Pixels(_) => "images of both sides (--gt, --recon)".into(),
            Compute::Perceptual { .. } => {
                "images of both sides (--gt, --recon), the weights of its \
                                           network and its linear heads (--lpips-heads FILE)"
                    .into()
            }
            Compute::Detections(_) => {
                "detections of both sides (--observations, or --gt-detections and \
                 --recon-detections)"
                    .into()
            }
            Compute::CategoryNames(_) => {
                "names of categories of both sides (vlm_categories.json in \
                                          --observations, or --gt-vlm-categories and \
                                          --recon-vlm-categories)"
                    .into()
            }
            Compute::Masks(_) => "masks of both sides (--observations, with gt/masks and \
                                  recon/masks, or --gt-masks and --recon-masks)"
                .into(),
            Compute::Captions(_) => "captions of both sides (--observations, or --gt-captions \
                                     and --recon-captions)"
                .into(),
            Compute::SceneGraphs(_) => "scene graphs of both sides (scene_graphs.json or \
                                        scene_graphs.txt in --observations, or --gt-scene-graphs \
                                        and --recon-scene-graphs)"
                .into(),
            Compute::Features { models, .. } => features_of_both_sides(models),
            Compute::Identification { models, others, .. } => match others {
                Others::OfPairs => features_of_both_sides(models),
                Others::Pool => format!(
                    "{}, and the same of other images in --pool",
                    features_of_both_sides(models)
                ),
            },
            Compute::Scores { from, .. } => from.join(" and "),
        }
    }
}

fn features_of_both_sides(models: &[&str]) -> String {
    format!(
        "{}.npy in the features folders of both sides (--observations, or --gt-features and \
         --recon-features)",
        models.join(".npy or ")
    )
}

/// A specification with the usual decimals, without a chance level and without conventions.
pub(super) const fn spec(
    id: &'static str,
    label: &'static str,
    group: Group,
    direction: Direction,
    range: (f64, f64),
    about: &'static str,
) -> MetricSpec {
    MetricSpec {
        id,
        label,
        about,
        group,
        direction,
        range,
        chance: None,
        conventions: &[],
        decimals: 3,
    }
}
