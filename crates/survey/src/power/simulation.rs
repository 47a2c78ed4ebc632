//! Simulated surveys.

use neurogauge::Error;
use neurogauge::core::{Direction, Seed};
use neurogauge::stats::meta::MetricColumn;
use neurogauge::stats::{IccConvention, IccForm, Ratings, intraclass_correlations};
use rand::Rng;
use std::f64::consts::TAU;

const MIDDLE: f64 = 3.0;
const POINTS: (f64, f64) = (1.0, 5.0);
const LEVEL_SD: f64 = 0.4;
const LOG_SPREAD_SD: f64 = 0.25;
/// The noise of the noisiest rater over the mean noise, minus one.
const NOISE_RANGE: f64 = 0.3;
/// The stream of the seed for the survey from which the agreement of raters is computed.
const AGREEMENT: u64 = 1 << 40;

#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    pub(super) pairs: usize,
    pub(super) raters: usize,
    pub(super) correlation: f64,
    pub(super) pairs_per_rater: usize,
    pub(super) noise: f64,
}

impl Design {
    fn n_groups(&self) -> usize {
        self.pairs.div_ceil(self.pairs_per_rater.max(1))
    }

    pub(super) fn n_people(&self) -> usize {
        self.n_groups() * self.raters
    }
}

pub(super) struct Survey {
    pub(super) n_people: usize,
    /// Ratings, pair by pair.
    pub(super) ratings: Vec<Option<f64>>,
    scores: Vec<f64>,
}

impl Survey {
    pub(super) fn draw(design: &Design, rng: &mut impl Rng) -> Self {
        let (n_groups, n_people) = (design.n_groups(), design.n_people());
        let people: Vec<[f64; 3]> = (0..n_people)
            .map(|_| {
                let (level, spread) = (LEVEL_SD * normal(rng), (LOG_SPREAD_SD * normal(rng)).exp());
                [level, spread, design.noise * (1.0 + NOISE_RANGE * (2.0 * uniform(rng) - 1.0))]
            })
            .collect();
        let mut ratings = vec![None; design.pairs * n_people];
        let mut scores = Vec::with_capacity(design.pairs);
        for pair in 0..design.pairs {
            let quality = normal(rng);
            let rest = (1.0 - design.correlation * design.correlation).sqrt();
            scores.push(design.correlation * quality + rest * normal(rng));
            let first = pair % n_groups * design.raters;
            for (person, [level, spread, noise]) in people.iter().enumerate().skip(first).take(design.raters) {
                let opinion = MIDDLE + level + spread * quality + noise * normal(rng);
                ratings[pair * n_people + person] = Some(opinion.round().clamp(POINTS.0, POINTS.1));
            }
        }
        Survey {
            n_people,
            ratings,
            scores,
        }
    }

    pub(super) fn metric(&self) -> MetricColumn {
        MetricColumn {
            name: "metric".to_owned(),
            direction: Direction::Higher,
            scores: self.scores.iter().copied().map(Some).collect(),
        }
    }
}

/// ICC(2,1) of many simulated ratings.
pub(super) fn rater_agreement(noise: f64, seed: Seed) -> Result<Option<f64>, Error> {
    let design = Design {
        pairs: 1000,
        raters: 50,
        correlation: 0.0,
        pairs_per_rater: 1000,
        noise,
    };
    let survey = Survey::draw(&design, &mut seed.stream(AGREEMENT));
    let ratings = Ratings::new(survey.n_people, survey.ratings)?;
    let found = intraclass_correlations(&ratings, 0.95, IccConvention::default())?;
    Ok(found
        .ok()
        .and_then(|table| table.forms.iter().find(|icc| icc.form == IccForm::AgreementSingle).map(|icc| icc.value)))
}

/// A uniform number between 0 and 1, exclusive.
fn uniform(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// A standard normal number (Box and Muller, 1958).
fn normal(rng: &mut impl Rng) -> f64 {
    (-2.0 * uniform(rng).ln()).sqrt() * (TAU * uniform(rng)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::stats::{mean, pearson, standard_deviation};

    #[test]
    fn every_pair_has_its_raters_and_nobody_more_than_the_most() {
        let design = Design {
            pairs: 25,
            raters: 3,
            correlation: 0.5,
            pairs_per_rater: 10,
            noise: 1.0,
        };
        let survey = Survey::draw(&design, &mut Seed(1).stream(0));
        assert_eq!(survey.n_people, 9);
        let rows: Vec<&[Option<f64>]> = survey.ratings.chunks(9).collect();
        assert!(rows.iter().all(|row| row.iter().flatten().count() == 3));
        for person in 0..9 {
            let n = rows.iter().filter(|row| row[person].is_some()).count();
            assert!((8..=9).contains(&n), "{n}");
        }
        assert!(survey.ratings.iter().flatten().all(|r| (1.0..=5.0).contains(r) && r.fract() == 0.0));
    }

    #[test]
    fn draws_are_normal_and_scores_correlate_as_asked() {
        let mut rng = Seed(2).stream(0);
        let draws: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        assert!(mean(draws.clone()).unwrap().abs() < 0.03);
        assert!((standard_deviation(&draws).unwrap() - 1.0).abs() < 0.02);
        // Without noise and with a fine scale, ratings would equal the quality: 4000 pairs, 40 raters.
        let design = Design {
            pairs: 4000,
            raters: 40,
            correlation: 0.8,
            pairs_per_rater: 4000,
            noise: 0.1,
        };
        let survey = Survey::draw(&design, &mut rng);
        let means: Vec<f64> = survey
            .ratings
            .chunks(40)
            .map(|row| mean(row.iter().copied().flatten().collect::<Vec<f64>>()).unwrap())
            .collect();
        let found = pearson(&means, &survey.scores).unwrap().unwrap();
        assert!((found - 0.8).abs() < 0.03, "{found}");
    }
}
