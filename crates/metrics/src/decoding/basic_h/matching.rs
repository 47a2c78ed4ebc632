//! Matches the elements of two graphs by their words.

use super::options::{Assignment, Rules};
use super::synonyms::Synonyms;
use neurogauge_core::{Lexicon, MatchedBy, SceneGraph, Side};
use neurogauge_stats::assign_max;

/// Two elements that match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The element of the stimulus.
    pub gt: String,
    /// The element of the reconstruction.
    pub recon: String,
    /// How the match was found: [`MatchedBy::Exact`] or [`MatchedBy::Synonym`].
    pub stage: MatchedBy,
}

/// The matches by words for one kind of element (objects, attributes or relations).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matches {
    /// Matches in the order of the reconstruction's elements, exact ones first.
    pub matched: Vec<Match>,
    /// Elements of the stimulus that are not matched, in order.
    pub unmatched_gt: Vec<String>,
    /// Elements of the reconstruction that are not matched, in order.
    pub unmatched_recon: Vec<String>,
}

impl Matches {
    pub fn n_elements(&self, side: Side) -> usize {
        self.matched.len() + self.unmatched(side).len()
    }

    /// Elements of a side that are not matched.
    pub fn unmatched(&self, side: Side) -> &[String] {
        match side {
            Side::Gt => &self.unmatched_gt,
            Side::Recon => &self.unmatched_recon,
        }
    }
}

/// The matches by words between two graphs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphMatches {
    pub objects: Matches,
    /// Attributes of all objects together.
    pub attributes: Matches,
    pub relations: Matches,
}

impl GraphMatches {
    pub fn kinds(&self) -> [&Matches; 3] {
        [&self.objects, &self.attributes, &self.relations]
    }

    /// The phrases that the soft stage compares: those of kinds with unmatched elements on both sides.
    pub fn phrases_to_embed(&self) -> impl Iterator<Item = &str> {
        let compared = |of: &&Matches| !of.unmatched_gt.is_empty() && !of.unmatched_recon.is_empty();
        let kinds = self.kinds().into_iter().filter(compared);
        kinds.flat_map(|of| of.unmatched_gt.iter().chain(&of.unmatched_recon)).map(String::as_str)
    }
}

/// The first two stages of BASIC-H: equal elements, then synonyms.
///
/// Objects and attributes are one phrase each; relations are three, all of which must match. Attributes are compared
/// without their object, each as often as it occurs. Two phrases are synonyms if one is part of the other
/// (`containment`) or if they share a lemma over all senses and parts of speech (`synonyms`).
///
/// - Shapes: two graphs of any size, compared in sorted order.
/// - Conventions: `basic-containment`, `basic-assignment`, `basic-synonyms`, `basic-attributes`, `basic-order`.
/// - Undefined, errors: never.
/// - Reference: `compute_match` and `compute_f_score` of CAPTURE 0.1.13 (which the paper builds on) with NLTK
///   3.10.4, sorted input: equal sets with preset `capture`.
///
/// ```
/// use neurogauge_core::SceneGraph;
/// use neurogauge_metrics::decoding::basic_h::{BasicHOptions, NoLexicon, match_words};
/// let graph = |objects: &[&str]| SceneGraph {
///     objects: objects.iter().map(|object| (*object).to_owned()).collect(),
///     ..SceneGraph::default()
/// };
/// let rules = BasicHOptions::default().rules().unwrap();
/// let (gt, recon) = (graph(&["track", "carpet"]), graph(&["race track", "car"]));
/// let found = match_words(&gt, &recon, &NoLexicon, &rules);
/// assert_eq!(found.objects.matched[0].gt, "track");
/// assert_eq!(found.objects.unmatched_recon, ["car"]);
/// ```
pub fn match_words(gt: &SceneGraph, recon: &SceneGraph, lexicon: &dyn Lexicon, rules: &Rules) -> GraphMatches {
    GraphMatches {
        objects: match_kind(&objects(gt), &objects(recon), lexicon, rules),
        attributes: match_kind(&attributes(gt), &attributes(recon), lexicon, rules),
        relations: match_kind(&relations(gt), &relations(recon), lexicon, rules),
    }
}

