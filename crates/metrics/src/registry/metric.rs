//! A metric of the registry: its specification, its inputs and its computation.

use crate::decoding::basic_h::BasicHScores;
use crate::decoding::cap_sim::References;
use crate::decoding::grounding::GroundedBox;
use crate::decoding::n_way_accuracy::{n_way_accuracy, n_way_details};
use crate::{MetricError, Options, PixelOptions, Taxonomy};
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{
    Detections, Direction, Explained, Group, Image, Lexicon, MetricSpec, ObservationKind, Outcome, Side,
};
use std::any::Any;

pub(super) type Computed = Result<Outcome, MetricError>;
/// An outcome with matched, missed and invented entries.
pub(super) type ComputedAndExplained = Result<Explained, MetricError>;

/// Turns the columns of a composite's parts into the columns whose means form a system's value.
pub type SystemColumns = fn(&[&[Outcome]]) -> Vec<Vec<Outcome>>;

/// The columns whose means average to a system's value of a composite, from those of its parts. If a part is itself a
/// composite, as BASIC-L is in BASIC, it contributes the columns behind its own value, so that a composite always
/// equals the printed values of its parts.
///
/// ```
/// use neurogauge_metrics::{Compute, find, system_columns_of};
/// let Compute::Scores { system: Some(system), .. } = find("basic").unwrap().compute else { unreachable!() };
/// // BASIC-L has the means 0.25 and 0.75 behind it, BASIC-H has 1: every column counts as often as its part's others.
/// let columns = system_columns_of(system, &[vec![vec![Ok(0.25)], vec![Ok(0.75)]], vec![vec![Ok(1.0)]]]);
/// assert_eq!(columns, [[Ok(0.25)], [Ok(1.0)], [Ok(0.75)], [Ok(1.0)]]);
/// ```
pub fn system_columns_of(system: SystemColumns, parts: &[Vec<Vec<Outcome>>]) -> Vec<Vec<Outcome>> {
    let n_each = parts.iter().map(Vec::len).product();
    let column = |place: usize| {
        let columns = parts.iter().map(|part| part[place % part.len()].as_slice());
        system(&columns.collect::<Vec<&[Outcome]>>())
    };
    (0..n_each).flat_map(column).collect()
}

/// A metric: how to read it and how to compute it.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    pub spec: MetricSpec,
    pub compute: Compute,
}

/// The value of an image's caption, from the embeddings of the image, of the caption and of the reference captions.
pub type CaptionOfImage = fn(&[f32], &[f32], &[&[f32]]) -> Computed;

/// Gives a closure the expected type.
pub(super) const fn function<F: Copy>(function: F) -> F {
    function
}

/// A function of any type.
pub type AnyFunction = &'static (dyn Any + Send + Sync);

/// Compares the observations of two images.
pub type PairFunction<T> = fn(&T, &T, &Options) -> ComputedAndExplained;

/// Compares detections, given the meaning of their labels.
pub type DetectionFunction = fn(&Detections, &Detections, &Taxonomy, &Options) -> ComputedAndExplained;

/// Compares the boxes of one category of the stimulus; the value of a system is the mean over the boxes of all pairs.
pub type BoxFunction = fn(&GroundedBox) -> Outcome;

/// Compares embeddings of the reference captions and of the reconstruction's caption.
pub type EmbeddingFunction = fn(&[&[f32]], &[f32], References) -> Computed;

/// A value from the scores of [`basic_h_scores`](crate::decoding::basic_h::basic_h_scores) for a pair's scene graphs.
pub type GraphFunction = fn(&BasicHScores) -> Outcome;

/// The value for a model's score of a pair; the model may not have given one.
pub type ScoreFunction = fn(Option<f64>) -> Outcome;

/// Compares the words of the reference captions and of the reconstruction's caption.
#[derive(Debug, Clone, Copy)]
pub struct WordFunction {
    /// How captions are split.
    pub words: CaptionWords,
    pub compare: fn(&WordsOfPairs<'_>) -> Vec<Outcome>,
    /// What each pair adds to the value of a system, if that is computed from all captions together rather than as the
    /// mean over pairs.
    pub of_all: Option<fn(&WordsOfPairs<'_>) -> Vec<Outcome>>,
}

/// The inputs of a metric for a pair of images.
#[derive(Debug, Clone, Copy)]
pub enum Compute {
    /// The images, resized by [`PixelOptions`](crate::PixelOptions).
    Pixels(fn(&Image<f32>, &Image<f32>, &PixelOptions) -> Computed),
    /// The images, resized in the same way, for a network that the caller has.
    Perceptual { model: &'static str },
    /// Observations of a kind. Only the code that opens the kind knows the type of the function, such as
    /// [`PairFunction`] for masks; [`Compute::function`] returns it.
    Items(ObservationKind, AnyFunction),
    /// The embedding of the stimulus' image, and those of the reconstruction's caption and of the stimulus' captions.
    CaptionsOfImages {
        /// File names of the images' embeddings, as for [`Compute::Features`].
        images: &'static [&'static str],
        /// The encoder of the captions, from the same model.
        texts: &'static str,
        /// The prefix of each caption.
        before: &'static str,
        compare: CaptionOfImage,
    },
    /// Feature rows of a model: the first of these names that the features folder has.
    Features {
        /// File names without `.npy`.
        models: &'static [&'static str],
        /// How two rows are compared.
        compare: FeatureComparison,
    },
    /// Feature rows of the frames of a clip, for one side.
    Frames {
        /// File names, as for [`Compute::Features`].
        models: &'static [&'static str],
        side: Side,
        /// The value of a clip, from the rows of its frames in order.
        compare: fn(&[&[f64]]) -> Outcome,
    },
    /// Feature rows of all pairs: [`identify`](crate::decoding::identification::identify) identifies each pair among
    /// others.
    Identification {
        /// File names, as for [`Compute::Features`].
        models: &'static [&'static str],
        distractors: Distractors,
    },
    /// Outcomes of other metrics.
    Scores {
        /// Their ids; each comes before this metric in the registry.
        from: &'static [&'static str],
        /// Combines the outcomes for a pair.
        combine: fn(&[&Outcome], &Options) -> Outcome,
        /// Columns whose means are averaged for a system, if its value is not the mean over pairs.
        system: Option<SystemColumns>,
    },
}

