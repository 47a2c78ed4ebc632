//! Correlations, quantiles and resampling.
//!
//! Everything here gives the same bits for the same input: sums have a fixed order ([`summation`]), and random draws
//! depend only on a seed and a counter ([`bootstrap`]), so neither the processor nor the number of threads matters.

mod assignment;
mod batched_sign_flips;
pub mod bca;
pub mod best_of;
pub mod bootstrap;
mod bradley_terry;
mod columns;
pub mod combination;
pub mod comparison;
pub mod correlation;
mod crossed;
mod distributions;
mod effect_size;
mod error;
mod flipped_sums;
pub mod group_contrast;
mod grouped_pairs;
pub mod icc;
mod in_memory_pairs;
mod incomplete_beta;
pub mod kendall;
pub mod krippendorff;
mod max_t;
mod mcnemar;
mod mean_estimate;
mod mean_of_means;
pub mod meta;
pub mod moments;
pub mod multiple_comparisons;
mod neighbours;
mod nonnegative;
mod overflow_guard;
mod pair_order;
mod paired;
pub mod paired_test;
pub mod pairwise_accuracy;
pub mod parts;
pub mod quantile;
pub mod rank_differences;
mod rank_tally;
pub mod ranks;
pub mod ratings;
pub mod ratio;
pub mod repeats;
mod replicates;
mod resample;
mod scaled_sums;
mod side_by_side;
pub mod sign_flip;
pub mod similarity;
pub mod statistic_estimate;
mod stimuli;
mod strength_intervals;
pub mod studentized_test;
mod subjects;
pub mod subset;
pub mod summation;
mod system_means;
mod threshold_search;
pub mod tie_calibration;
mod trial_means;
pub mod u_statistic;
mod variance_components;
pub mod williams;
pub mod wilson;
pub mod z_scores;

pub use assignment::assign_max;
pub use bca::bca_interval;
pub use bootstrap::{BootstrapOptions, MeanInterval};
pub use bradley_terry::{NoStrengths, bradley_terry};
pub use comparison::{
    Comparison, Difference, Standing, compare_identifications, compare_over_stimuli, compare_systems,
};
pub use correlation::{correlation_distance, pearson};
pub use crossed::{FEWEST_SUBJECTS, crossed_mean};
pub use distributions::{student_exceeds, student_reach, student_reach_of};
pub use effect_size::{POWER, sign_test};
pub use error::{StatsError, check_lengths};
pub use group_contrast::{GroupContrast, group_contrast};
pub use icc::{Icc, IccConvention, IccForm, IccTable, intraclass_correlations, one_way_correlations};
pub use kendall::{KendallCounts, kendall_tau_b, kendall_tau_c};
pub use krippendorff::{Measurement, krippendorff_alpha};
pub use max_t::{MaxT, max_t_test};
pub use mcnemar::mcnemar_test;
pub use mean_estimate::{bounded, estimate, estimate_within, skewness_of_mean};
pub use moments::{mean, skewness, standard_deviation, strong_skewness};
pub use multiple_comparisons::{holm, holm_can_reject};
pub use neighbours::{Neighbours, neighbours};
pub use nonnegative::nonnegative_least_squares;
pub use paired_test::{PairedTest, Verdict};
pub use pairwise_accuracy::pairwise_accuracy;
pub use quantile::quantile;
pub use rank_differences::{RankDifference, rank_differences};
pub use ranks::{average_ranks, spearman};
pub use ratings::Ratings;
pub use ratio::estimate_ratio;
pub use repeats::{RepeatSummary, summarise_repeats};
pub use resample::resample;
pub use sign_flip::{TestedMean, sign_flip_test, sign_flips, smallest_sign_flip_p};
pub use similarity::{RowDefect, RowSource, Similarity, SimilarityMatrix, similarities};
pub use statistic_estimate::estimate_statistic;
pub use stimuli::{estimate_over_stimuli, joined};
pub use strength_intervals::{StrengthIntervals, StrengthUnit, strength_intervals};
pub use studentized_test::studentized_test;
pub use subjects::{SubjectComparison, SubjectPopulation, SubjectScores, compare_subjects, mean_over};
pub use subset::draw_to_front;
pub use tie_calibration::{Calibrated, TieCalibration};
pub use trial_means::{MeanRows, TrialSubset, mean_over_subsets, trial_subsets};
pub use u_statistic::IdentificationScores;
pub use williams::{Williams, williams_test};
pub use wilson::wilson_interval;
pub use z_scores::z_scores;

/// Parts that are public only for this crate's tests; they may change at any time.
#[doc(hidden)]
pub mod internals {
    pub use crate::batched_sign_flips::{FlipTest, centred, n_far, sign_flip_tests};
    pub use crate::combination::scaling::Scaled;
    pub use crate::combination::subsets::{binomial, largest_size};
    pub use crate::distributions::{f_exceeded_with, f_exceeds, normal_cdf, normal_quantile, t_two_sided};
    pub use crate::flipped_sums::{FlippedSums, Signs};
    pub use crate::in_memory_pairs::InMemoryPairs;
    pub use crate::incomplete_beta::beta_tails;
    pub use crate::mean_of_means::{MeanOfMeans, intervals};
    pub use crate::meta::human::HumanScores;
    pub use crate::meta::units::RaterWeights;
    pub use crate::pair_order::PairOrder;
    pub use crate::replicates::{Near, Replicates, order_statistic};
    pub use crate::resample::draw_below;
    pub use crate::scaled_sums::Scales;
    pub use crate::similarity::product::{DEPTH, RowRange, products};
    pub use crate::threshold_search::{Change, Range, RankSample, Threshold};
}
