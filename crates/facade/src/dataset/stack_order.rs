//! Checks that a stack holds its images in the order in which they are paired with the names of the other side.

use crate::Error;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::StackOrder;
use neurogauge_core::parallel;
use neurogauge_core::{Finding, Image, Pair, Side, Sides};
use neurogauge_formats::Problem;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::decoding::pixcorr::pixcorr;
use neurogauge_metrics::{PixelOptions, Proportions};
use neurogauge_stats::student_exceeds;
use std::collections::HashMap;

/// The most pairs that are compared.
const PAIRS: usize = 48;

/// Fewer pairs cannot decide.
const FEWEST: usize = 5;

/// Side of the images that are compared, px.
const SIZE_PX: usize = 32;

/// Another order is clearly better if PixCorr rises by this much, and if such a rise has at most this probability when
/// no order is better (Student's t for one order; five are tried).
const GAIN: f64 = 0.05;
const PROBABILITY: f64 = 0.001;

/// Another way to pair the stack's rows, with the row that each pair then has.
struct Order {
    words: &'static str,
    option: Option<StackOrder>,
    rows: Vec<Option<usize>>,
}

/// The change of PixCorr under another order.
struct Tried<'a> {
    order: &'a Order,
    mean: f64,
    /// The rise of PixCorr, and its standard error.
    gain: f64,
    standard_error: f64,
    /// Number of pairs that have another row.
    n_moved: usize,
}

impl Tried<'_> {
    fn is_clearly(&self, better: f64) -> bool {
        let gain = better * self.gain;
        gain > GAIN && student_exceeds(gain / self.standard_error, self.n_moved as f64 - 1.0) < PROBABILITY
    }
}

/// Compares some pairs of a stack with named images, or with another stack, in the other orders that may be meant
/// (convention `pairing-stack`).
///
/// # Errors
/// Another order is clearly better than the chosen one.
pub(crate) fn order_of_stack(sides: &Sides<ImageSource>, pairs: &[Pair]) -> Result<Option<Finding>, Error> {
    let stack = match (sides.recon.is_stack(), sides.gt.is_stack()) {
        (true, _) => Side::Recon,
        (false, true) => Side::Gt,
        (false, false) => return Ok(None),
    };
    let (orders, step) = (orders(sides, pairs, stack), pairs.len().div_ceil(PAIRS).max(1));
    let looked_at: Vec<usize> = (0..pairs.len()).step_by(step).collect();
    let of_pair = |&place: &usize| {
        let rows = orders.iter().map(|order| order.rows[place]);
        let taken = pairs[place].of(stack);
        values(sides, &pairs[place], stack, [Some(taken)].into_iter().chain(rows))
    };
    let values: Vec<Vec<Option<f64>>> = parallel::map_each(&looked_at, of_pair);
    let means = Tried::all(&orders, &values);
    let path = sides.side(stack).path().to_owned();
    let taken = values.iter().filter_map(|values| values[0]);
    let n = taken.clone().count();
    let taken = taken.sum::<f64>() / n.max(1) as f64;
    let best = means.iter().max_by(|a, b| a.gain.total_cmp(&b.gain));
    if let Some(best) = best.filter(|best| best.is_clearly(1.0)) {
        let remedy = match best.order.option {
            Some(order) => format!(
                "{} pairs them so, {} keeps the natural order",
                option("stack-order", order.word()),
                option("stack-order", StackOrder::Natural.word())
            ),
            None => format!(
                "number both sides alike; {} takes the stack's images in natural order, whatever the numbers",
                option("stack-order", StackOrder::Natural.word())
            ),
        };
        let found = format!(
            "images in another order than the one in which they are paired: PixCorr of {n} pairs at {SIZE_PX} px is {taken:.3}, and \
                 {:.3} {}",
            best.mean, best.order.words
        );
        return Err(Problem::content(found, format_args!("the order of the pairs; {remedy}")).at(path).into());
    }
    let is_text = |order: &Order| order.option == Some(StackOrder::Text);
    let as_text = means.iter().find(|tried| is_text(tried.order));
    if !orders.iter().any(is_text) || as_text.is_some_and(|tried| tried.is_clearly(-1.0)) {
        return Ok(None);
    }
    let evidence = match as_text {
        Some(as_text) => format!(
            "PixCorr of {n} pairs at {SIZE_PX} px is {taken:.3}, and {:.3} in their order as text, which decides nothing",
            as_text.mean
        ),
        None => "there are too few pairs to see which order fits".to_owned(),
    };
    let subject = format!("{} images", stack.folder());
    let message =
        "a stack has no names; its images are taken in the natural order of the other side's names (1, 2, 10)";
    Ok(Some(
        Finding::warning("order_of_stack", subject, message)
            .on_evidence(evidence)
            .or_else("in the order as text, as sorted(os.listdir()) in Python gives it (1, 10, 2)")
            .advise(format!("{} takes them so", option("stack-order", StackOrder::Text.word()))),
    ))
}

