//! Conventions in words, for `neurogauge list conventions` and for reports.

use super::{Convention, conventions, presets_that_set};
use crate::ScoreRequest;
use neurogauge_core::words::word_of;
use neurogauge_metrics::{ConventionSection, convention as section, convention_sections};

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

/// The answer of a run to the question of a section: the values of its conventions, or what is fixed.
pub fn answer_of_section(id: &str, request: &ScoreRequest) -> String {
    let set = of_section(id).filter_map(|found| Some(format!("{} {}", found.id, found.answer(request)?)));
    let set: Vec<String> = set.collect();
    match set.is_empty() {
        true => {
            decided_by_options(id, request).unwrap_or_else(|| section(id).map_or("", |found| found.default).to_owned())
        }
        false => set.join(", "),
    }
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
