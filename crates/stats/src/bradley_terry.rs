//! Strengths of items from choices between two of them.

use neurogauge_core::Choice;
use std::collections::BTreeMap;

/// Newton's steps, and steps of conjugate gradients within each per item.
const MOST_STEPS: usize = 200;
const INNER_STEPS: usize = 10;
/// Strengths that change by less are found: the next of Newton's steps would change them by its square.
const CONVERGED: f64 = 1e-10;

/// Why choices say too little for a strength of each item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoStrengths {
    /// No choice links some items to the others: positions of one item of each of two such groups.
    Separate { n_groups: usize, examples: [usize; 2] },
    /// Some items were preferred in all choices between them and the others, so that their lead has no limit: their
    /// number, and positions of one of them and of one of the others.
    AlwaysPreferred { n_items: usize, examples: [usize; 2] },
}

/// The choices between two items.
pub(crate) struct Pair {
    pub(crate) first: usize,
    pub(crate) second: usize,
    n: f64,
    /// Choices of the first item; a tie is half of one.
    n_first: f64,
}

/// Log strengths θ of items by the model of Bradley and Terry: the first of two items is preferred with probability
/// 1 / (1 + exp(θ₂ − θ₁)). They have the highest likelihood, and a mean of 0.
///
/// - Shapes: one strength for each of `n_items`, which choices name by their positions.
/// - Range: any; higher is better; a difference of 0 is a choice by chance. Only differences have a meaning.
/// - A choice of neither counts as half a choice of each. All choices count as independent, though those of one person or
///   from one order of items are not, which [`strength_intervals`](crate::strength_intervals) takes into account.
/// - Undefined: items that no chain of choices links, or that were preferred in all choices between them and the others
///   (Ford 1957: the likelihood then has no maximum).
/// - Reference: Bradley and Terry (1952); Hunter (2004), section 2, for the condition. Newton's method with conjugate
///   gradients finds the same maximum as choix 0.4.1 (`ilsr_pairwise`) to 1e-11, and as SciPy's minimiser to 1e-5, where
///   that stops.
///
/// ```
/// use neurogauge_core::{Choice, Preference};
/// use neurogauge_stats::bradley_terry;
/// // The first item is preferred in 3 of 4 choices: a log strength of ln 3 above the second.
/// let choice = |preferred| Choice { first: 0, second: 1, rater: 0, preferred };
/// let choices = [Preference::First, Preference::First, Preference::First, Preference::Second].map(choice);
/// let strengths = bradley_terry(2, &choices).unwrap();
/// assert!((strengths[0] - strengths[1] - 3_f64.ln()).abs() < 1e-9);
/// ```
pub fn bradley_terry(n_items: usize, choices: &[Choice]) -> Result<Vec<f64>, NoStrengths> {
    let pairs = pairs(choices);
    check(n_items, &pairs)?;
    let mut strengths = vec![0.0; n_items];
    let mut likelihood = log_likelihood(&pairs, &strengths);
    for _ in 0..MOST_STEPS {
        let step = newton_step(&pairs, &strengths);
        let mut share = 1.0;
        let next = loop {
            let next: Vec<f64> = strengths.iter().zip(&step).map(|(own, step)| own + share * step).collect();
            let own = log_likelihood(&pairs, &next);
            // Rounding hides the rise of the last steps.
            if own >= likelihood - 1e-12 * likelihood.abs() || share < 1e-10 {
                likelihood = own;
                break next;
            }
            share /= 2.0;
        };
        strengths = next;
        let largest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        if largest * share < CONVERGED * strengths.iter().fold(1.0, |most: f64, own| most.max(own.abs())) {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / n_items as f64;
    Ok(strengths.into_iter().map(|own| own - mean).collect())
}

pub(crate) fn pairs(choices: &[Choice]) -> Vec<Pair> {
    let mut counts: BTreeMap<(usize, usize), [f64; 2]> = BTreeMap::new();
    for choice in choices {
        let own = choice.preferred.of_first();
        let (key, own) = match choice.first < choice.second {
            true => ((choice.first, choice.second), own),
            false => ((choice.second, choice.first), 1.0 - own),
        };
        let count = counts.entry(key).or_default();
        count[0] += 1.0;
        count[1] += own;
    }
    let counts = counts.into_iter();
    counts
        .map(|((first, second), [n, n_first])| Pair {
            first,
            second,
            n,
            n_first,
        })
        .collect()
}

/// Checks that the likelihood has a maximum.
fn check(n_items: usize, pairs: &[Pair]) -> Result<(), NoStrengths> {
    let both = |pair: &Pair| [(pair.first, pair.second), (pair.second, pair.first)];
    let linked = reached(n_items, pairs.iter().flat_map(both));
    if let Some(other) = linked.iter().position(|is_linked| !is_linked) {
        return Err(NoStrengths::Separate {
            n_groups: n_groups(n_items, pairs),
            examples: [0, other],
        });
    }
    let mut won = Vec::new();
    for pair in pairs {
        won.extend((pair.n_first > 0.0).then_some((pair.first, pair.second)));
        won.extend((pair.n_first < pair.n).then_some((pair.second, pair.first)));
    }
    let below = reached(n_items, won.iter().copied());
    let above = reached(n_items, won.iter().map(|(winner, loser)| (*loser, *winner)));
    for (side, leads) in [(below, false), (above, true)] {
        if let Some(other) = side.iter().position(|is_in| !is_in) {
            let n_side = side.iter().filter(|is_in| **is_in).count();
            let (n_items, examples) = match leads {
                true => (n_side, [0, other]),
                false => (n_items - n_side, [other, 0]),
            };
            return Err(NoStrengths::AlwaysPreferred { n_items, examples });
        }
    }
    Ok(())
}

/// The items that can be reached from the first one.
fn reached(n_items: usize, steps: impl Iterator<Item = (usize, usize)>) -> Vec<bool> {
    let mut next = vec![Vec::new(); n_items];
    steps.for_each(|(from, to)| next[from].push(to));
    let (mut is_reached, mut open) = (vec![false; n_items], vec![0]);
    while let Some(item) = open.pop() {
        if let Some(known) = is_reached.get_mut(item).filter(|known| !**known) {
            *known = true;
            open.extend(&next[item]);
        }
    }
    is_reached
}

/// The number of groups of items that choices link.
fn n_groups(n_items: usize, pairs: &[Pair]) -> usize {
    let mut group: Vec<usize> = (0..n_items).collect();
    fn root(group: &mut [usize], mut item: usize) -> usize {
        while group[item] != item {
            group[item] = group[group[item]];
            item = group[item];
        }
        item
    }
    for pair in pairs {
        let (a, b) = (root(&mut group, pair.first), root(&mut group, pair.second));
        group[a] = b;
    }
    (0..n_items).filter(|&item| group[item] == item).count()
}

/// The probability that the first of two items is preferred.
pub(crate) fn probability([first, second]: [usize; 2], strengths: &[f64]) -> f64 {
    1.0 / (1.0 + (strengths[second] - strengths[first]).exp())
}

fn log_likelihood(pairs: &[Pair], strengths: &[f64]) -> f64 {
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    let of_pair = |pair: &Pair| {
        let lead = strengths[pair.first] - strengths[pair.second];
        pair.n_first * softplus(-lead) + (pair.n - pair.n_first) * softplus(lead)
    };
    -pairs.iter().map(of_pair).sum::<f64>()
}

/// The step to the maximum of the likelihood's second-order approximation.
fn newton_step(pairs: &[Pair], strengths: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; strengths.len()];
    for pair in pairs {
        let rise = pair.n_first - pair.n * probability([pair.first, pair.second], strengths);
        gradient[pair.first] += rise;
        gradient[pair.second] -= rise;
    }
    solved(pairs, &curvatures(pairs, strengths), gradient)
}

/// The weight of each pair in the likelihood's curvature.
pub(crate) fn curvatures(pairs: &[Pair], strengths: &[f64]) -> Vec<f64> {
    let of_pair = |pair: &Pair| {
        let p = probability([pair.first, pair.second], strengths);
        pair.n * p * (1.0 - p)
    };
    pairs.iter().map(of_pair).collect()
}

/// The solution d of L d = g by conjugate gradients, with a side g and L minus the Hessian, the Laplacian of these
/// weights. Adding a constant to all strengths changes nothing, so L times it is 0; residuals are kept free of it, since
/// rounding would otherwise grow along it without limit.
pub(crate) fn solved(pairs: &[Pair], weights: &[f64], side: Vec<f64>) -> Vec<f64> {
    let n_items = side.len();
    let mut diagonal = vec![0.0; n_items];
    for (pair, weight) in pairs.iter().zip(weights) {
        diagonal[pair.first] += weight;
        diagonal[pair.second] += weight;
    }
    let times = |vector: &[f64]| {
        let mut product = vec![0.0; n_items];
        for (pair, weight) in pairs.iter().zip(weights) {
            let flow = weight * (vector[pair.first] - vector[pair.second]);
            product[pair.first] += flow;
            product[pair.second] -= flow;
        }
        product
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scaled = |vector: &[f64]| -> Vec<f64> {
        vector
            .iter()
            .zip(&diagonal)
            .map(|(own, weight)| if *weight > 0.0 { own / weight } else { 0.0 })
            .collect()
    };
    let without_mean = |vector: &mut [f64]| {
        let mean = vector.iter().sum::<f64>() / n_items as f64;
        vector.iter_mut().for_each(|own| *own -= mean);
    };
    let (mut step, mut residual) = (vec![0.0; n_items], side);
    without_mean(&mut residual);
    let mut direction = scaled(&residual);
    let mut size = dot(&residual, &direction);
    let small = size * 1e-24;
    for _ in 0..INNER_STEPS * n_items {
        let product = times(&direction);
        let curvature = dot(&direction, &product);
        if size <= small || curvature <= 0.0 {
            break;
        }
        let length = size / curvature;
        step.iter_mut().zip(&direction).for_each(|(own, along)| *own += length * along);
        residual.iter_mut().zip(&product).for_each(|(own, along)| *own -= length * along);
        without_mean(&mut residual);
        let next = scaled(&residual);
        let next_size = dot(&residual, &next);
        direction.iter_mut().zip(&next).for_each(|(own, along)| *own = along + next_size / size * *own);
        size = next_size;
    }
    step
}
