//! Matched, missed and invented details: computed by hand, and that the scores follow from them.

use crate::support::*;
use neurogauge_metrics::decoding::basic_h::{ElementDimensions, basic_h_details};
use neurogauge_metrics::decoding::n_way_accuracy::n_way_details;

fn object_details(gt: &Detections, recon: &Detections, options: &ObjectOptions) -> LevelDetails {
    object_scores(gt, recon, options).unwrap().details(&|category| category.to_string())
}

/// The name and threshold of each entry.
fn thresholds(list: &[DetailEntry]) -> Vec<(String, f64)> {
    let name = |one: &DetailEntry| one.reference.clone().or(one.reconstruction.clone());
    list.iter().map(|one| (name(one).unwrap(), one.threshold.unwrap())).collect()
}

#[test]
fn categories_with_the_thresholds_up_to_which_it_holds() {
    let gt = detections(&[(1, 0.9), (2, 0.5), (2, 0.4), (3, 0.3), (5, 0.04)]);
    let recon = detections(&[(1, 0.9), (2, 0.7), (4, 0.2), (6, 0.04)]);
    let found = object_details(&gt, &recon, &ObjectOptions::default());
    let of = |name: &str, threshold| (name.to_owned(), threshold);
    assert_eq!(thresholds(&found.matched), [of("1", 0.9), of("2", 0.5)]);
    // Nothing below the lowest threshold, 0.05, counts.
    assert_eq!(thresholds(&found.missed), [of("3", 0.3)]);
    assert_eq!(thresholds(&found.invented), [of("2", 0.7), of("4", 0.2)]);
    assert_eq!(found.missed[0].reconstruction, None);
    assert_eq!(found.invented[0].reference, None);
    let paper = ObjectOptions {
        preset: Preset::Paper,
        ..ObjectOptions::default()
    };
    assert_eq!(thresholds(&object_details(&gt, &recon, &paper).missed).len(), 2);
    let nothing = object_details(&detections(&[(0, f64::NAN)]), &recon, &paper);
    assert_eq!(nothing, LevelDetails::default());
}

/// Eq. 1 and 3 of the released code, computed from the details alone.
fn official_share(own: &[&[DetailEntry]], other: &[&[DetailEntry]]) -> f64 {
    let at = |lists: &[&[DetailEntry]], threshold: f64| -> BTreeSet<String> {
        let all = lists.iter().flat_map(|list| thresholds(list));
        all.filter(|(_, highest)| *highest >= threshold).map(|(name, _)| name).collect()
    };
    let (mut sum, mut n) = (0.0, 0);
    for index in 0..18 {
        let threshold = 0.05 + f64::from(index) * 0.05;
        let (own, other) = (at(own, threshold), at(other, threshold));
        if !own.is_empty() {
            sum += own.intersection(&other).count() as f64 / own.len() as f64;
            n += 1;
        }
    }
    if n == 0 { 1.0 } else { sum / f64::from(n) }
}

#[test]
fn object_scores_follow_from_the_details_and_sides_swap() {
    let drawn = |name: &str| {
        let draws = Synthetic::new(name, 5);
        let value = |index: u64| f64::from(draws.uniform(index));
        let boxes = (0..9).map(|index| ((value(2 * index) * 7.0) as usize, value(2 * index + 1)));
        detections(&boxes.collect::<Vec<_>>())
    };
    for place in 0..40 {
        let (gt, recon) = (drawn(&format!("gt {place}")), drawn(&format!("recon {place}")));
        let options = ObjectOptions::default();
        let scores = object_scores(&gt, &recon, &options).unwrap();
        let found = object_details(&gt, &recon, &options);
        let stimulus = [&found.matched[..], &found.missed];
        let reconstruction = [&found.matched[..], &found.invented];
        assert_eq!(scores.recall, Ok(official_share(&stimulus, &reconstruction)));
        assert_eq!(scores.precision, Ok(official_share(&reconstruction, &stimulus)));
        let swapped = object_details(&recon, &gt, &options);
        assert_eq!(thresholds(&swapped.missed), thresholds(&found.invented));
        assert_eq!(thresholds(&swapped.invented), thresholds(&found.missed));
        assert_eq!(swapped.matched, found.matched);
    }
}

