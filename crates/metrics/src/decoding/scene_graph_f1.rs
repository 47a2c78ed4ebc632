//! A single F1 over the elements of two captions' scene graphs.

use super::basic_h::{BasicHScores, Matched};
use neurogauge_core::{Outcome, Side, Sides, Undefined};

/// F1 of two scene graphs: objects, attributes and relations counted together. The reconstruction's graph has n_r of
/// them and m_r are matched; the stimulus's graph has n_g and m_g are matched. P = m_r / n_r, R = m_g / n_g, F1 = 2 P R
/// / (P + R).
///
/// SPICE (Anderson et al. 2016) computes the same from its tuples, but its graphs differ: ours come from a neural
/// parser instead of rules on the Stanford parser, attributes are compared without their object, and graphs and
/// matching are those of BASIC-H (similar phrases count by their cosines unless `--set basic_soft=off`). **Its numbers
/// are not SPICE's**, and must not be reported as such.
///
/// - Shapes: the matches of the three kinds, as BASIC-H counts them.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `scene-graph-f1`.
/// - Undefined: neither graph has an element (`Empty`); a similarity that is undefined. If only one graph is empty, it
///   is 0.
/// - Reference: F1 of counted elements in Python, on generated graphs without the soft stage, to 1e-12 relative.
///
/// ```
/// use neurogauge_core::SceneGraph;
/// use neurogauge_metrics::decoding::basic_h::*;
/// use neurogauge_metrics::decoding::scene_graph_f1::scene_graph_f1;
/// let graph = |objects: &[&str], relation: [&str; 3]| SceneGraph {
///     objects: objects.iter().map(|object| (*object).to_owned()).collect(),
///     relations: vec![relation.map(str::to_owned)],
///     ..SceneGraph::default()
/// };
/// let options = BasicHOptions::default();
/// let gt = graph(&["boat", "sea"], ["boat", "on", "sea"]);
/// let recon = graph(&["boat", "lake"], ["boat", "on", "lake"]);
/// let matches = match_words(&gt, &recon, &NoLexicon, &options.rules().unwrap());
/// let scores = basic_h_scores(&matches, &|_, _| Ok(0.0), &options).unwrap();
/// // One of three elements on both sides.
/// assert!((scene_graph_f1(&scores).unwrap() - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn scene_graph_f1(scores: &BasicHScores) -> Outcome {
    let mut all = Sides::<Matched>::default();
    for kind in [&scores.objects, &scores.attributes, &scores.relations] {
        let Some(matched) = &kind.matched else {
            return kind.f1.clone();
        };
        all = Sides::new(all.gt.and(&matched.gt), all.recon.and(&matched.recon));
    }
    let share = |side: Side| match *all.side(side) {
        Matched { n: 0, .. } => 0.0,
        Matched { n, n_matched } => n_matched / n as f64,
    };
    if all.gt.n == 0 && all.recon.n == 0 {
        return Err(Undefined::Empty(Side::Gt));
    }
    let (precision, recall) = (share(Side::Recon), share(Side::Gt));
    if precision + recall == 0.0 {
        return Ok(0.0);
    }
    Ok(2.0 * precision * recall / (precision + recall))
}
