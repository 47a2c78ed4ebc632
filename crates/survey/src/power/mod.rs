//! `neurogauge survey power`: how wide the interval on a metric's agreement with people will be.

mod simulation;
mod tables;

use crate::{MAX_PAIRS, MAX_RATERS};
use clap::Args;
use itertools::iproduct;
use neurogauge::core::option_values::{AtLeastZero, Count, Finite, number};
use neurogauge::core::parallel;
use neurogauge::core::{Finding, Progress};
use neurogauge::report::{Format, Table};
use neurogauge::stats::meta::{HumanScore, MetaOptions, Resampled, Statistic, evaluate_metrics};
use neurogauge::stats::{Ratings, mean, quantile};
use neurogauge::{Error, Provenance, Report, ResultFiles};
use serde::{Deserialize, Serialize};
use simulation::{Design, Survey};

const SCHEMA: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Args)]
pub struct PowerRequest {
    /// Numbers of pairs
    #[arg(long, value_name = "N,...", value_parser = number::<Count<MAX_PAIRS>, usize>, value_delimiter = ',', default_values = ["100", "300"], help_heading = "Survey")]
    pub pairs: Vec<usize>,
    /// Numbers of raters of each pair
    #[arg(long, value_name = "N,...", value_parser = number::<Count<MAX_RATERS>, usize>, value_delimiter = ',', default_values = ["3", "10"], help_heading = "Survey")]
    pub raters: Vec<usize>,
    /// Correlations of the metric with the quality that raters judge, from -1 to 1
    #[arg(
        id = "correlation", long = "correlation",
        value_name = "R,...", value_parser = number::<Finite, f64>,
        value_delimiter = ',',
        default_values = ["0.5", "0.8"],
        allow_hyphen_values = true,
        help_heading = "Survey"
    )]
    pub correlations: Vec<f64>,
    /// Pairs that one person rates, at most
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_PAIRS>, usize>, default_value_t = 50, help_heading = "Survey")]
    pub pairs_per_rater: usize,
    /// Mean standard deviation of what raters add to the quality, in points of the scale
    #[arg(long, value_name = "POINTS", value_parser = number::<AtLeastZero, f64>, default_value_t = 0.85, help_heading = "Survey")]
    pub rater_noise: f64,
    /// Surveys that are simulated for each combination of numbers
    #[arg(long, value_name = "N", value_parser = number::<Count<10_000_000>, usize>, default_value_t = 100, help_heading = "Survey")]
    pub simulations: usize,
    /// How `meta` computes intervals; its seed is also the seed of the simulation.
    #[arg(skip)]
    pub meta: MetaOptions,
}

/// The results for one combination of numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerLine {
    pub pairs: usize,
    pub raters: usize,
    pub people: usize,
    pub correlation: f64,
    /// An entry for each of [`Statistic::ALL`].
    pub statistics: Vec<StatisticWidth>,
}

/// The results of simulated surveys for one statistic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticWidth {
    pub statistic: Statistic,
    pub value: Option<f64>,
    /// Median width of the intervals, from end to end.
    pub width: Option<f64>,
    /// Width that nine out of ten intervals do not exceed.
    pub width_of_nine_in_ten: Option<f64>,
    /// Number of surveys without an interval.
    pub n_without: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: PowerRequest,
    /// ICC(2,1) of the simulated ratings: how well one rating agrees with another.
    pub rater_agreement: Option<f64>,
    pub lines: Vec<PowerLine>,
    /// Always empty.
    pub findings: Vec<Finding>,
}

/// Simulates surveys and evaluates a metric in each with `meta`.
///
/// Pairs have a latent quality q, normal with mean 0 and standard deviation 1. A metric with correlation ρ scores ρ q +
/// √(1 − ρ²) e. A rater's opinion is 3 + level + spread q + noise, rounded and kept within 1 to 5. Each rater has a
/// level (normal, standard deviation 0.4), a spread (log-normal, 0.25) and noise (normal, with a standard deviation of
/// 0.7 to 1.3 times the requested one). Pairs are divided among as many groups of raters as needed (convention
/// `survey-power`).
///
/// # Errors
/// [`Error::Usage`] for fewer than four pairs, a correlation outside −1 to 1, or options that `meta` refuses.
pub fn power(request: &PowerRequest, progress: &dyn Progress) -> Result<PowerRecord, Error> {
    check(request)?;
    let n_cells = request.pairs.len() * request.raters.len() * request.correlations.len();
    progress.start("simulating surveys", (n_cells * request.simulations) as u64, 0);
    let mut lines = Vec::with_capacity(n_cells);
    for (&pairs, &raters, &correlation) in iproduct!(&request.pairs, &request.raters, &request.correlations) {
        let design = Design {
            pairs,
            raters,
            correlation,
            pairs_per_rater: request.pairs_per_rater,
            noise: request.rater_noise,
        };
        lines.push(line(&design, request, progress)?);
    }
    progress.finish();
    let seed = request.meta.bootstrap.seed;
    Ok(PowerRecord {
        provenance: Provenance::new(SCHEMA, "survey power", Some(seed.0)),
        rater_agreement: simulation::rater_agreement(request.rater_noise, seed)?,
        request: request.clone(),
        lines,
        findings: Vec::new(),
    })
}

