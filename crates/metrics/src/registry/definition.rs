//! The definitions of metrics, taken from the documentation of their functions. Definitions are written only there; the
//! pages of the documentation and `neurogauge list metrics` read them from there.

use super::image_metrics;

/// The source of a file below `decoding/`.
macro_rules! source {
    ($file:expr) => {
        include_str!(concat!("../decoding/", $file))
    };
}

/// A metric whose function and file have its id as their name.
macro_rules! own_function {
    ($id:literal) => {
        ($id, source!(concat!($id, ".rs")), $id)
    };
}
pub(super) use {own_function, source};

/// The ids of metrics, the source of the file with their function, and its name. An id is matched exactly, or by its
/// ending after a `*`.
pub(super) type Function = (&'static str, &'static str, &'static str);

/// Functions of metrics that do not compare two images. The first matching line counts.
const FUNCTIONS: &[Function] = &[
    ("alexnet2 alexnet5 inception clip *_pool", source!("identification/mod.rs"), "identify"),
    ("*_correlation", source!("feature_correlation.rs"), "correlation"),
    ("effnet effnet_official swav", source!("feature_distance.rs"), "correlation_distance"),
    ("dreamsim dreamsim_dino dreamsim_clip dreamsim_open_clip", source!("dreamsim.rs"), "dreamsim"),
    (
        "n_way_accuracy_2 n_way_accuracy_10 n_way_accuracy_40 n_way_accuracy_50 video_n_way_accuracy_2 \
         video_n_way_accuracy_50 *_way",
        source!("n_way_accuracy.rs"),
        "n_way_accuracy",
    ),
    ("*frame_consistency *frame_consistency_all", source!("frame_consistency.rs"), "frame_consistency"),
    ("object_f1_vlm", source!("vlm_objects.rs"), "vlm_object_f1"),
    ("object_recall object_precision object_f1", source!("objects/mod.rs"), "object_scores"),
    ("bleu_1 bleu_2 bleu_3 bleu_4", source!("captioning/bleu.rs"), "bleu_counts"),
    ("grounding_accuracy", source!("grounding.rs"), "grounding_hit"),
    ("grounding_iou", source!("grounding.rs"), "grounding_iou"),
    ("meteor", source!("captioning/meteor.rs"), "meteor"),
    ("rouge_1 rouge_2", source!("captioning/rouge.rs"), "rouge_n"),
    ("rouge_l_f1", source!("captioning/rouge.rs"), "rouge_l_f1"),
    ("rouge_l", source!("captioning/rouge_l.rs"), "rouge_l"),
    ("cider", source!("captioning/cider.rs"), "Cider"),
    ("clip_s", source!("captioning/clip_score.rs"), "clip_score"),
    ("ref_clip_s", source!("captioning/clip_score.rs"), "ref_clip_score"),
    own_function!("scene_graph_f1"),
    own_function!("cap_sim"),
    own_function!("vqa_score"),
    own_function!("text_recall"),
    own_function!("seed"),
    ("seed_vlm", source!("seed.rs"), "seed_vlm"),
    ("sdm", source!("seed.rs"), "detail_miss"),
    ("snm", source!("near_miss.rs"), "near_miss"),
    ("basic_h", source!("basic_h/scores.rs"), "basic_h"),
    ("basic_l", source!("basic_l/mod.rs"), "basic_l"),
    own_function!("basic"),
    own_function!("mask_matching_ratio"),
    ("*_iou", source!("basic_l/mod.rs"), "level_iou"),
    ("*_ap", source!("basic_l/mod.rs"), "level_ap"),
    ("*_precision *_recall *_f1", source!("basic_h/scores.rs"), "basic_h_scores"),
];

/// The definition of a metric, from its function's documentation: Markdown without Rust's marks. `None` for metrics
/// that are computed elsewhere.
///
/// ```
/// use neurogauge_metrics::definition;
/// assert!(definition("ssim").unwrap().contains("Wang et al. 2004, equation 13"));
/// assert_eq!(definition("lpips_alex"), None);
/// assert_eq!(definition("resnet50:avgpool:distance"), definition("swav"));
/// ```
pub fn definition(id: &str) -> Option<String> {
    // The ids of metrics of any model's features end with a colon and the comparison.
    let id = match id.rsplit_once(':') {
        Some((_, "correlation")) => "_correlation",
        Some((_, "distance")) => "effnet",
        Some((_, way)) if way.ends_with("_way") => "_way",
        Some(_) => "_pool",
        None => id,
    };
    let is_of = |pattern: &str| pattern.strip_prefix('*').map_or(id == pattern, |ending| id.ends_with(ending));
    let of_metric = image_metrics::FUNCTIONS.iter().chain(FUNCTIONS).find(|(ids, _, _)| ids.split(' ').any(is_of));
    let (_, source, function) = of_metric?;
    documentation(source, function)
}

/// The documentation of a public function, or of a type that computes scores.
fn documentation(source: &str, function: &str) -> Option<String> {
    let starts = [format!("pub fn {function}("), format!("pub fn {function}<"), format!("pub struct {function} {{")];
    let lines: Vec<&str> = source.lines().collect();
    let place = lines.iter().position(|line: &&str| starts.iter().any(|start| line.starts_with(start)))?;
    let before = lines[..place].iter().rev();
    let comment = before.skip_while(|line| !line.starts_with("///")).take_while(|line| line.starts_with("///"));
    let mut comment: Vec<&str> = comment
        .map(|line| {
            let words = line.trim_start_matches("///");
            words.strip_prefix(' ').unwrap_or(words)
        })
        .collect();
    comment.reverse();
    let mut text = String::new();
    let mut is_code = false;
    for line in comment {
        if let Some(language) = line.strip_prefix("```") {
            is_code = !is_code;
            text += match (is_code, language) {
                (true, "") => "```rust",
                _ => line,
            };
        } else if !is_code {
            text += &without_links(line);
        } else if line == "#" || line.starts_with("# ") {
            // A line of an example that rustdoc hides.
            continue;
        } else {
            text += line;
        }
        text.push('\n');
    }
    Some(text.trim_end().to_owned())
}

/// A line of Markdown in which links are replaced by their text.
pub fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        text += before;
        let Some((words, behind)) = after.split_once(']') else {
            return text + "[" + after;
        };
        let target = behind.strip_prefix('(').and_then(|b| b.split_once(')'));
        rest = match target {
            Some((_, behind)) => {
                text += words;
                behind
            }
            None if words.len() > 1 && words.starts_with('`') && words.ends_with('`') => {
                text += words;
                behind
            }
            None => {
                text += &format!("[{words}]");
                behind
            }
        };
    }
    text + rest
}
