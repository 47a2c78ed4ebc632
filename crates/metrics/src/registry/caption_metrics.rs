//! Comparisons of captions with captions (by their words, or by the scene graphs of all of them), of captions with
//! images, and of boxes with boxes, as reported by BrainHub. They are computed on request.

use super::metric::{
    BoxFunction, CaptionOfImage, CaptionWords, Compute, GraphFunction, Metric, WordFunction, WordsOfPairs, function,
};
use crate::decoding::captioning::{
    CAPTION_PREFIX, Cider, bleu_counts, clip_score, corpus_shares, meteor, ref_clip_score, rouge_l, rouge_l_f1, rouge_n,
};
use crate::decoding::grounding::{grounding_hit, grounding_iou};
use crate::decoding::scene_graph_f1::scene_graph_f1;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Group, ObservationKind, Outcome};

const ROUGE: &str = "rouge-words rouge-f1";

const fn of_captions(
    id: &'static str,
    label: &'static str,
    greatest: f64,
    conventions: &'static str,
    about: &'static str,
    compute: Compute,
) -> Metric {
    Metric::new(id, label, Group::Semantic, about, compute)
        .range(0.0, greatest)
        .conventions(conventions)
        .on_request()
}

const fn each(words: CaptionWords, compare: fn(&WordsOfPairs<'_>) -> Vec<Outcome>) -> WordFunction {
    WordFunction {
        words,
        compare,
        of_all: None,
    }
}

const fn of_words(function: &'static WordFunction) -> Compute {
    Compute::Items(ObservationKind::Captions, function)
}

const fn bleu<const N: usize>(id: &'static str, label: &'static str) -> Metric {
    let compute = of_words(&WordFunction {
        words: CaptionWords::Coco,
        compare: |pairs| pairs.each(|words, of| bleu_counts(words, of).map(|counts| counts.scores()[N - 1])),
        of_all: Some(|pairs| {
            let captions = pairs.captions.iter().zip(pairs.references);
            let counts: Vec<_> = captions.map(|(words, of)| bleu_counts(words, of)).collect();
            let weighted = counts.iter().enumerate();
            let weighted = weighted.map(|(pair, counts)| Some((*counts.as_ref().ok()?, pairs.weight(pair))));
            let known: Vec<_> = weighted.flatten().collect();
            let mut shares = corpus_shares(&known, N).into_iter();
            let share = |counts: Result<_, _>| counts.map(|_| shares.next().unwrap_or_default());
            counts.into_iter().map(share).collect()
        }),
    });
    of_captions(
        id,
        label,
        1.0,
        "caption-words bleu-corpus",
        "Runs of words that a reference caption has too",
        compute,
    )
}

const fn of_boxes(
    id: &'static str,
    label: &'static str,
    conventions: &'static str,
    about: &'static str,
    score: &'static BoxFunction,
) -> Metric {
    let compute = Compute::Items(ObservationKind::Detections, score);
    of_captions(id, label, 1.0, conventions, about, compute)
}

/// A comparison by the two encoders of CLIP ViT-B/32.
const fn of_images(compare: CaptionOfImage) -> Compute {
    Compute::CaptionsOfImages {
        images: &["clip_vit_b_32.image_embeds", "clip_vit_b_32"],
        texts: "clip_vit_b_32_text",
        before: CAPTION_PREFIX,
        compare,
    }
}

fn cider(pairs: &WordsOfPairs<'_>) -> Vec<Outcome> {
    let cider = Cider::of_documents(pairs.references, |pair| pairs.is_document(pair));
    let captions = pairs.captions.iter().enumerate();
    let score = |(pair, words): (usize, &Vec<String>)| {
        stop_if_asked();
        cider.score(pair, words)
    };
    captions.map(score).collect()
}

pub(super) const METRICS: &[Metric] = &[
    bleu::<1>("bleu_1", "BLEU-1"),
    bleu::<2>("bleu_2", "BLEU-2"),
    bleu::<3>("bleu_3", "BLEU-3"),
    bleu::<4>("bleu_4", "BLEU-4"),
    of_captions(
        "meteor",
        "METEOR",
        1.0,
        "meteor-nltk meteor-words sentences-punkt",
        "Words that a reference caption has too: equal, of one stem, or synonyms",
        of_words(&each(CaptionWords::Nltk, |pairs| {
            pairs.each(|words, of| meteor(words, of, pairs.stem, pairs.lexicon))
        })),
    ),
    of_captions(
        "rouge_1",
        "ROUGE-1",
        1.0,
        ROUGE,
        "F1 of the words that caption and reference share",
        of_words(&each(CaptionWords::Rouge, |pairs| pairs.each(|words, of| rouge_n(words, of, 1)))),
    ),
    of_captions(
        "rouge_2",
        "ROUGE-2",
        1.0,
        ROUGE,
        "F1 of the runs of two words that caption and reference share",
        of_words(&each(CaptionWords::Rouge, |pairs| pairs.each(|words, of| rouge_n(words, of, 2)))),
    ),
    of_captions(
        "rouge_l_f1",
        "ROUGE-L (F1)",
        1.0,
        ROUGE,
        "F1 of the longest common subsequence of words",
        of_words(&each(CaptionWords::Rouge, |pairs| pairs.each(rouge_l_f1))),
    ),
    of_captions(
        "rouge_l",
        "ROUGE-L",
        1.0,
        "caption-words rouge-l-best",
        "Longest common subsequence of words",
        of_words(&each(CaptionWords::Coco, |pairs| pairs.each(rouge_l))),
    ),
    of_captions(
        "cider",
        "CIDEr",
        10.0,
        "caption-words cider-documents cider-length",
        "Runs of words, weighed by how rare they are",
        of_words(&each(CaptionWords::Coco, cider)),
    ),
    of_captions(
        "clip_s",
        "CLIP-S",
        2.5,
        "clip-score-images",
        "Similarity of the stimulus and the reconstruction's caption",
        of_images(|image, caption, _| clip_score(image, caption)),
    ),
    of_captions(
        "ref_clip_s",
        "RefCLIP-S",
        10.0 / 7.0,
        "clip-score-images clip-score-reference",
        "Similarity of the stimulus, the reconstruction's caption and the stimulus's captions",
        of_images(ref_clip_score),
    ),
    of_captions(
        "scene_graph_f1",
        "Scene graph F1",
        1.0,
        "scene-graph-f1",
        "F1 of objects, attributes and relations of the captions together",
        Compute::Items(ObservationKind::SceneGraphs, &(scene_graph_f1 as GraphFunction)),
    ),
    of_boxes(
        "grounding_accuracy",
        "Acc@0.5",
        "grounding-first-box grounding-missing grounding-threshold grounding-interval",
        "Share of the boxes of the stimulus's categories that a decoded box overlaps by more than a half",
        &function(|boxes| grounding_hit(boxes, 0.5)),
    ),
    of_boxes(
        "grounding_iou",
        "Grounding IoU",
        "grounding-first-box grounding-missing grounding-interval",
        "Overlap of the boxes of the stimulus's categories with the decoded ones",
        &function(grounding_iou),
    ),
];