fn check(request: &PowerRequest) -> Result<(), Error> {
    let usage = |message: String| Err(Error::Usage(message));
    request.meta.check()?;
    if let Some(pairs) = request.pairs.iter().find(|&&pairs| pairs < 4) {
        return usage(format!("{pairs} pairs have no interval; expected 4 or more"));
    }
    if let Some(correlation) = request.correlations.iter().find(|found| !(-1.0..=1.0).contains(*found)) {
        return usage(format!("a correlation of {correlation}; expected -1 to 1"));
    }
    if !(request.rater_noise.is_finite() && request.rater_noise >= 0.0) {
        return usage(format!("noise of {} points; expected 0 or more", request.rater_noise));
    }
    Ok(())
}

fn line(design: &Design, request: &PowerRequest, progress: &dyn Progress) -> Result<PowerLine, Error> {
    // Value and width of each statistic, if defined.
    type Found = Vec<(Option<f64>, Option<f64>)>;
    let options = MetaOptions {
        permutations: 1,
        ..request.meta
    };
    let simulate = |number: u64| -> Result<Found, Error> {
        let survey = Survey::draw(design, &mut request.meta.bootstrap.seed.stream(number));
        let metric = survey.metric();
        let result = evaluate_metrics(&ratings(survey, &options)?, &[metric], &options)?;
        progress.advance(1);
        let statistics = result.metrics.iter().flat_map(|metric| &metric.statistics);
        Ok(statistics
            .map(|found| {
                let width = found.interval.map(|(low, high)| high - low);
                (found.value.as_ref().ok().copied(), width)
            })
            .collect())
    };
    let surveys = parallel::try_map(request.simulations, |number| simulate(number as u64))?;
    let statistics = Statistic::ALL.into_iter().enumerate().map(|(place, statistic)| {
        let found = || surveys.iter().filter_map(move |survey| survey.get(place));
        let widths: Vec<f64> = found().filter_map(|(_, width)| *width).collect();
        StatisticWidth {
            statistic,
            value: mean(found().filter_map(|(value, _)| *value).collect::<Vec<f64>>()),
            width: quantile(&widths, 0.5).ok(),
            width_of_nine_in_ten: quantile(&widths, 0.9).ok(),
            n_without: surveys.len() - widths.len(),
        }
    });
    Ok(PowerLine {
        pairs: design.pairs,
        raters: design.raters,
        people: design.n_people(),
        correlation: design.correlation,
        statistics: statistics.collect(),
    })
}

/// The ratings, or only their means if nothing else decides the interval, which is much faster.
fn ratings(survey: Survey, options: &MetaOptions) -> Result<Ratings, Error> {
    let ratings = Ratings::new(survey.n_people, survey.ratings)?;
    if options.resampled != Resampled::Items || options.human_score != HumanScore::Mean {
        return Ok(ratings);
    }
    let means = ratings.items().map(|item| mean(item.iter().copied().flatten().collect::<Vec<f64>>()));
    Ok(Ratings::new(1, means.collect())?)
}

impl Report for PowerRecord {
    const FILES: ResultFiles = ResultFiles::of("power.json", "power", &[Format::Markdown, Format::Csv]);
    type Record = PowerRecord;

    fn record(&self) -> &PowerRecord {
        self
    }

    fn done(&self) -> String {
        format!("{} surveys simulated for each of {} lines", self.request.simulations, self.lines.len())
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        vec![tables::widths(self), tables::values(self)]
    }

    fn full(&self) -> Option<Table> {
        Some(tables::full(self))
    }
}
