//! Files generated from the registry: the documentation's table and pages of metrics; and from the pages of
//! conventions: the order of their index, and the questions and options that the program shows. A test fails if a file
//! differs from the generated text; with `NEUROGAUGE_WRITE=1` it writes the file instead.

use super::conventions::{FOLDER, Section, sections};
use crate::support::*;

pub(crate) fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Fails unless the file contains `text`, or writes it.
pub(crate) fn is_written(path: &str, text: &str) {
    let file = in_repository(path);
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap_or_default() == text,
        "{path} is not what it is written from; run `make written`"
    );
}

/// The objects that a metric compares and its inputs, in the documentation's words.
fn words(metric: &Metric) -> (&'static str, String) {
    let models =
        "images and the models' weights, or feature matrices (`features/<model>.npy`, each folder with `ids.json`)";
    let is_of_boxes = metric.compute.function::<BoxFunction>().is_some();
    let words = metric.compute.function::<WordFunction>().map(|function| function.words);
    let (what, needs) = match metric.compute {
        Compute::Pixels(_) if metric.spec.on_request => ("", "images; only where it is asked for".to_owned()),
        Compute::Pixels(_) => ("", "images".to_owned()),
        Compute::Perceptual { .. } => ("", "images, and the linear heads as a file (`--lpips-heads`)".to_owned()),
        Compute::Identification { distractors: Distractors::Pairs, .. } => {
            ("two-way identification (or n-way, top k)", models.to_owned())
        }
        Compute::Identification { distractors: Distractors::Pool, .. } => (
            "the same among the images of a common pool",
            "the same, and `--pool` (images, or their features)".to_owned(),
        ),
        Compute::Features { .. } if metric.spec.group == Group::PoolFree => {
            ("correlations beside them, which depend on no pool", "the same".to_owned())
        }
        Compute::Features { .. } if metric.spec.conventions().any(|id| id == "seed-images") => (
            "correlation distance of images prepared as SEED's released code does",
            "the same; beside `effnet` wherever SEED is computed".to_owned(),
        ),
        Compute::Features { .. } if metric.spec.id.starts_with("video_") => (
            "the same of clips, by the actions that VideoMAE sees in all frames together",
            "only where it is asked for: clips (`--parts`) and the weights of `videomae_vit_b_16`".to_owned(),
        ),
        Compute::Frames { .. } => (
            "how similar the frames of a clip are to each other",
            "only where it is asked for: clips (`--parts`) and the model's weights, or `clip.npy` of all frames".to_owned(),
        ),
        Compute::Features { .. } if metric.spec.conventions().any(|id| id == "dreamsim-form") => (
            "distance of embeddings adapted to human judgements of similarity",
            "only where it is asked for: images and the folder that the package `dreamsim` fills (`--weights`), or the embeddings"
                .to_owned(),
        ),
        Compute::Features { .. } if metric.spec.on_request => (
            "accuracy of the classes that a classifier sees; three classes count as right, so chance is 3/(n + 2)",
            "only where it is asked for: images and the weights of torchvision's ViT-B/16, or `class_probabilities.npy` of any \
             classifier in each folder of features"
                .to_owned(),
        ),
        Compute::Features { .. } => ("correlation distances", "the same".to_owned()),
        Compute::Items(ObservationKind::Detections, _) if !is_of_boxes => (
            "categories of objects",
            "detections: mmdetection JSON, or boxes by category; or images and a detector (`--detector`; by itself \
             `mm_grounding_dino_swin_l`)"
                .to_owned(),
        ),
        Compute::Items(ObservationKind::Detections, _) => (
            "boxes of the stimulus's categories",
            "only where it is asked for: boxes by category, or detections as above".to_owned(),
        ),
        Compute::Items(ObservationKind::CategoryNames, _) => (
            "categories that a vision-language model names (SEED, B.2)",
            "`vlm_categories.json`: `{\"stem\": \"dog, frisbee\"}`".to_owned(),
        ),
        Compute::Items(ObservationKind::ImageTexts, _) => (
            "words that are written in both images",
            "only where it is asked for: images and `--vlm URL` (or `--vlm-model qwen2.5-vl-7b`), which read them; or `image_texts.json`: \
             `{\"stem\": [\"EXIT\", \"Main Street\"]}`"
                .to_owned(),
        ),
        Compute::Items(ObservationKind::VqaScores, _) => (
            "what a vision-language model says of the reconstruction and the stimulus's caption",
            "only where it is asked for: images, captions, and `--vlm-model clip_flant5_xl` (or `clip_flant5_xxl`), which Neurogauge \
             runs itself, or `--vlm URL`; or `recon/vqa_scores.json`: `{\"stem\": 0.83}`"
                .to_owned(),
        ),
        Compute::CaptionsOfImages { .. } => (
            "a caption against the image that it is to describe",
            "only where it is asked for: images, and captions or a captioner; CLIP ViT-B/32".to_owned(),
        ),
        Compute::Items(..) if words == Some(CaptionWords::Nltk) => (
            "words of captions",
            "only where it is asked for: captions, or images and a captioner; WordNet 3.0".to_owned(),
        ),
        Compute::Items(..) if words.is_some() => (
            "words of captions",
            "only where it is asked for: captions, or images and a captioner".to_owned(),
        ),
        Compute::Items(ObservationKind::SceneGraphs, _) if metric.spec.on_request => (
            "all elements of the captions' scene graphs together; not SPICE",
            "only where it is asked for: as BASIC-H".to_owned(),
        ),
        Compute::Items(ObservationKind::SceneGraphs, _) => (
            "scene graphs of captions",
            "scene graphs, or captions and `--set parser=t5`; WordNet 3.0, an encoder".to_owned(),
        ),
        Compute::Items(ObservationKind::Masks, _) => (
            "overlap and average precision of masks at five levels (BASIC-L), and pixels on which the foregrounds agree (MMR)",
            "masks, and `categories.json` (which names are objects, parts, background)".to_owned(),
        ),
        Compute::Items(..) => (
            "captions",
            "captions, or images (`--captioner`; by itself `git_large_coco`; or `blip2_opt_2_7b`); Neurogauge runs GIT, \
             BLIP-2 and all-MiniLM-L6-v2 itself"
                .to_owned(),
        ),
        Compute::Scores { from, .. } => ("", ids(from)),
    };
    (what, needs)
}

