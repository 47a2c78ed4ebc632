//! The list of all metrics, which the command line, the documentation, Python and the tests read.
//!
//! To add a metric of two images: its file under `decoding/`, its entry in `image_metrics` here with the place of its
//! function, a reference script, its golden, its test, and a line in the changelog (CONTRIBUTING.md has the list).

mod basic_h_metrics;
mod basic_metrics;
mod caption_metrics;
pub(crate) mod definition;
mod description;
mod families;
mod feature_comparisons;
mod feature_metrics;
mod features_by_name;
mod image_metrics;
mod mask_metrics;
mod metric;
pub(crate) mod papers;
mod seed_metrics;
mod standalone_metrics;

pub use definition::definition;
pub use description::{ConventionSection, MetricDescription, convention, convention_sections};
pub use families::{BASIC_H, details_of};
pub use metric::{
    AnyFunction, BoxFunction, CaptionOfImage, CaptionWords, Compute, DetectionFunction, Distractors, EmbeddingFunction,
    FeatureComparison, FeatureRows, GraphFunction, Metric, PairFunction, ScoreFunction, SystemColumns, WordFunction,
    WordsOfPairs, system_columns_of,
};
pub use papers::papers_of;
pub use standalone_metrics::STANDALONE_METRICS;

/// Every metric, in the order of the field's tables.
pub const METRICS: &[Metric] = &joined::<{ count(KINDS) }>(KINDS);

const KINDS: &[&[Metric]] = &[
    image_metrics::METRICS,
    feature_metrics::METRICS,
    seed_metrics::METRICS,
    basic_h_metrics::METRICS,
    mask_metrics::METRICS,
    basic_metrics::METRICS,
    mask_metrics::FURTHER,
    caption_metrics::METRICS,
];

const fn count(kinds: &[&[Metric]]) -> usize {
    let (mut n, mut kind) = (0, 0);
    while kind < kinds.len() {
        n += kinds[kind].len();
        kind += 1;
    }
    n
}

/// The metrics of all kinds, one kind after another.
const fn joined<const N: usize>(kinds: &[&[Metric]]) -> [Metric; N] {
    let mut all = [kinds[0][0]; N];
    let (mut n, mut kind) = (0, 0);
    while kind < kinds.len() {
        let mut place = 0;
        while place < kinds[kind].len() {
            all[n] = kinds[kind][place];
            n += 1;
            place += 1;
        }
        kind += 1;
    }
    all
}

const fn ids<const N: usize>(metrics: &[Metric]) -> [&'static str; N] {
    let mut ids = [""; N];
    let mut place = 0;
    while place < N {
        ids[place] = metrics[place].spec.id;
        place += 1;
    }
    ids
}

/// The metric with this id: one of [`METRICS`], or a metric of any model's features, with an id like `MODEL:LAYER`.
pub fn find(id: &str) -> Option<&'static Metric> {
    let registered = METRICS.iter().find(|metric| metric.spec.id == id);
    registered.or_else(|| features_by_name::features_by_name(id))
}

/// The metrics with these ids, in the order of tables: first the order of [`METRICS`], then metrics of any model's
/// features as given. Unknown ids are skipped.
///
/// ```
/// use neurogauge_metrics::in_order;
/// let ids = ["resnet50:layer4", "ssim", "pixcorr", "ssim", "mine"];
/// let ids: Vec<&str> = in_order(ids).iter().map(|metric| metric.spec.id).collect();
/// assert_eq!(ids, ["pixcorr", "ssim", "resnet50:layer4"]);
/// ```
pub fn in_order<'a>(ids: impl IntoIterator<Item = &'a str>) -> Vec<&'static Metric> {
    let mut metrics: Vec<&'static Metric> = Vec::new();
    for metric in ids.into_iter().filter_map(find) {
        if !metrics.iter().any(|known| known.spec.id == metric.spec.id) {
            metrics.push(metric);
        }
    }
    let place = |id| METRICS.iter().position(|metric| metric.spec.id == id);
    metrics.sort_by_key(|metric| place(metric.spec.id).unwrap_or(METRICS.len()));
    metrics
}

/// A metric in composites, and the metric that replaces it in a run with both.
const IN_COMPOSITES: &[(&str, &str)] = &[("effnet", "effnet_official")];

/// The columns for a composite of the metrics `from` in a run with these metrics: SEED uses EffNet with its own
/// preprocessing if the run has both.
///
/// ```
/// use neurogauge_metrics::parts_among;
/// let parts = parts_among(&["cap_sim", "effnet"], |id| id != "swav");
/// assert_eq!(parts, ["cap_sim", "effnet_official"]);
/// assert_eq!(parts_among(&["effnet"], |id| id == "effnet"), ["effnet"]);
/// ```
pub fn parts_among(from: &[&'static str], has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let in_place = |part: &&'static str| {
        let own = IN_COMPOSITES.iter().find(|(id, own)| id == part && has(own));
        own.map_or(*part, |(_, own)| *own)
    };
    from.iter().map(in_place).collect()
}

/// Names of lists of metrics.
pub const LISTS: &[(&str, &[&str])] = &[
    ("nsd8", &["pixcorr", "ssim", "alexnet2", "alexnet5", "inception", "clip", "effnet", "swav"]),
    (
        "nsd8_correlation",
        &["alexnet2_correlation", "alexnet5_correlation", "inception_correlation", "clip_correlation"],
    ),
    ("n_way", &["n_way_accuracy_2", "n_way_accuracy_10", "n_way_accuracy_40", "n_way_accuracy_50"]),
    (
        "video",
        &[
            "video_n_way_accuracy_2",
            "video_n_way_accuracy_50",
            "frame_consistency",
            "frame_consistency_all",
            "stimulus_frame_consistency",
            "stimulus_frame_consistency_all",
        ],
    ),
    ("basic_h_all", &ids::<{ basic_h_metrics::METRICS.len() }>(basic_h_metrics::METRICS)),
    ("basic_l_all", &ids::<{ mask_metrics::METRICS.len() }>(mask_metrics::METRICS)),
];

/// The metrics in a list of [`LISTS`].
pub fn list(name: &str) -> Option<&'static [&'static str]> {
    Some(LISTS.iter().find(|(known, _)| *known == name)?.1)
}
