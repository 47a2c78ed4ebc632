//! Conventions in words, for `neurogauge list conventions` and for reports.

use super::{Convention, conventions, find_convention, presets_that_set};
use crate::{RELEASED, ReleasedCode, ScoreRequest};
use itertools::Itertools;
use neurogauge_core::words::word_of;
use neurogauge_metrics::{ConventionSection, convention as section, convention_sections};

/// At most this many released evaluations are named.
const MOST_NAMED: usize = 4;

/// A name, and facts about it by their names.
type Described = (&'static str, Vec<(&'static str, String)>);

/// All conventions that can be set, and the sections of the documentation about conventions of metrics.
pub fn described_conventions() -> Vec<Described> {
    conventions().map(described).chain(convention_sections().map(of_documentation)).collect()
}

fn described(convention: &'static Convention) -> Described {
    let presets = presets_that_set(convention).into_iter().map(|(preset, answer)| format!("{preset}: {answer}"));
    let facts = [
        ("decides", convention.about.to_owned()),
        ("values", convention.form.clone()),
        ("default", convention.default()),
        ("presets", presets.collect::<Vec<_>>().join("; ")),
        ("section", convention.section.to_owned()),
    ];
    (convention.id, facts.into_iter().filter(|(_, words)| !words.is_empty()).collect())
}

fn of_documentation(found: ConventionSection) -> Described {
    let mut facts = vec![("question", found.question.to_owned()), ("answer", found.default.to_owned())];
    let ids: Vec<&str> = of_section(found.id).map(|convention| convention.id).collect();
    if !ids.is_empty() {
        facts.push(("set by", ids.join(", ")));
    }
    (found.id, facts)
}

/// The conventions that a section of the documentation explains.
pub fn of_section(id: &str) -> impl Iterator<Item = &'static Convention> {
    conventions().filter(move |convention| convention.section == id)
}

/// The answer of a run to the question of a section: what the documentation says of the default, or the values that were
/// set.
pub fn answer_of_section(id: &str, request: &ScoreRequest) -> String {
    let documented = || section(id).map_or("", |found| found.default).to_owned();
    match values(id, request) {
        own if own.is_empty() => decided_by_options(id, request).unwrap_or_else(documented),
        own if own == defaults_of(&own) => documented(),
        own => own.iter().map(|(name, value)| format!("{name} {value}")).join(", "),
    }
}

/// Why a run has this answer: the released evaluations of these metrics that have it, or what was chosen. `None` for a
/// question whose answer cannot be set.
///
/// ```
/// use neurogauge::{ScoreRequest, reason_of_section};
/// let reason = reason_of_section("ssim-flavour", &ScoreRequest::default(), &["ssim"]).unwrap();
/// assert_eq!(reason, "as in the released code of mindeye1, mindeye2, atm and 3 more");
/// assert_eq!(reason_of_section("psnr-identical", &ScoreRequest::default(), &["psnr"]), None);
/// ```
pub fn reason_of_section(id: &str, request: &ScoreRequest, metrics: &[&str]) -> Option<String> {
    let own = values(id, request);
    if own.is_empty() {
        return None;
    }
    let is_alike = |code: &&ReleasedCode| {
        let is_of_these = code.metrics.iter().any(|metric| metrics.contains(metric));
        let mut released = ScoreRequest::default();
        is_of_these && released.apply_presets(code.preset.as_slice()).is_ok() && values(id, &released) == own
    };
    let mut alike = RELEASED.iter().filter(is_alike).map(|code| code.name.to_owned()).collect_vec();
    if alike.len() > MOST_NAMED {
        let n_more = alike.len() - MOST_NAMED + 1;
        alike.truncate(MOST_NAMED - 1);
        alike.push(format!("{n_more} more"));
    }
    let default = defaults_of(&own);
    Some(match (alike.split_last(), own == default) {
        (Some((last, [])), _) => format!("as in the released code of {last}"),
        (Some((last, others)), _) => format!("as in the released code of {} and {last}", others.join(", ")),
        (None, true) => "the default".to_owned(),
        (None, false) => {
            let changed = default.iter().filter(|value| !own.contains(value));
            let changed = changed.map(|(name, value)| format!("{name} {value}")).join(", ");
            format!("chosen for this run; by default {changed}")
        }
    })
}

/// Conventions by their ids, and their values.
type Values = Vec<(&'static str, String)>;

/// What a request decides by the conventions of a section.
fn values(id: &str, request: &ScoreRequest) -> Values {
    of_section(id).filter_map(|found| Some((found.id, found.answer(request)?))).collect()
}

/// The same conventions by default, also of models that the default lacks.
fn defaults_of(own: &Values) -> Values {
    let of = |request: ScoreRequest| {
        let found = own.iter().filter_map(|(id, _)| find_convention(id));
        found.map(|found| (found.id, found.answer(&request))).collect_vec()
    };
    let all = of(ScoreRequest::default()).into_iter().zip(of(ScoreRequest::with_all_models()));
    all.filter_map(|((id, usual), (_, further))| Some((id, usual.or(further)?))).collect()
}

/// The answer to a question that a preset, a model or another section's convention decides.
fn decided_by_options(id: &str, request: &ScoreRequest) -> Option<String> {
    let (device, precision) = (request.models.device, request.models.weight_precision);
    Some(match id {
        "image-presets" => format!("as {}", word_of(&request.perception.preset)),
        "lpips-size" => answer_of_section("pixel-size", request),
        "basic-presets" => word_of(&request.options.basic_h.preset),
        "model-arithmetic" if (device, precision) != Default::default() => format!("on {device}, {precision}"),
        "labels" if !request.labels.is_empty() => request.labels.clone(),
        _ => return None,
    })
}
