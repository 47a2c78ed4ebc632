//! Correlations, quantiles and resampling.
//!
//! Everything here gives the same bits for the same input: sums have a fixed order
//! ([`summation`]), and random draws only depend on a seed and a counter ([`bootstrap`]), so neither
//! the processor nor the number of threads matters.

mod assignment;
mod batched_sign_flips;
pub mod bca;
pub mod best_of;
pub mod bootstrap;
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
pub mod grouped_calibration;
mod grouped_pairs;
pub mod icc;
mod in_memory_pairs;
mod incomplete_beta;
pub mod kendall;
pub mod krippendorff;
mod max_t;
mod mcnemar;
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
mod side_by_side;
pub mod sign_flip;
pub mod similarity;
pub mod statistic_estimate;
mod stimuli;
pub mod studentized_test;
mod subjects;
pub mod subset;
pub mod summation;
mod system_means;
mod system_ranks;
mod threshold_search;
pub mod tie_calibration;
pub mod u_statistic;
mod variance_components;
pub mod williams;
pub mod wilson;
pub mod z_scores;

pub use assignment::assign_max;
pub use bca::bca_interval;
pub use bootstrap::{
    BootstrapOptions, MeanInterval, estimate, skewness_of_mean, student_reach, student_reach_of,
};
pub use comparison::{
    Comparison, Difference, Standing, compare_identifications, compare_over_stimuli,
    compare_systems,
};
pub use correlation::{correlation_distance, pearson};
pub use crossed::{FEWEST_SUBJECTS, crossed_mean};
pub use distributions::student_exceeds;
pub use effect_size::{POWER, sign_test};
pub use error::StatsError;
pub use group_contrast::{GroupContrast, group_contrast};
pub use grouped_calibration::{GroupedCalibration, calibrate_groups};
pub use icc::{
    Icc, IccConvention, IccForm, IccTable, intraclass_correlations, one_way_correlations,
};
pub use kendall::{KendallCounts, kendall_tau_b, kendall_tau_c};
pub use krippendorff::{Measurement, krippendorff_alpha};
pub use max_t::{MaxT, max_t_test};
pub use mcnemar::mcnemar_test;
pub use moments::{mean, skewness, standard_deviation, strong_skewness};
pub use multiple_comparisons::{benjamini_hochberg, holm, holm_can_reject};
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
pub use sign_flip::{TestedMean, sign_flip_test, sign_flips, smallest_sign_flip_p};
pub use similarity::{RowDefect, RowSource, Similarity, SimilarityMatrix, similarities};
pub use statistic_estimate::estimate_statistic;
pub use stimuli::{estimate_over_stimuli, joined};
pub use studentized_test::studentized_test;
pub use subjects::{
    SubjectComparison, SubjectPopulation, SubjectScores, compare_subjects, mean_over,
};
pub use subset::draw_to_front;
pub use tie_calibration::{Calibrated, TieCalibration};
pub use u_statistic::IdentificationScores;
pub use williams::{Williams, williams_test};
pub use wilson::{bounded, estimate_within, wilson_interval};
pub use z_scores::z_scores;
