//! The interval of a mean over pairs, as in `score`, and in `compare` for one system.

use super::populations::{Draws, POPULATIONS, Population, SELDOM_SEEN, STRONGLY_SKEWED, options};
use super::rates::{Rate, Rates, holds, rates, write_part};
use crate::support::*;

/// Draws a sample.
type Sample<'a> = &'a (dyn Fn(&mut Draws) -> Vec<Vec<Outcome>> + Sync);
/// The range of values without bounds.
const UNBOUNDED: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn range_of(population: &Population) -> (f64, f64) {
    match population.name.starts_with("zeros and ones") {
        true => (0.0, 1.0),
        false => UNBOUNDED,
    }
}

type OwnedSample = Box<dyn Fn(&mut Draws) -> Vec<Vec<Outcome>> + Sync>;

/// How often the interval contains the true mean.
fn coverage(
    sample: Sample<'_>,
    range: (f64, f64),
    truth: f64,
    n_experiments: usize,
    resamples: usize,
    interval: MeanInterval,
) -> Rate {
    let experiment = |experiment: usize| {
        let options = BootstrapOptions {
            interval,
            ..options(resamples, experiment)
        };
        let columns = sample(&mut Draws::of(17, experiment));
        [holds(estimate_within(&slices(&columns), range, &options).unwrap().interval, truth)]
    };
    let [rate] = rates(n_experiments, experiment);
    rate
}

fn of_population(population: &Population, n: usize) -> impl Fn(&mut Draws) -> Vec<Vec<Outcome>> {
    let draw = population.draw;
    move |draws| vec![(0..n).map(|_| Ok(draw(draws))).collect()]
}

/// Like SEED: three correlated parts, each without some pairs; the mean of their means is 0.5.
fn composite(n: usize) -> impl Fn(&mut Draws) -> Vec<Vec<Outcome>> {
    move |draws| {
        let mut columns = vec![Vec::new(); 3];
        for _ in 0..n {
            let common = draws.uniform();
            for column in &mut columns {
                let value = 0.5 * (common + draws.beta(0.8, 0.8));
                let is_missing = draws.uniform() < 0.15;
                column.push(match is_missing {
                    true => Err(Undefined::Constant(Side::Recon)),
                    false => Ok(value),
                });
            }
        }
        columns
    }
}

const COMPOSITE: &str = "three parts with gaps, mean of their means (SEED)";

/// The sides on which the default interval misses the true mean, and how often a sample is marked as strongly skewed.
struct Sides {
    above: Rate,
    below: Rate,
    marked: Rate,
}

impl Sides {
    fn of(population: &Population, n: usize, n_experiments: usize, resamples: usize) -> Sides {
        let experiment = |experiment: usize| {
            let columns = of_population(population, n)(&mut Draws::of(19, experiment));
            let (columns, options) = (slices(&columns), options(resamples, experiment));
            let found = estimate_within(&columns, range_of(population), &options).unwrap().interval;
            let is_marked = skewness_of_mean(&columns).is_some();
            let sides = |(low, high)| [population.mean > high + 1e-12, population.mean < low - 1e-12, is_marked];
            found.map_or([None; 3], |ends| sides(ends).map(Some))
        };
        let [above, below, marked] = rates(n_experiments, experiment);
        Sides { above, below, marked }
    }
}

#[test]
fn what_intervals_cannot_stand_is_marked_and_what_they_can_is_not() {
    let marked = |population: &Population, n: usize| Sides::of(population, n, 400, 1).marked.share();
    for population in &STRONGLY_SKEWED {
        assert!(marked(population, 30) > 0.35, "{}", population.name);
        assert!(marked(population, 1000) < 0.05, "{}", population.name);
    }
    for population in POPULATIONS.iter().filter(|population| population.name.starts_with("normal")) {
        assert!(marked(population, 10) < 0.08 && marked(population, 30) < 0.01);
    }
}

