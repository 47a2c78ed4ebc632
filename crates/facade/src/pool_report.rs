//! Notes and warnings about values that depend on a pool.

use crate::run_record::{PoolRecord, RunRecord};
use indexmap::IndexMap;
use neurogauge_metrics::decoding::identification::{
    Copies, Draws, IdentificationDirection, IdentificationOptions, Ties,
};
use neurogauge_metrics::{Compute, Metric, find};
use neurogauge_report::MetricColumn;

/// The name of a metric in tables; identification that is not two-way is labelled so.
pub(crate) fn label(metric: &Metric, options: &IdentificationOptions) -> String {
    let label = metric.spec.label;
    match metric.compute {
        Compute::Identification { .. } if !options.is_two_way() => {
            format!("{label} {}", ways(options))
        }
        _ => label.to_owned(),
    }
}

/// The expected value for unrelated images, if known.
pub(crate) fn chance(metric: &Metric, record: &RunRecord) -> Option<f64> {
    let options = &record.request.options;
    match (metric.compute, metric.compute.n_way()) {
        (Compute::Identification { .. }, _) => Some(options.identification.chance() - record.too_low_by(metric)),
        (_, Some(n_way)) => Some(options.n_way_accuracy.chance(n_way)),
        _ => metric.spec.chance,
    }
}

pub(crate) fn column(metric: &Metric, record: &RunRecord, stand_in: bool) -> MetricColumn {
    MetricColumn {
        label: label(metric, &record.request.options.identification),
        chance: chance(metric, record),
        ..MetricColumn::from_spec(&metric.spec, stand_in)
    }
}

fn ways(options: &IdentificationOptions) -> String {
    match (options.n_way, options.top_k) {
        (2, 1) => "two-way".to_owned(),
        (n_way, 1) => format!("{n_way}-way"),
        (n_way, top_k) => format!("{n_way}-way top-{top_k}"),
    }
}

/// A sentence for each pool of distractors.
pub(crate) fn of_run(record: &RunRecord) -> Vec<String> {
    let options = &record.request.options.identification;
    let copies = (!record.repeated_stimuli.is_empty()).then_some(record.request.options.identification_copies);
    let mut groups: IndexMap<String, Vec<String>> = IndexMap::new();
    for pool in &record.pools {
        if let Some(metric) = find(&pool.metric) {
            groups.entry(sentence(metric, pool, options, copies)).or_default().push(label(metric, options));
        }
    }
    groups.into_iter().map(|(text, labels)| format!("{}: {text}", labels.join(", "))).collect()
}

fn sentence(metric: &Metric, pool: &PoolRecord, options: &IdentificationOptions, copies: Option<Copies>) -> String {
    let (one, others) = match options.direction {
        IdentificationDirection::Reconstruction => ("reconstruction", "stimuli"),
        IdentificationDirection::Stimulus => ("stimulus", "reconstructions"),
    };
    let others = if metric.compute.needs_pool() {
        format!("the {} images of the pool", pool.n_others)
    } else {
        format!("{} other {others}", pool.n_others)
    };
    let how = if options.is_two_way() {
        "among"
    } else {
        "with distractors from"
    };
    let draws = match options.draws {
        Draws::Exact => String::new(),
        Draws::Seeded { trials, seed } => format!("; {trials} draws per pair, seed {}", seed.0),
    };
    let ties = match options.ties {
        Ties::Lose => "",
        Ties::Half => "; ties count half",
        Ties::Win => "; ties count as found",
    };
    let copies = match (copies, metric.compute.needs_pool()) {
        (Some(Copies::LeaveOut), false) => " that are no copies of its own",
        _ => "",
    };
    let subtracted = match options.subtract_own {
        true => format!(
            "; 1 is subtracted from each count, as in MIRAGE's code, so all values are lower by {:.3}",
            options.too_low_by(pool.n_others)
        ),
        false => String::new(),
    };
    format!(
        "{} identification of each {one} {how} {others}{copies}; chance {}{draws}{ties}{subtracted}",
        ways(options),
        rounded(options.chance() - options.too_low_by(pool.n_others))
    )
}

/// Rounds to three decimals, without zeros at the end.
fn rounded(chance: f64) -> f64 {
    (1000.0 * chance).round() / 1000.0
}
