//! The elements that BASIC-H counts.

use super::dimensions::{ElementDimensions, ElementKind};
use super::matching::{GraphMatches, Matches};
use super::scores::{BasicHScores, ElementScores, Nearest};
use neurogauge_core::{DetailEntry, LevelDetails, MatchedBy, Side};

/// The objects, attributes and relations that two graphs share, that the reconstruction lacks, and that it adds: the
/// matches behind [`basic_h_scores`](super::basic_h_scores), in the order `objects`, `attributes`, `relations`.
///
/// - Matched: equal (`exact`) or matched by words (`synonym`), which counts 1; or, among elements that words do not
///   match, each other's most similar one (`embedding`), which counts its `similarity`.
/// - Missed, invented: all other elements of the stimulus and of the reconstruction. If such an element still counts,
///   the entry has the most similar element of the other side, which prefers another, and the `similarity` that it
///   counts.
///
/// So with ε = 0, recall is the sum over `matched` (1, or the similarity) and `missed` (0, or the similarity), divided
/// by the length of both lists. Precision is computed in the same way over `matched` and `invented`.
///
/// Every entry has the dimensions of its elements (convention `basic-dimensions`), unless a similarity is undefined,
/// since it is then unknown how much the elements count.
///
/// ```
/// use neurogauge_core::{Dimension, SceneGraph};
/// use neurogauge_metrics::decoding::basic_h::*;
/// let graph = |objects: &[&str]| SceneGraph {
///     objects: objects.iter().map(|object| (*object).to_owned()).collect(),
///     ..SceneGraph::default()
/// };
/// let options = BasicHOptions::default();
/// let (gt, recon) = (graph(&["boat", "sea"]), graph(&["boat", "lake", "tree"]));
/// let matches = match_words(&gt, &recon, &NoLexicon, &options.rules().unwrap());
/// let cosine = |_gt: &str, recon: &str| Ok(if recon == "lake" { 0.5 } else { 0.25 });
/// let scores = basic_h_scores(&matches, &cosine, &options).unwrap();
/// let dimensions = ElementDimensions::of([&gt, &recon], &NoLexicon);
/// let [(_, objects), ..] = basic_h_details(&matches, &scores, &dimensions);
/// assert_eq!(objects.matched[1].reconstruction.as_deref(), Some("lake"));
/// assert_eq!(objects.matched[1].similarity, Some(0.5));
/// assert!(objects.missed.is_empty());
/// assert_eq!(objects.invented[0].reconstruction.as_deref(), Some("tree"));
/// assert_eq!(objects.invented[0].reconstruction_dimension, Some(Dimension::Object));
/// ```
pub fn basic_h_details(
    matches: &GraphMatches,
    scores: &BasicHScores,
    dimensions: &ElementDimensions,
) -> [(&'static str, LevelDetails); 3] {
    let of = |kind, words: &Matches, scores: &ElementScores| {
        let mut found = found(words, scores);
        if scores.matched.is_some() {
            for entry in [&mut found.matched, &mut found.missed, &mut found.invented].into_iter().flatten() {
                let get = |name: &Option<String>| dimensions.get(kind, name.as_deref()?);
                entry.reference_dimension = get(&entry.reference);
                entry.reconstruction_dimension = get(&entry.reconstruction);
            }
        }
        found
    };
    let objects = of(ElementKind::Object, &matches.objects, &scores.objects);
    let attributes = of(ElementKind::Attribute, &matches.attributes, &scores.attributes);
    let relations = of(ElementKind::Relation, &matches.relations, &scores.relations);
    [("objects", objects), ("attributes", attributes), ("relations", relations)]
}

fn found(words: &Matches, scores: &ElementScores) -> LevelDetails {
    let nearest = &scores.nearest;
    let by_words = words.matched.iter().map(|pair| DetailEntry {
        how: Some(pair.stage),
        ..DetailEntry::of(Some(&pair.gt), Some(&pair.recon))
    });
    let similar = |near: &Nearest| DetailEntry {
        how: Some(MatchedBy::Embedding),
        similarity: Some(near.similarity),
        ..DetailEntry::of(Some(&words.unmatched_gt[near.gt]), Some(&words.unmatched_recon[near.recon]))
    };
    let counts = |near: &&Nearest| near.similarity != 0.0;
    let mutual: Vec<&Nearest> = nearest.gt.iter().filter(counts).filter(|near| nearest.recon.contains(near)).collect();
    let left = |side: Side| {
        let is_matched = |place: usize| mutual.iter().any(|near| place_of(side, near) == place);
        let of_side = words.unmatched(side).iter().enumerate().filter(|(place, _)| !is_matched(*place));
        let of_side = of_side.map(|(place, phrase)| {
            match nearest.side(side).iter().filter(counts).find(|near| place_of(side, near) == place) {
                Some(near) => similar(near),
                None if side == Side::Gt => DetailEntry::of(Some(phrase), None),
                None => DetailEntry::of(None, Some(phrase)),
            }
        });
        of_side.collect()
    };
    LevelDetails {
        matched: by_words.chain(mutual.iter().map(|near| similar(near))).collect(),
        missed: left(Side::Gt),
        invented: left(Side::Recon),
    }
}

fn place_of(side: Side, near: &Nearest) -> usize {
    match side {
        Side::Gt => near.gt,
        Side::Recon => near.recon,
    }
}