/// The phrases of an element: one, or the three of a relation.
type Element<'a> = Vec<&'a str>;

fn objects(graph: &SceneGraph) -> Vec<Element<'_>> {
    sorted(graph.objects.iter().map(|object| vec![object.as_str()]))
}

fn relations(graph: &SceneGraph) -> Vec<Element<'_>> {
    sorted(graph.relations.iter().map(|relation| relation.iter().map(String::as_str).collect()))
}

/// Sorted by object, then by name.
fn attributes(graph: &SceneGraph) -> Vec<Element<'_>> {
    let of_objects = graph.attributes.values();
    of_objects
        .flat_map(|of_object| sorted(of_object.iter().map(|attribute| vec![attribute.as_str()])))
        .collect()
}

fn sorted<'a>(elements: impl Iterator<Item = Element<'a>>) -> Vec<Element<'a>> {
    let mut elements: Vec<Element<'a>> = elements.collect();
    elements.sort_unstable();
    elements
}

fn match_kind(gt: &[Element<'_>], recon: &[Element<'_>], lexicon: &dyn Lexicon, rules: &Rules) -> Matches {
    let mut partner_of_gt: Vec<Option<usize>> = vec![None; gt.len()];
    let mut pairs: Vec<(usize, usize, MatchedBy)> = Vec::new();
    for (r, element) in recon.iter().enumerate() {
        if let Some(g) = (0..gt.len()).find(|g: &usize| partner_of_gt[*g].is_none() && gt[*g] == *element) {
            partner_of_gt[g] = Some(r);
            pairs.push((r, g, MatchedBy::Exact));
        }
    }
    let left_recon: Vec<usize> = (0..recon.len()).filter(|r| pairs.iter().all(|(paired, _, _)| paired != r)).collect();
    let left_gt: Vec<usize> = (0..gt.len()).filter(|&g| partner_of_gt[g].is_none()).collect();
    let elements = left_recon.iter().map(|&r| &recon[r]).chain(left_gt.iter().map(|&g| &gt[g]));
    let synonyms = Synonyms::new(elements.flatten().copied(), lexicon, rules);
    let overlap = |r: usize, g: usize| element_overlap(&recon[r], &gt[g], &synonyms);
    match rules.assignment {
        Assignment::Greedy => {
            for &r in &left_recon {
                let free = |g: &&usize| partner_of_gt[**g].is_none() && overlap(r, **g).is_some();
                if let Some(&g) = left_gt.iter().find(free) {
                    partner_of_gt[g] = Some(r);
                    pairs.push((r, g, MatchedBy::Synonym));
                }
            }
        }
        Assignment::Optimal => {
            let weights: Vec<f64> = left_recon
                .iter()
                .flat_map(|&r| left_gt.iter().map(move |&g| (r, g)))
                .map(|(r, g)| overlap(r, g).unwrap_or(f64::NAN))
                .collect();
            for (row, col) in assign_max(&weights, left_recon.len(), left_gt.len()) {
                partner_of_gt[left_gt[col]] = Some(left_recon[row]);
                pairs.push((left_recon[row], left_gt[col], MatchedBy::Synonym));
            }
        }
    }
    let phrase = |element: &Element<'_>| element.join(" ");
    let matched = pairs.iter().map(|&(r, g, stage)| Match {
        gt: phrase(&gt[g]),
        recon: phrase(&recon[r]),
        stage,
    });
    let is_left = |r: &&usize| pairs.iter().all(|(paired, _, _)| paired != *r);
    Matches {
        matched: matched.collect(),
        unmatched_gt: (0..gt.len()).filter(|&g| partner_of_gt[g].is_none()).map(|g| phrase(&gt[g])).collect(),
        unmatched_recon: left_recon.iter().filter(is_left).map(|&r| phrase(&recon[r])).collect(),
    }
}

/// The mean overlap of the phrases of two elements, if every overlap is above 0.
fn element_overlap(a: &Element<'_>, b: &Element<'_>, synonyms: &Synonyms<'_>) -> Option<f64> {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        let overlap = synonyms.overlap(a, b);
        if overlap == 0.0 {
            return None;
        }
        sum += overlap;
    }
    Some(sum / a.len() as f64)
}
