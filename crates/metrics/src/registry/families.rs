//! Families of metrics that share matched, missed and invented entries.

/// Object recall, precision and F1.
pub(super) const OBJECT_F1: &str = "object_f1";
/// Object F1 of names.
pub(super) const OBJECT_F1_VLM: &str = "object_f1_vlm";
/// N-way accuracy of images, for any number of ways.
pub(super) const N_WAY_ACCURACY: &str = "n_way_accuracy";
/// N-way accuracy of clips.
pub(super) const VIDEO_N_WAY_ACCURACY: &str = "video_n_way_accuracy";
/// BASIC-H and its parts.
pub const BASIC_H: &str = "basic_h";
/// BASIC-L, the overlaps that it combines, and the average precision of the same masks.
pub(super) const BASIC_L: &str = "basic_l";

/// The name of a metric's matched, missed and invented entries in the details of a run; `None` for a metric that
/// matches nothing.
///
/// ```
/// use neurogauge_metrics::details_of;
/// assert_eq!(details_of("object_recall"), Some("object_f1"));
/// assert_eq!(details_of("basic_relation_f1"), Some("basic_h"));
/// assert_eq!(details_of("ssim"), None);
/// ```
pub fn details_of(metric: &str) -> Option<&'static str> {
    match metric {
        "object_recall" | "object_precision" | "object_f1" => Some(OBJECT_F1),
        "object_f1_vlm" => Some(OBJECT_F1_VLM),
        "basic_h" | "scene_graph_f1" => Some(BASIC_H),
        "basic_l" => Some(BASIC_L),
        _ if metric.starts_with(N_WAY_ACCURACY) => Some(N_WAY_ACCURACY),
        _ if metric.starts_with(VIDEO_N_WAY_ACCURACY) => Some(VIDEO_N_WAY_ACCURACY),
        _ if super::basic_h_metrics::METRICS.iter().any(|m| m.spec.id == metric) => Some(BASIC_H),
        _ if super::mask_metrics::METRICS.iter().any(|m| m.spec.id == metric) => Some(BASIC_L),
        _ => None,
    }
}