type Compared = (BasicHScores, [(&'static str, LevelDetails); 3]);

fn compared(gt: &SceneGraph, recon: &SceneGraph, options: &BasicHOptions) -> Compared {
    let matches = match_words(gt, recon, &NoLexicon, &options.rules().unwrap());
    let scores = basic_h_scores(&matches, &cosine, options).unwrap();
    let dimensions = ElementDimensions::of([gt, recon], &NoLexicon);
    let found = basic_h_details(&matches, &scores, &dimensions);
    (scores, found)
}

/// A cosine that depends on the two phrases, in either order; some are below 0.
fn cosine(a: &str, b: &str) -> Outcome {
    let both = if a < b { format!("{a} {b}") } else { format!("{b} {a}") };
    Ok(f64::from(Synthetic::new(&both, 0).uniform(0)) * 1.2 - 0.2)
}

fn graph(name: &str, n: u64) -> SceneGraph {
    let draws = Synthetic::new(name, 9);
    let word = |index: u64| format!("w{}", draws.byte(index) % 12);
    let mut objects: Vec<String> = (0..n).map(word).collect();
    objects.sort();
    objects.dedup();
    SceneGraph {
        objects,
        attributes: [(word(20), vec![word(21), word(22)])].into(),
        relations: vec![[word(30), word(31), word(32)]],
    }
}

/// The sum of the counted weights, divided by the total.
fn share(matched: &[DetailEntry], left: &[DetailEntry]) -> f64 {
    let whole: f64 = matched.iter().map(|one| one.similarity.unwrap_or(1.0)).sum();
    let part: f64 = left.iter().map(|one| one.similarity.unwrap_or(0.0)).sum();
    (whole + part) / (matched.len() + left.len()) as f64
}

#[test]
fn basic_h_follows_from_the_details_and_sides_swap() {
    let phrases = |list: &[DetailEntry], side: fn(&DetailEntry) -> &Option<String>| -> Vec<String> {
        let mut all: Vec<String> = list.iter().filter_map(|one| side(one).clone()).collect();
        all.sort();
        all
    };
    let mut by_embedding = 0;
    for place in 0..30 {
        let (gt, recon) = (graph(&format!("g{place}"), 6), graph(&format!("r{place}"), 4));
        for soft in [SoftMatching::PerSideMaximum, SoftMatching::OneToOne, SoftMatching::Off] {
            let options = BasicHOptions {
                soft,
                ..BasicHOptions::default()
            };
            let (scores, found) = compared(&gt, &recon, &options);
            let (_, back) = compared(&recon, &gt, &options);
            let parts = [&scores.objects, &scores.attributes, &scores.relations];
            for ((part, (level, found)), (_, back)) in parts.into_iter().zip(&found).zip(&back) {
                let recall = share(&found.matched, &found.missed);
                let precision = share(&found.matched, &found.invented);
                let near = |a: &Outcome, b: f64| (a.as_ref().unwrap() - b).abs() < 1e-12;
                assert!(near(&part.recall, recall), "{level} {soft:?}");
                assert!(near(&part.precision, precision), "{level} {soft:?}");
                assert_eq!(
                    phrases(&found.missed, |one| &one.reference),
                    phrases(&back.invented, |one| &one.reconstruction)
                );
                assert_eq!(found.matched.len(), back.matched.len());
                let embedded = |one: &&DetailEntry| one.how == Some(MatchedBy::Embedding);
                by_embedding += found.matched.iter().filter(embedded).count();
            }
        }
    }
    assert!(by_embedding > 50, "{by_embedding}");
}

#[test]
fn objects_by_hand_say_how_they_were_matched() {
    let (gt, recon) = (objects(&["boat", "track", "sea"]), objects(&["boat", "race track", "lake", "tree"]));
    let rules = BasicHOptions::default();
    let matches = match_words(&gt, &recon, &NoLexicon, &rules.rules().unwrap());
    let similarity = |_: &str, recon: &str| Ok(if recon == "lake" { 0.5 } else { 0.25 });
    let scores = basic_h_scores(&matches, &similarity, &rules).unwrap();
    let dimensions = ElementDimensions::of([&gt, &recon], &NoLexicon);
    let [(_, found), ..] = basic_h_details(&matches, &scores, &dimensions);
    let rows: Vec<(&str, Option<MatchedBy>, Option<f64>)> = found
        .matched
        .iter()
        .map(|one| (one.reconstruction.as_deref().unwrap(), one.how, one.similarity))
        .collect();
    let expected = [
        ("boat", Some(MatchedBy::Exact), None),
        ("race track", Some(MatchedBy::Synonym), None),
        ("lake", Some(MatchedBy::Embedding), Some(0.5)),
    ];
    assert_eq!(rows, expected);
    assert!(found.missed.is_empty());
    // The tree is most similar to the sea, which prefers the lake.
    let tree = &found.invented[0];
    assert_eq!(tree.reconstruction.as_deref(), Some("tree"));
    assert_eq!((tree.reference.as_deref(), tree.similarity), (Some("sea"), Some(0.25)));
}

#[test]
fn what_has_no_similarity_is_missed_and_invented_all_the_same() {
    let (gt, recon) = (objects(&["boat", "sea"]), objects(&["boat", "lake"]));
    let options = BasicHOptions::default();
    let matches = match_words(&gt, &recon, &NoLexicon, &options.rules().unwrap());
    let undefined = |_: &str, _: &str| Err(Undefined::NonFinite(Side::Gt));
    let scores = basic_h_scores(&matches, &undefined, &options).unwrap();
    assert!(scores.objects.f1.is_err());
    let dimensions = ElementDimensions::of([&gt, &recon], &NoLexicon);
    let [(_, found), ..] = basic_h_details(&matches, &scores, &dimensions);
    assert_eq!((found.matched.len(), found.missed.len()), (1, 1));
    // The lake has no weight, so it has no dimension either.
    assert_eq!(found.invented, [DetailEntry::of(None, Some("lake"))]);
}

#[test]
fn classes_are_named() {
    let mut gt = vec![0.0; 1000];
    (gt[1], gt[2], gt[3]) = (0.5, 0.3, 0.1);
    let mut recon = vec![0.0; 1000];
    recon[2] = 0.9;
    let options = NWayOptions::default();
    let found = n_way_details(&gt, &recon, &options);
    let name = Some("great white shark (2)".to_owned());
    assert_eq!((&found.matched[0].reference, found.missed.len()), (&name, 0));
    recon[999] = 1.0;
    let found = n_way_details(&gt, &recon, &options);
    assert_eq!((found.matched.len(), found.missed.len()), (0, 3));
    assert_eq!(found.invented[0].reconstruction, Some("toilet tissue (999)".to_owned()));
    assert_eq!(n_way_details(&[0.5; 1000], &recon, &options), LevelDetails::default());
}