/// How captions are split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptionWords {
    /// As in COCO's caption evaluation.
    Coco,
    /// As in NLTK; words are looked up in a dictionary of synonyms.
    Nltk,
    /// As in rouge-score.
    Rouge,
}

/// The words of all pairs, and what else metrics of words need.
#[derive(Clone, Copy)]
pub struct WordsOfPairs<'a> {
    /// The reference captions of each pair.
    pub references: &'a [Vec<Vec<String>>],
    /// The decoded caption of each pair.
    pub captions: &'a [Vec<String>],
    pub stem: fn(&str) -> String,
    pub lexicon: &'a dyn Lexicon,
    /// For each pair, whether its references count as a separate document, and are not those of an earlier part of its
    /// item. `None` means that all do.
    pub documents: Option<&'a [bool]>,
    /// The weight of each pair if a value is computed from all captions together; `None` means 1.
    pub weights: Option<&'a [f64]>,
}

impl WordsOfPairs<'_> {
    pub(super) fn is_document(&self, pair: usize) -> bool {
        self.documents.is_none_or(|documents| documents[pair])
    }

    pub(super) fn weight(&self, pair: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[pair])
    }

    /// One outcome for each pair, from its caption and its references.
    pub(super) fn each(&self, score: impl Fn(&[String], &[Vec<String>]) -> Outcome) -> Vec<Outcome> {
        let pairs = self.captions.iter().zip(self.references);
        pairs
            .map(|(caption, references)| {
                stop_if_asked();
                score(caption, references)
            })
            .collect()
    }
}

/// How the feature rows of a pair are compared.
#[derive(Debug, Clone, Copy)]
pub enum FeatureComparison {
    Function(fn(&FeatureRows<'_>, &Options) -> ComputedAndExplained),
    /// As probabilities of classes, by [`n_way_accuracy`].
    NWay {
        /// The number of ways: a right class and `n_way` - 1 others.
        n_way: usize,
        /// The name of the classes in the details of a run, if they are listed.
        details: Option<&'static str>,
    },
}

impl FeatureComparison {
    /// The value for two rows.
    ///
    /// # Errors
    /// Rows of different lengths; options that do not fit the rows.
    pub fn compare(&self, rows: &FeatureRows<'_>, options: &Options) -> ComputedAndExplained {
        match *self {
            FeatureComparison::Function(compare) => compare(rows, options),
            FeatureComparison::NWay { n_way, details } => {
                let (gt, recon, options) = (rows.gt, rows.recon, &options.n_way_accuracy);
                let accuracy = n_way_accuracy(gt, recon, n_way, rows.pair, options)?;
                Ok(match details {
                    None => accuracy.into(),
                    Some(name) => {
                        let classes = n_way_details(gt, recon, options);
                        Explained::by(accuracy, name, "classes", classes)
                    }
                })
            }
        }
    }
}

/// The feature rows of a pair.
#[derive(Debug, Clone, Copy)]
pub struct FeatureRows<'a> {
    pub gt: &'a [f64],
    pub recon: &'a [f64],
    /// Position of the pair, which gives seeded draws a separate stream.
    pub pair: usize,
}

/// The distractors of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distractors {
    /// The images of the other pairs.
    Pairs,
    /// The images of a pool that is the same for all systems.
    Pool,
}

impl Metric {
    /// A metric with the most common scale: from 0 to 1, higher is better, printed with three decimals.
    pub(super) const fn new(
        id: &'static str,
        label: &'static str,
        group: Group,
        about: &'static str,
        compute: Compute,
    ) -> Self {
        let spec = spec(id, label, group, Direction::Higher, (0.0, 1.0), about);
        Metric { spec, compute }
    }

    pub(super) const fn lower_is_better(mut self) -> Self {
        self.spec.direction = Direction::Lower;
        self
    }

