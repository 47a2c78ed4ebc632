//! BLEU, ROUGE-L and CIDEr against pycocoevalcap, and their properties independent of it.

use crate::support::*;
use neurogauge_metrics::decoding::captioning::{Cider, clip_score, corpus_shares, ref_clip_score, rouge_l};

fn words(text: &str) -> Vec<String> {
    // Splits at spaces only: a non-breaking space is a part of its word.
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[track_caller]
fn close(found: f64, expected: &Value) {
    near(found, number(expected), 1e-12 * number(expected).abs().max(f64::MIN_POSITIVE));
}

#[test]
fn scores_are_those_of_pycocoevalcap() {
    let golden: Value = golden("captioning/scores");
    let images = list(&golden["images"]);
    let references: Vec<Vec<Vec<String>>> = images
        .iter()
        .map(|image| list(&image["references"]).iter().map(|text| words(text.as_str().unwrap())).collect())
        .collect();
    let cider = Cider::new(&references);
    let mut total = BleuCounts::default();
    let (mut rouge_sum, mut cider_sum) = (0.0, 0.0);
    let mut each = Vec::new();
    for (i, image) in images.iter().enumerate() {
        let decoded = words(image["decoded"].as_str().unwrap());
        let counts = bleu_counts(&decoded, &references[i]).unwrap();
        for (n, score) in counts.scores().into_iter().enumerate() {
            close(score, &golden["bleu_each"][n][i]);
        }
        total += counts;
        each.push((counts, 1.0));
        let rouge = rouge_l(&decoded, &references[i]).unwrap();
        close(rouge, &golden["rouge_l_each"][i]);
        let score = cider.score(i, &decoded).unwrap();
        close(score, &golden["cider_each"][i]);
        rouge_sum += rouge;
        cider_sum += score;
    }
    for (n, score) in total.scores().into_iter().enumerate() {
        close(score, &golden["bleu"][n]);
        let shares = corpus_shares(&each, n + 1);
        close(shares.iter().sum::<f64>() / shares.len() as f64, &golden["bleu"][n]);
    }
    close(rouge_sum / images.len() as f64, &golden["rouge_l"]);
    close(cider_sum / images.len() as f64, &golden["cider"]);
}

#[test]
fn a_caption_that_is_its_reference_is_perfect_and_order_of_references_does_not_matter() {
    let references = vec![words("a red dog runs fast"), words("two birds")];
    let turned = vec![references[1].clone(), references[0].clone()];
    let caption = &references[0].clone();
    for references in [&references, &turned] {
        let counts = bleu_counts(caption, references).unwrap();
        assert!(counts.scores().iter().all(|score| (score - 1.0).abs() < 1e-8));
        assert!((rouge_l(caption, references).unwrap() - 1.0).abs() < 1e-15);
    }
    let other = vec![words("a cat")];
    let one = Cider::new(&[references, other.clone()]).score(0, caption);
    let two = Cider::new(&[turned, other]).score(0, caption);
    assert!((one.unwrap() - two.unwrap()).abs() < 1e-12);
}

/// A caption's share is the change of BLEU of very many copies of the captions if the caption is added once more.
#[test]
fn shares_of_captions_are_the_derivative_of_bleu() {
    let pairs = [
        ("a red dog runs fast", "a red dog runs very fast"),
        ("two small birds in a tree", "two birds sit in a tree"),
        ("a man rides a wave on a board", "a man on a wave"),
        ("a cat", "the cat sleeps on the bed all day"),
    ];
    let counts = pairs.map(|(caption, reference)| bleu_counts(&words(caption), &[words(reference)]).unwrap());
    const COPIES: usize = 1_000_000;
    let mut copies = BleuCounts::default();
    for own in counts {
        copies += BleuCounts {
            n_words: own.n_words * COPIES,
            n_reference_words: own.n_reference_words * COPIES,
            runs: own.runs.map(|n| n * COPIES),
            matches: own.matches.map(|n| n * COPIES),
        };
    }
    for n in 1..=4 {
        let bleu = copies.scores()[n - 1];
        for (own, share) in counts.into_iter().zip(corpus_shares(&counts.map(|own| (own, 1.0)), n)) {
            let mut more = copies;
            more += own;
            let change = more.scores()[n - 1] - bleu;
            let expected = bleu + (counts.len() * COPIES) as f64 * change;
            assert!((share - expected).abs() < 1e-5, "{n}: {share} {expected}");
        }
    }
}

/// Three captions of one image and one of another, with equal weights of images, equal a corpus with the other's
/// caption three times.
#[test]
fn weights_are_how_often_captions_count() {
    let count = |caption: &str, of: &str| bleu_counts(&words(caption), &[words(of)]).unwrap();
    let samples = ["a red dog runs", "a dog", "the dog runs fast"].map(|caption| count(caption, "a red dog runs fast"));
    let other = count("two birds on a wire", "two birds sit on a wire");
    let weighted: Vec<(BleuCounts, f64)> =
        (samples.map(|own| (own, 1.0 / 3.0)).into_iter()).chain([(other, 1.0)]).collect();
    let mut corpus = BleuCounts::default();
    for own in samples.into_iter().chain([other; 3]) {
        corpus += own;
    }
    for n in 1..=4 {
        let shares = corpus_shares(&weighted, n);
        let mean = (shares[..3].iter().sum::<f64>() / 3.0 + shares[3]) / 2.0;
        assert!((mean - corpus.scores()[n - 1]).abs() < 1e-9, "{n}");
    }
}

/// References that several captions share count as one document: CIDEr of a caption does not depend on how many
/// captions an image has.
#[test]
fn references_of_several_captions_are_one_document() {
    let references = [words("a red dog runs"), words("two birds"), words("a dog on a mat")];
    let once: Vec<Vec<Vec<String>>> = references.iter().map(|of| vec![of.clone()]).collect();
    let thrice: Vec<Vec<Vec<String>>> = once.iter().flat_map(|of| vec![of.clone(); 3]).collect();
    let caption = words("a dog runs on a wire");
    let expected = Cider::new(&once).score(2, &caption).unwrap();
    let of_documents = Cider::of_documents(&thrice, |pair| pair % 3 == 0);
    assert_eq!(of_documents.score(7, &caption), Ok(expected));
    assert!(Cider::new(&thrice).score(7, &caption).unwrap() != expected);
}

#[test]
fn what_has_no_value() {
    let one = [vec![words("a dog")]];
    assert_eq!(Cider::new(&one).score(0, &one[0][0]), Err(Undefined::TooFewItems));
    let none = Err(Undefined::Empty(Side::Gt));
    assert_eq!(rouge_l(&one[0][0], &[]), none);
    assert_eq!(bleu_counts(&one[0][0], &[]), Err(Undefined::Empty(Side::Gt)));
    assert_eq!(Cider::new(&[vec![], vec![]]).score(0, &[]), none);
    assert_eq!(Cider::new(&one).score(7, &[]), none);
    assert_eq!(rouge_l(&[], &one[0]), Ok(0.0));
    assert!(bleu_counts(&[], &one[0]).unwrap().scores().iter().all(|&score| score < 1e-9));
}

#[test]
fn clip_scores_are_those_of_the_equations_in_double_precision() {
    let cases: Vec<Value> = golden("captioning/clip_scores");
    assert_eq!(cases.len(), 8);
    for case in cases {
        let vector = |value: &Value| -> Vec<f32> { serde_json::from_value(value.clone()).unwrap() };
        let (image, caption) = (vector(&case["image"]), vector(&case["caption"]));
        let references: Vec<Vec<f32>> = list(&case["references"]).iter().map(vector).collect();
        let references: Vec<&[f32]> = references.iter().map(Vec::as_slice).collect();
        let score = clip_score(&image, &caption).unwrap().unwrap();
        close(score, &case["clip_score"]);
        let score = ref_clip_score(&image, &caption, &references).unwrap();
        close(score.unwrap(), &case["ref_clip_score"]);
    }
}

#[test]
fn clip_scores_below_zero_are_zero() {
    let (east, west) = ([1.0, 0.0], [-1.0_f32, 0.0]);
    assert_eq!(clip_score(&east, &west).unwrap(), Ok(0.0));
    assert_eq!(ref_clip_score(&east, &west, &[&east]).unwrap(), Ok(0.0));
    assert_eq!(ref_clip_score(&east, &east, &[]).unwrap(), Err(Undefined::Empty(Side::Gt)));
    assert_eq!(clip_score(&[0.0, 0.0], &east).unwrap(), Err(Undefined::Empty(Side::Gt)));
    assert!(clip_score(&[1.0], &east).is_err());
}