fn ids(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" ")
}

/// One line for all metrics with the same objects and inputs, in the registry's order.
fn table() -> String {
    let mut rows: Vec<((&str, String), Vec<&MetricSpec>)> = Vec::new();
    for metric in METRICS {
        let words = words(metric);
        match rows.iter_mut().find(|(known, _)| *known == words) {
            Some((_, specs)) => specs.push(&metric.spec),
            None => rows.push((words, vec![&metric.spec])),
        }
    }
    let mut text = "| metric | id | needs |\n|---|---|---|\n".to_owned();
    for ((what, needs), specs) in rows {
        let labels = specs.iter().map(|spec| spec.label).collect::<Vec<_>>().join(", ");
        let name = if what.is_empty() {
            labels
        } else {
            format!("{labels}: {what}")
        };
        let own: Vec<&str> = specs.iter().map(|spec| spec.id).collect();
        text += &format!("| {name} | {} | {needs} |\n", ids(&own));
    }
    let lists: Vec<String> = LISTS.iter().map(|(name, of)| format!("`{name}` ({} metrics)", of.len())).collect();
    text + &format!("\n`--metrics` takes these ids and, for several at once, {}.\n", lists.join(", "))
}

/// The documentation's page with the table.
const METRICS_PAGE: &str = "docs/pages/reference/metrics.md";

