//! `neurogauge._neurogauge`: the extension module of the Python package (`python/neurogauge`).
//!
//! Arrays are read in place, and outcomes are returned as NumPy arrays and reasons. Names, defaults, documentation and
//! results are in Python; numbers come from the crates. Each file registers its own functions.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives is owned by the call")]

mod align;
mod arrays;
mod averaged_trials;
mod captioning;
mod captions;
mod category_names;
mod command;
mod composites;
mod detections;
mod errors;
mod feature_accuracy;
mod features;
mod images;
mod losses;
mod masks;
mod meta;
mod models;
mod options;
mod outcomes;
mod perceptual;
mod point_clouds;
mod retrieval;
mod run_images;
mod runs;
mod scene_graphs;
mod set_distances;
mod specs;
mod statistics;
mod threads;
mod work;

use neurogauge::core::option_words::write_options_as;
use pyo3::prelude::*;

/// From now on, messages write options as Python's keywords.
fn write_options_as_keywords() {
    write_options_as(|option, f| {
        let (name, value) = match option.name {
            "yes" => ("download".to_owned(), "True"),
            name => (name.replace('-', "_"), option.value),
        };
        // Words in capitals are placeholders for values.
        let is_placeholder = value == "True" || value.chars().all(|c| c.is_ascii_uppercase());
        match is_placeholder {
            true => write!(f, "{name}={value}"),
            false => write!(f, "{name}={value:?}"),
        }
    });
}

/// The extension module.
#[pymodule]
mod _neurogauge {
    #[pymodule_export]
    use crate::{
        align::draws::{draw_inner_folds, draw_outer_folds, draw_partitions, standardise},
        align::profiles::{curve_among_donors, curve_mean, recovery_profile},
        align::{default_alphas, fit_recovery, predict, target_reference},
        arrays::out_of_range,
        captioning::{bleu, caption_words, clip_s},
        captions::{cap_sim, embed, vqa_score},
        category_names::category_names,
        command::{run_command, write_result},
        composites::combine,
        detections::{builtin_labels, detections, grounded_boxes},
        errors::exceptions,
        feature_accuracy::{pattern_correlation, profile_correlation},
        features::{feature_rows, frame_consistencies, identification, n_way_accuracies},
        images::{channel_axis, n_hiding_colours, pixels, read_images},
        losses::pairwise_hinge,
        masks::masks,
        meta::evaluate_metrics,
        models::{LoadedModel, image_model_ids, load_image_model},
        options::defaults,
        outcomes::{compare_columns, corrected, estimate_columns, nothing_seen, render_table},
        perceptual::lpips,
        point_clouds::point_clouds,
        retrieval::retrieval,
        run_images::RunImages,
        runs::{check_images, cite, command_options, compare_runs, finding_text, read_run, score_run, verify_outputs},
        scene_graphs::scene_graphs,
        set_distances::set_distances,
        specs::{metric_ids, metric_spec, register_metric},
        statistics::{accuracy, bootstrap_statistic, correlation, icc, krippendorff},
    };
    use neurogauge::stats::BootstrapOptions;
    use neurogauge::{DEFAULT_ENCODER, DEFAULT_PHRASE_ENCODER};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::write_options_as_keywords();
        let BootstrapOptions {
            resamples,
            level,
            seed,
            interval,
        } = BootstrapOptions::default();
        // No module should import all its names.
        module.delattr("__all__")?;
        module.setattr("DEFAULT_BOOTSTRAP", (resamples, level, seed.0, interval.id()))?;
        module.setattr("DEFAULT_PHRASE_ENCODER", DEFAULT_PHRASE_ENCODER)?;
        module.setattr("DEFAULT_TEXT_ENCODER", DEFAULT_ENCODER)?;
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))
    }
}