/// The possible orders that pair some rows differently.
fn orders(sides: &Sides<ImageSource>, pairs: &[Pair], stack: Side) -> Vec<Order> {
    let named = stack.other();
    let source = sides.side(named);
    // Stems may already be those of the other side.
    let name = |pair: &Pair| match source.file_path(pair.of(named)) {
        Some(file) => file.with_extension("").to_string_lossy().into_owned(),
        None => source.stems()[pair.of(named)].clone(),
    };
    let names: Vec<String> = pairs.iter().map(name).collect();
    let mut rows: Vec<usize> = pairs.iter().map(|pair| pair.of(stack)).collect();
    rows.sort_by_key(|row| sides.side(stack).place(*row));
    let in_order = |order: StackOrder, shift: isize| {
        let mut found = vec![None; pairs.len()];
        for (rank, place) in order.places(&names).into_iter().enumerate() {
            let rank = rank.checked_add_signed(shift);
            found[place] = rank.and_then(|rank| rows.get(rank)).copied();
        }
        found
    };
    let tried = [
        ("if the rows are in natural order", StackOrder::Natural, 0),
        ("if the rows are in the order of the names as text", StackOrder::Text, 0),
        ("if the rows are in reversed order", StackOrder::Reversed, 0),
        ("if each is paired with the row before", StackOrder::Natural, -1),
        ("if each is paired with the row behind", StackOrder::Natural, 1),
    ];
    // The rows of two stacks are numbers on both sides.
    let has_names = !source.is_stack();
    let tried = tried.into_iter().filter(|(_, order, _)| has_names || *order != StackOrder::Text);
    let tried = tried.map(|(words, order, shift)| Order {
        words,
        option: (shift == 0).then_some(order),
        rows: in_order(order, shift),
    });
    let differs = |order: &Order| {
        let mut rows = order.rows.iter().zip(pairs);
        rows.any(|(row, pair)| row.is_some_and(|row| row != pair.of(stack)))
    };
    tried.filter(differs).collect()
}

/// PixCorr of a pair with each of these rows; empty if images cannot be compared.
fn values(
    sides: &Sides<ImageSource>,
    pair: &Pair,
    stack: Side,
    rows: impl Iterator<Item = Option<usize>>,
) -> Vec<Option<f64>> {
    let named = stack.other();
    let own = small(sides.side(named), pair.of(named));
    let mut known: HashMap<usize, Option<f64>> = HashMap::new();
    let mut value = |row: usize| {
        *known.entry(row).or_insert_with(|| {
            let other = small(sides.side(stack), row)?;
            pixcorr(own.as_ref()?, &other).ok()?.ok()
        })
    };
    rows.map(|row| value(row?)).collect()
}

fn small(source: &ImageSource, index: usize) -> Option<Image<f32>> {
    let options = PixelOptions {
        size_px: Some(SIZE_PX),
        proportions: Proportions::Squashed,
        antialias: true,
        ..PixelOptions::default()
    };
    options.apply(source.load(index).ok()?).ok()
}

impl<'a> Tried<'a> {
    /// The orders in which enough pairs have another row; the first value of each pair belongs to the chosen order.
    fn all(orders: &'a [Order], values: &[Vec<Option<f64>>]) -> Vec<Self> {
        let tried = orders.iter().enumerate().filter_map(|(place, order)| {
            let both = values.iter().filter_map(|of| Some((of[0]?, of[place + 1]?)));
            let gains: Vec<f64> = both.clone().map(|(taken, other)| other - taken).collect();
            // Pairs with the same row in both orders tell nothing.
            let moved: Vec<f64> = gains.iter().copied().filter(|gain| *gain != 0.0).collect();
            if moved.len() < FEWEST {
                return None;
            }
            let n = moved.len() as f64;
            let gain = moved.iter().sum::<f64>() / n;
            let squares: f64 = moved.iter().map(|value| (value - gain).powi(2)).sum();
            Some(Tried {
                order,
                mean: both.map(|(_, other)| other).sum::<f64>() / gains.len() as f64,
                gain,
                standard_error: (squares / (n - 1.0) / n).sqrt(),
                n_moved: moved.len(),
            })
        });
        tried.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    /// Simulates PixCorr of `n` pairs in the chosen order, which is better by `advantage`, and in five other orders.
    /// Returns the share of experiments in which one of the five is clearly better, and the share in which one is
    /// clearly worse.
    fn shares(n: usize, advantage: f64) -> [f64; 2] {
        let words = "";
        let orders: Vec<Order> = (0..5)
            .map(|_| Order {
                words,
                option: None,
                rows: Vec::new(),
            })
            .collect();
        let n_experiments = 1000;
        let mut counts = [0; 2];
        for experiment in 0..n_experiments {
            let uniform = Synthetic::new("values under orders", experiment);
            // Sums of four uniform numbers are nearly normal; correlations of unrelated photographs have this standard
            // deviation.
            let value = |place: usize, order: usize| {
                let at = (place * 6 + order) as u64 * 4;
                let sum: f64 = (at..at + 4).map(|at| f64::from(uniform.uniform(at)) - 0.5).sum();
                let own = if order == 0 { advantage } else { 0.0 };
                Some(own + 0.3 * sum)
            };
            let values: Vec<Vec<Option<f64>>> =
                (0..n).map(|place| (0..6).map(|order| value(place, order)).collect()).collect();
            let tried = Tried::all(&orders, &values);
            for (count, better) in counts.iter_mut().zip([1.0, -1.0]) {
                *count += u32::from(tried.iter().any(|tried| tried.is_clearly(better)));
            }
        }
        counts.map(|count| f64::from(count) / n_experiments as f64)
    }

    #[test]
    fn noise_has_no_better_order_and_a_good_one_is_seen() {
        for n in [5, 6, 8, 12, 48] {
            let [better, worse] = shares(n, 0.0);
            assert!(better <= 0.01 && worse <= 0.01, "{n}: {better} {worse}");
        }
        assert!(shares(12, 0.4)[1] > 0.95);
        assert!(shares(12, -0.4)[0] > 0.95);
    }
}
