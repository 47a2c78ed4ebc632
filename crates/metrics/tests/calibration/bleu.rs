//! The interval of BLEU, which is not a mean over images: it adds up counts of a corpus first.

use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, rates, write_part};
use crate::support::*;
use neurogauge_stats::estimate_statistic;

/// Decoded captions repeat each word of their reference with their own probability, with this mean.
const DECODERS: [(&str, f64); 2] = [("half of the words right", 0.5), ("three quarters right", 0.75)];

/// A word, with frequencies like those of real words (Zipf).
fn word(draws: &mut Draws) -> String {
    let rank = 300_f64.powf(draws.uniform());
    format!("w{}", rank as usize)
}

/// Counts of one image: 8 to 12 words, of which this decoder has about this share right.
fn counts(share: f64, draws: &mut Draws) -> BleuCounts {
    let n_words = 8 + (5.0 * draws.uniform()) as usize;
    let reference: Vec<String> = (0..n_words).map(|_| word(draws)).collect();
    let chance = draws.beta(4.0 * share, 4.0 * (1.0 - share));
    let decoded: Vec<String> = (reference.iter())
        .map(|right| match draws.uniform() < chance {
            true => right.clone(),
            false => word(draws),
        })
        .collect();
    bleu_counts(&decoded, &[reference]).unwrap()
}

fn bleu(counts: &[BleuCounts], drawn: impl Iterator<Item = usize>) -> [f64; 4] {
    let mut total = BleuCounts::default();
    drawn.for_each(|image| total += counts[image]);
    total.scores()
}

/// The coverage of the intervals of BLEU-1 and BLEU-4.
fn coverage(share: f64, n: usize, n_experiments: usize) -> [Rate; 2] {
    let many: Vec<BleuCounts> = (0..40)
        .into_par_iter()
        .flat_map_iter(|place| {
            let mut draws = Draws::of(79, place);
            (0..1000).map(move |_| counts(share, &mut draws))
        })
        .collect();
    let truth = bleu(&many, 0..many.len());
    let experiment = |place: usize| {
        let mut draws = Draws::of(83, place);
        let counts: Vec<BleuCounts> = (0..n).map(|_| counts(share, &mut draws)).collect();
        [0, 3].map(|order| {
            let of = |drawn: &[u32]| Some(bleu(&counts, drawn.iter().map(|&i| i as usize))[order]);
            holds(estimate_statistic(n, of, &options(400, place)).unwrap().interval, truth[order])
        })
    };
    rates(n_experiments, experiment)
}

#[test]
fn intervals_of_bleu_cover_what_they_say_of_a_hundred_images() {
    for rate in coverage(0.5, 100, 300) {
        rate.assert_at_least(0.91, "BLEU");
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_bleu() {
    const NS: [usize; 3] = [30, 100, 300];
    const N_EXPERIMENTS: [usize; 3] = [2_000, 1_000, 1_000];
    let title = "95% intervals of BLEU that hold what very many images would give, in %.";
    let mut table = Rates::new(title, &NS);
    for (name, share) in DECODERS {
        let found: Vec<[Rate; 2]> =
            (NS.iter().zip(N_EXPERIMENTS)).map(|(&n, experiments)| coverage(share, n, experiments)).collect();
        for (which, order) in [(0, 1), (1, 4)] {
            let rates: Vec<Rate> = found.iter().map(|rates| rates[which]).collect();
            table.row(&format!("{name}, BLEU-{order}"), &rates);
        }
    }
    write_part("bleu", &table.text());
}
