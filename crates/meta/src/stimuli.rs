//! Finds the items that show the same stimulus.

use super::MetaRequest;
use super::join::examples;
use neurogauge::Error;
use neurogauge::StimulusPattern;
use neurogauge::core::option_words::option;
use neurogauge::core::shared_stems::{SharedStems, shared_stems};
use neurogauge::core::{Finding, Severity};
use neurogauge::stats::meta::Grouping;
use serde::Serialize;

/// How the stimulus of an item is found (convention `meta-stimuli`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StimuliFrom {
    /// From the part of their ids that several systems share ([`shared_stems`]); otherwise, items are independent.
    #[default]
    Auto,
    Column(String),
    /// From a pattern of their ids in the ratings.
    Pattern(StimulusPattern),
    Independent,
}

const PLACEHOLDER: &str = "{stimulus}";

/// The stimulus of each item; `None` if items are independent. `labels` are those in the column, if one is named.
pub(super) fn stimuli(
    request: &MetaRequest,
    rated: &[String],
    labels: Option<&Vec<String>>,
    findings: &mut Vec<Finding>,
) -> Result<Option<Grouping>, Error> {
    let named = |labels: &[&str]| Ok(Some(Grouping::new("stimulus", labels)?));
    let survey = || request.human.display().to_string();
    match &request.stimuli {
        StimuliFrom::Column(_) => named(&labels.into_iter().flatten().map(String::as_str).collect::<Vec<&str>>()),
        StimuliFrom::Pattern(pattern) => {
            let of_items = rated.iter().map(|item| pattern.of(item).ok_or(item));
            let labels = of_items.collect::<Result<Vec<&str>, &String>>();
            named(&labels.map_err(|item| {
                Error::Usage(format!(
                    "{}: the item {item:?} is not called as {} says; expected a pattern that all rated items follow, with \
                     {PLACEHOLDER} where the stimulus is named and * where anything may be",
                    survey(),
                    option("stimulus-pattern", &pattern.to_string())
                ))
            })?)
        }
        StimuliFrom::Auto => {
            let found = shared_stems(rated);
            findings.push(of_names(request, rated, found.as_ref()));
            match found.filter(|found| found.is_clear) {
                Some(found) => Ok(Some(Grouping::new("stimulus", &found.stimuli)?)),
                None => Ok(None),
            }
        }
        StimuliFrom::Independent => {
            if shared_stems(rated).is_some() {
                let message = format!(
                    "items look as if several were of one stimulus ({}), and are taken as independent, as {} says: intervals \
                     are too narrow if those of a stimulus are alike",
                    examples(rated),
                    option("stimuli", "independent"),
                );
                findings.push(Finding::warning("stimuli_independent", survey(), message));
            }
            Ok(None)
        }
    }
}

/// What ids show about stimuli, and the option that would use it.
fn of_names(request: &MetaRequest, rated: &[String], found: Option<&SharedStems>) -> Finding {
    let survey = request.human.display().to_string();
    let pattern = |text: String| option("stimulus-pattern", &text).to_string();
    match found {
        Some(found) if found.is_clear => {
            let message = format!(
                "items of one stimulus are drawn together; that of {:?} is taken to be {:?}",
                rated[0], found.stimuli[0]
            );
            let (n_groups, n_stimuli) = (found.n_groups, found.n_stimuli);
            Finding::note("stimuli_from_ids", survey, message)
                .on_evidence(format!("{n_groups} kinds of ids share {n_stimuli} such parts"))
                .advise(format!(
                    "{} names another part, and {} draws every item for itself",
                    option("stimulus-pattern", ""),
                    option("stimuli", "independent")
                ))
        }
        Some(found) => {
            let separator = found.separator;
            let message = format!(
                "items look as if several were of one stimulus ({}), and are taken as independent: intervals are too narrow \
                 if those of a stimulus are alike. {} or {} says which part is the stimulus",
                examples(rated),
                pattern(format!("{PLACEHOLDER}{separator}*")),
                pattern(format!("*{separator}{PLACEHOLDER}")),
            );
            Finding::warning("stimuli_unclear", survey, message)
        }
        None => {
            let severity = match request.group_columns.is_empty() {
                true => Severity::Note,
                // The groups may be systems that decode the same stimuli.
                false => Severity::Warning,
            };
            let message = format!("each item is taken to show another stimulus ({})", examples(rated));
            Finding::new(severity, "stimuli_unknown", survey, message).advise(format!(
                "if several show the same one, {} or {} says which, or intervals are too narrow",
                option("stimulus-column", "NAME"),
                pattern("PATTERN".to_owned())
            ))
        }
    }
}