#[test]
fn the_table_of_the_documentation_is_that_of_the_registry() {
    let (begin, end) = ("<!-- metrics: written from the registry -->\n", "<!-- end of metrics -->\n");
    let page = std::fs::read_to_string(in_repository(METRICS_PAGE)).unwrap();
    let (before, rest) = page.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    is_written(METRICS_PAGE, &format!("{before}{begin}{}{end}{after}", table()));
}

/// The words of links, without their targets.
fn without_links(text: &str) -> String {
    let Some((before, after)) = text.split_once("](") else {
        return text.to_owned();
    };
    let (outside, words) = before.rsplit_once('[').unwrap();
    let (_, rest) = after.split_once(')').unwrap();
    format!("{outside}{words}{}", without_links(rest))
}

/// The first sentence, without Markdown and without remarks in brackets; those of formulas stay.
fn sentence(text: &str) -> String {
    let paragraph = without_links(text.split("\n\n").next().unwrap_or_default()).replace('`', "");
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let letters: Vec<char> = words.join(" ").chars().collect();
    let (mut words, mut at) = (String::new(), 0);
    while let Some(letter) = letters.get(at) {
        let mut depth = 0;
        let end = letters[at..].iter().position(|letter| {
            depth += i32::from(*letter == '(') - i32::from(*letter == ')');
            depth == 0
        });
        let next = letters.get(at + end.unwrap_or_default() + 1);
        let is_remark = *letter == '(' && words.ends_with([' ']) && next.is_none_or(|next| " .,:;?".contains(*next));
        at += 1 + end.filter(|_| is_remark).unwrap_or_default();
        words.extend((!is_remark).then_some(*letter));
    }
    let words = words.replace("  ", " ").replace(" ,", ",").replace(" .", ".").replace(" :", ":");
    let end = [". ", "? "].iter().filter_map(|end| Some(words.find(end)? + 1)).min();
    words[..end.unwrap_or(words.len())].to_owned()
}

/// The conventions of metrics and of alignments: id, question, and the answer by default, separated by tabs.
fn conventions() -> String {
    let is_used = |id: &str| METRICS.iter().any(|metric| metric.spec.conventions().any(|own| own == id));
    let rows = sections().into_iter().filter(|section| is_used(&section.id) || section.page == "recovery.md");
    rows.map(|Section { id, question, text, .. }| {
        let answer = sentence(text.trim_start()).replace("**", "");
        format!("{id}\t{}\t{}\n", sentence(&question), answer.trim_end_matches('.'))
    })
    .collect()
}

#[test]
fn the_conventions_are_those_of_the_document() {
    is_written("crates/metrics/src/registry/conventions.tsv", &conventions());
}

#[test]
fn the_index_of_conventions_has_the_order_of_their_pages() {
    let (begin, end) = ("<!-- conventions: written from the pages -->\n", "<!-- end of conventions -->\n");
    let name = format!("{FOLDER}/index.md");
    let index = std::fs::read_to_string(in_repository(&name)).unwrap();
    let (before, rest) = index.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let rows = sections().into_iter().map(|Section { id, question, page, .. }| {
        // A new section gets a line without a question. Those below are written from the table of conventions.
        let own = rest.split_once(&format!("- [`{id}`](")).map_or("", |(_, own)| own);
        let below = own.lines().skip(1).take_while(|line| line.starts_with("    - ")).map(|line| format!("{line}\n"));
        format!("- [`{id}`]({page}#{id}): {question}\n{}", below.collect::<String>())
    });
    let list: String = rows.collect();
    is_written(&name, &format!("{before}{begin}\n{list}\n{end}{after}"));
}

#[test]
fn the_pages_of_metrics_are_made_of_the_registry() {
    // `docs/build/stage.py` makes pages from this.
    let metrics: Vec<MetricDescription> = METRICS.iter().map(Metric::description).collect();
    let text = serde_json::to_string_pretty(&metrics).unwrap();
    is_written("docs/metrics.json", &(text + "\n"));
}
