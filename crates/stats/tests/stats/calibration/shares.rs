//! `ground`'s interval of a share of boxes; images have different numbers of boxes.

use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, rates, write_part};
use crate::support::*;

/// Boxes of images, some of which are right.
struct Boxes {
    name: &'static str,
    /// Draws the number of boxes of an image.
    n_boxes: fn(&mut Draws) -> usize,
    /// The share of right boxes, averaged over images, as the parameters a and b of its beta distribution over images.
    chance: (f64, f64),
    /// Are images with more boxes harder?
    is_harder: bool,
    /// The value of a box, given the chance of its image.
    value: fn(&mut Draws, f64) -> f64,
}

const HIT: fn(&mut Draws, f64) -> f64 = |draws, chance| f64::from(draws.uniform() < chance);
const IOU: fn(&mut Draws, f64) -> f64 = |draws, chance| draws.beta(2.0 * chance + 0.05, 2.0 * (1.0 - chance) + 0.05);
const FEW: fn(&mut Draws) -> usize = |draws| 1 + draws.poisson(1.5);
const OFTEN_NONE: fn(&mut Draws) -> usize = |draws| draws.poisson(0.7);
const CROWDED: fn(&mut Draws) -> usize = |draws| (draws.uniform().ln() / (2.0_f64 / 3.0).ln()) as usize;

/// Boxes of an image are about equally easy: hits within an image have a correlation of 0.2.
const fn boxes(
    name: &'static str,
    n_boxes: fn(&mut Draws) -> usize,
    mean: f64,
    value: fn(&mut Draws, f64) -> f64,
) -> Boxes {
    Boxes {
        name,
        n_boxes,
        chance: (4.0 * mean, 4.0 * (1.0 - mean)),
        is_harder: false,
        value,
    }
}

const BOXES: [Boxes; 8] = [
    boxes("half of the boxes right, 1 to 5 boxes an image", FEW, 0.5, HIT),
    boxes("half right, half of the images without a box", OFTEN_NONE, 0.5, HIT),
    boxes("half right, 0 to 10 boxes, a third of the images without", CROWDED, 0.5, HIT),
    Boxes {
        is_harder: true,
        ..boxes("0 to 10 boxes, crowded images harder", CROWDED, 0.6, HIT)
    },
    boxes("90% right, 1 to 5 boxes", FEW, 0.9, HIT),
    boxes("97% right, 1 to 5 boxes", FEW, 0.97, HIT),
    boxes("mean IoU 0.3, 1 to 5 boxes", FEW, 0.3, IOU),
    boxes("mean IoU 0.15, 0 to 10 boxes", CROWDED, 0.15, IOU),
];

impl Boxes {
    /// The sum of values and the number of boxes, for each image.
    fn draw(&self, n: usize, draws: &mut Draws) -> Vec<(f64, f64)> {
        let image = |draws: &mut Draws| {
            let n_boxes = (self.n_boxes)(draws);
            let mut chance = draws.beta(self.chance.0, self.chance.1);
            if self.is_harder {
                chance *= 2.0 / (2.0 + n_boxes as f64);
            }
            let right = (0..n_boxes).map(|_| (self.value)(draws, chance)).sum();
            (right, n_boxes as f64)
        };
        (0..n).map(|_| image(draws)).collect()
    }

    /// The share over all possible images.
    fn truth(&self) -> f64 {
        let of = |experiment: usize| {
            let images = self.draw(10_000, &mut Draws::of(43, experiment));
            let total = |of: fn(&(f64, f64)) -> f64| images.iter().map(of).sum::<f64>();
            (total(|image| image.0), total(|image| image.1))
        };
        let sums: Vec<(f64, f64)> = (0..20).into_par_iter().map(of).collect();
        let total = |of: fn(&(f64, f64)) -> f64| sums.iter().map(of).sum::<f64>();
        total(|sum| sum.0) / total(|sum| sum.1)
    }

    /// How often the interval contains the true share: `ground`'s interval, and percentiles of resampled images.
    fn coverage(&self, n: usize, n_experiments: usize, truth: f64) -> [Rate; 2] {
        let experiment = |experiment: usize| {
            let images = self.draw(n, &mut Draws::of(47, experiment));
            let options = options(400, experiment);
            let share = |drawn: &[u32]| {
                let total =
                    |of: fn(&(f64, f64)) -> f64| drawn.iter().map(|&image| of(&images[image as usize])).sum::<f64>();
                let n_boxes = total(|image| image.1);
                (n_boxes > 0.0).then(|| total(|image| image.0) / n_boxes)
            };
            let jackknife = estimate_ratio(&images, &options).unwrap().interval;
            let percentile = estimate_statistic(n, share, &options).unwrap().interval;
            [jackknife, percentile].map(|interval| holds(interval, truth))
        };
        rates(n_experiments, experiment)
    }
}

#[test]
fn intervals_of_shares_of_boxes_cover_what_they_say() {
    for boxes in &BOXES {
        let truth = boxes.truth();
        for n in [10, 30] {
            let [rate, _] = boxes.coverage(n, 400, truth);
            rate.assert_at_least(0.93, &format!("{}, n = {n}", boxes.name));
        }
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_shares() {
    const NS: [usize; 4] = [10, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 4] = [3_000, 2_000, 1_500, 600];
    let mut own = Rates::new("95% intervals of a share of boxes that hold the true share, in %.", &NS);
    let mut percentile = Rates::new("Percentiles of resampled images:", &NS);
    for boxes in &BOXES {
        let truth = boxes.truth();
        let of = |(&n, &n_experiments): (&usize, &usize)| boxes.coverage(n, n_experiments, truth);
        let (jackknife, resampled): (Vec<Rate>, Vec<Rate>) =
            NS.iter().zip(&N_EXPERIMENTS).map(of).map(|[own, other]| (own, other)).unzip();
        own.row(boxes.name, &jackknife);
        percentile.row(boxes.name, &resampled);
    }
    write_part("shares", &(own.text() + &percentile.text()));
}