    pub(super) const fn range(mut self, lowest: f64, highest: f64) -> Self {
        self.spec.range = (lowest, highest);
        self
    }

    pub(super) const fn chance(mut self, chance: f64) -> Self {
        self.spec.chance = Some(chance);
        self
    }

    pub(super) const fn decimals(mut self, decimals: usize) -> Self {
        self.spec.decimals = decimals;
        self
    }

    pub(super) const fn conventions(mut self, ids: &'static str) -> Self {
        self.spec.conventions = ids;
        self
    }

    /// Does it look at the features of an identification among the pairs in another way? Then it is reported beside that
    /// metric and tested only on request, as one claim needs one test.
    pub fn is_twin(&self) -> bool {
        matches!(self.spec.group, Group::PoolFree | Group::CommonPool)
    }

    /// Makes a metric that is computed only on request.
    pub(super) const fn on_request(mut self) -> Self {
        self.spec.on_request = true;
        self
    }

    /// Do its scores often have a long tail, because most of them are near one end of a bounded scale? This is true for
    /// overlaps and matches of objects, words and masks, similarities of captions and bounded similarities of images,
    /// but not for distances and correlations of features.
    ///
    /// ```
    /// let of = |id: &str| neurogauge_metrics::find(id).unwrap().is_often_skewed();
    /// assert!(of("ssim") && of("cap_sim") && of("object_f1") && of("snm") && !of("swav") && !of("psnr") && !of("clip"));
    /// ```
    pub fn is_often_skewed(&self) -> bool {
        match self.compute {
            Compute::Pixels(_) => self.spec.range.1.is_finite(),
            Compute::Scores { system, .. } => system.is_none(),
            Compute::Features { compare, .. } => matches!(compare, FeatureComparison::NWay { .. }),
            Compute::Perceptual { .. } | Compute::Identification { .. } => false,
            _ => !self.compute.is_of_all_pairs(),
        }
    }
}

impl Compute {
    /// Is it computed within a common pool of images?
    pub fn needs_pool(&self) -> bool {
        matches!(
            self,
            Compute::Identification {
                distractors: Distractors::Pool,
                ..
            }
        )
    }

    /// Is the value of a system computed from all pairs together, such as BLEU from summed counts, rather than as the
    /// mean over pairs?
    pub fn is_of_all_pairs(&self) -> bool {
        let is_of_words = self.function::<WordFunction>().is_some_and(|words| words.of_all.is_some());
        is_of_words || self.function::<BoxFunction>().is_some()
    }

    /// The function of a metric of items, if it has this type.
    ///
    /// ```
    /// use neurogauge_core::{Masks, ObservationKind};
    /// use neurogauge_metrics::{PairFunction, ScoreFunction, find};
    /// let compute = find("salient_iou").unwrap().compute;
    /// assert_eq!(compute.kind(), Some(ObservationKind::Masks));
    /// assert!(compute.function::<PairFunction<Masks>>().is_some());
    /// assert!(compute.function::<ScoreFunction>().is_none());
    /// ```
    pub fn function<F: Any + Copy>(&self) -> Option<F> {
        match self {
            Compute::Items(_, function) => function.downcast_ref().copied(),
            _ => None,
        }
    }

    /// The kind of observations that it compares; `None` for composites.
    pub fn kind(&self) -> Option<ObservationKind> {
        Some(match self {
            Compute::Pixels(_) | Compute::Perceptual { .. } => ObservationKind::Images,
            Compute::Items(kind, _) => *kind,
            Compute::CaptionsOfImages { .. } => ObservationKind::Captions,
            Compute::Features { .. } | Compute::Frames { .. } | Compute::Identification { .. } => {
                ObservationKind::Features
            }
            Compute::Scores { .. } => return None,
        })
    }

    /// Does it compare embeddings of texts, unless options turn that off?
    pub fn embeds_texts(&self) -> bool {
        self.function::<EmbeddingFunction>().is_some() || self.function::<GraphFunction>().is_some()
    }

    /// Names of the feature matrices that it can be computed from, the preferred one first.
    pub fn features(&self) -> &'static [&'static str] {
        match self {
            Compute::Features { models, .. }
            | Compute::Frames { models, .. }
            | Compute::Identification { models, .. }
            | Compute::CaptionsOfImages { images: models, .. } => models,
            _ => &[],
        }
    }

    /// The encoder of captions, if they are compared with images.
    pub fn texts_of_images(&self) -> Option<&'static str> {
        match self {
            Compute::CaptionsOfImages { texts, .. } => Some(texts),
            _ => None,
        }
    }

    /// The number of ways, if it is an N-way accuracy of classes.
    pub fn n_way(&self) -> Option<usize> {
        match self {
            Compute::Features {
                compare: FeatureComparison::NWay { n_way, .. },
                ..
            } => Some(*n_way),
            _ => None,
        }
    }
}

/// A specification with the default decimals, without a chance level or conventions.
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
        conventions: "",
        decimals: 3,
        on_request: false,
    }
}