#[test]
fn default_intervals_cover_what_they_say() {
    let n_experiments = 200;
    let check = |name: &str, n: usize, rate: Rate, (low, high): (f64, f64)| {
        let name = format!("{name}, n = {n}");
        rate.assert_at_least(low, &name);
        rate.assert_at_most(high, &name);
    };
    for population in &POPULATIONS {
        // With ten pairs, there are too few different shares near 1.
        for n in if population.name.contains("95% ones") {
            [30, 100]
        } else {
            [10, 30]
        } {
            let sample = of_population(population, n);
            let default = MeanInterval::default();
            let rate = coverage(&sample, range_of(population), population.mean, n_experiments, 200, default);
            check(population.name, n, rate, (0.92, 0.98));
        }
    }
    let rate = coverage(&composite(10), UNBOUNDED, 0.5, n_experiments, 500, MeanInterval::default());
    check(COMPOSITE, 10, rate, (0.92, 0.98));
    let few =
        coverage(&of_population(&POPULATIONS[0], 4), UNBOUNDED, POPULATIONS[0].mean, 2000, 1, MeanInterval::default());
    check("normal", 4, few, (0.95, 0.95));
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_means() {
    const NS: [usize; 5] = [6, 10, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 5] = [3_000, 3_000, 2_000, 1_000, 500];
    let mut text = String::new();
    let titles = [
        (
            MeanInterval::Studentized,
            "Default (`studentized`): 95% intervals that hold the true mean, in %.",
            5,
        ),
        (MeanInterval::Bca, "`--set interval=bca`:", 3),
        (MeanInterval::Percentile, "`--set interval=percentile`:", 3),
    ];
    for (interval, title, n_columns) in titles {
        let ns = &NS[..n_columns];
        let mut table = Rates::new(title, ns);
        let rates = |sample: &dyn Fn(usize) -> OwnedSample, range: (f64, f64), truth: f64| {
            let of =
                |(&n, &experiments): (&usize, &usize)| coverage(&*sample(n), range, truth, experiments, 600, interval);
            ns.iter().zip(&N_EXPERIMENTS).map(of).collect::<Vec<Rate>>()
        };
        for population in &POPULATIONS {
            let found = rates(&|n| Box::new(of_population(population, n)), range_of(population), population.mean);
            table.row(population.name, &found);
        }
        let found = rates(&|n| Box::new(composite(n)), UNBOUNDED, 0.5);
        table.row(COMPOSITE, &found);
        text += &table.text();
    }
    write_part("means", &text);
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_skewed_means() {
    const NS: [usize; 5] = [6, 10, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 5] = [3_000, 3_000, 2_000, 1_000, 500];
    let title = "Default intervals that lie below the true mean / above it, in % (2.5 / 2.5 would be right), and in brackets how many samples \
                 are marked as strongly skewed.";
    let mut sides = Rates::new(title, &NS);
    let mut covered = Rates::new("95% intervals of strongly skewed scores that hold the true mean, in %.", &NS);
    let skewed = STRONGLY_SKEWED.iter().zip([true; 4]);
    for (population, is_skewed) in skewed.chain(POPULATIONS.iter().zip([false; 15])) {
        let of = |(&n, &n_experiments): (&usize, &usize)| Sides::of(population, n, n_experiments, 600);
        let all: Vec<Sides> = NS.iter().zip(&N_EXPERIMENTS).map(of).collect();
        let percent = |rate: &Rate| 100.0 * rate.share();
        let cell = |found: &Sides| {
            let [above, below, marked] = [&found.above, &found.below, &found.marked].map(percent);
            format!("{above:.1} / {below:.1} ({marked:.0})")
        };
        sides.cells(population.name, &all.iter().map(cell).collect::<Vec<_>>());
        if is_skewed {
            let held = |found: &Sides| Rate {
                hits: found.above.of - found.above.hits - found.below.hits,
                ..found.above
            };
            let held: Vec<Rate> = all.iter().map(held).collect();
            covered.row(population.name, &held);
        }
    }
    write_part("skewed-means", &(covered.text() + &sides.text()));
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_tails_that_few_scores_do_not_show() {
    let ns = [6, 10, 20, 30, 100];
    let title = "95% intervals that hold the true mean, in %, where a long tail is seldom in a small sample.";
    let mut table = Rates::new(title, &ns);
    for population in &SELDOM_SEEN {
        let rates = ns.map(|n| {
            let sample = of_population(population, n);
            coverage(&sample, UNBOUNDED, population.mean, 2_000, 600, MeanInterval::default())
        });
        table.row(population.name, &rates);
    }
    write_part("unseen-tails", &table.text());
}
