//! Which items show the same stimulus.

use super::MetaRequest;
use super::join::examples;
use crate::Error;
use neurogauge_core::Warning;
use neurogauge_core::option_words::option;
use neurogauge_stats::meta::Grouping;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// How the stimulus of an item is determined (convention `meta-stimuli`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StimuliFrom {
    /// By the last part of ids such as `system/stem`, if several systems share stems; otherwise items are independent.
    #[default]
    Auto,
    /// By a column of the ratings.
    Column(String),
    /// By a pattern of their ids in the ratings.
    Pattern(StimulusPattern),
    /// Items are independent.
    Independent,
}

/// A pattern of rated items' ids: `{stimulus}` once, and at most one `*`, which matches as many characters as possible; some
/// text must separate the two.
///
/// ```
/// use neurogauge::meta::StimulusPattern;
/// let pattern: StimulusPattern = "*/{stimulus}.png".parse()?;
/// assert_eq!(pattern.stimulus_of("run/mine/007.png"), Some("007"));
/// let pattern: StimulusPattern = "{stimulus}_*".parse()?;
/// assert_eq!(pattern.stimulus_of("7_mine"), Some("7"));
/// assert_eq!(pattern.stimulus_of("7"), None);
/// # Ok::<(), neurogauge::meta::StimulusPatternError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct StimulusPattern {
    before: String,
    after: String,
}

/// A pattern without `{stimulus}`, or with more wildcards than allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?}: expected what rated items are called, with {{stimulus}} in it once and at most one *, not side by side, such as \
     */{{stimulus}}"
)]
pub struct StimulusPatternError(String);

const PLACEHOLDER: &str = "{stimulus}";

impl StimulusPattern {
    /// The stimulus of an item; `None` if its id does not match the pattern.
    pub fn stimulus_of<'a>(&self, item: &'a str) -> Option<&'a str> {
        let found = match (self.before.split_once('*'), self.after.split_once('*')) {
            (Some((start, end)), _) => {
                let inner = item
                    .strip_prefix(start)?
                    .strip_suffix(self.after.as_str())?;
                inner.rsplit_once(end).map(|(_, stimulus)| stimulus)
            }
            (None, Some((start, end))) => {
                let inner = item.strip_prefix(self.before.as_str())?.strip_suffix(end)?;
                inner.split_once(start).map(|(stimulus, _)| stimulus)
            }
            (None, None) => item
                .strip_prefix(self.before.as_str())?
                .strip_suffix(self.after.as_str()),
        };
        found.filter(|stimulus| !stimulus.is_empty())
    }
}

impl FromStr for StimulusPattern {
    type Err = StimulusPatternError;

    fn from_str(text: &str) -> Result<Self, StimulusPatternError> {
        match text.split(PLACEHOLDER).collect::<Vec<_>>()[..] {
            [before, after]
                if text.matches('*').count() <= 1
                    && !before.ends_with('*')
                    && !after.starts_with('*') =>
            {
                Ok(StimulusPattern {
                    before: before.to_owned(),
                    after: after.to_owned(),
                })
            }
            _ => Err(StimulusPatternError(text.to_owned())),
        }
    }
}

impl fmt::Display for StimulusPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{PLACEHOLDER}{}", self.before, self.after)
    }
}

impl From<StimulusPattern> for String {
    fn from(pattern: StimulusPattern) -> String {
        pattern.to_string()
    }
}

/// The stimulus of each item; `None` if items are independent. `labels` is the content of the column, if one is named.
pub(super) fn stimuli(
    request: &MetaRequest,
    rated: &[String],
    labels: Option<&Vec<String>>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Grouping>, Error> {
    let named = |labels: &[&str]| Ok(Some(Grouping::new("stimulus", labels)?));
    let survey = || request.human.display().to_string();
    match &request.stimuli {
        StimuliFrom::Column(_) => {
            let labels = labels.into_iter().flatten().map(String::as_str);
            named(&labels.collect::<Vec<&str>>())
        }
        StimuliFrom::Pattern(pattern) => {
            let of_items = rated
                .iter()
                .map(|item| pattern.stimulus_of(item).ok_or(item));
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
        StimuliFrom::Auto => match crossed(rated) {
            Some(Crossed::SystemFirst(stems)) => named(&stems),
            Some(Crossed::Unclear) => {
                let message = format!(
                    "items look as if several were of one stimulus ({}), and are taken as independent: intervals are too narrow \
                     if those of a stimulus are alike. {} or {} says which part is the stimulus",
                    examples(rated),
                    option("stimulus-pattern", &format!("{PLACEHOLDER}/*")),
                    option("stimulus-pattern", &format!("*/{PLACEHOLDER}")),
                );
                warnings.push(Warning::new("stimuli_unclear", survey(), message));
                Ok(None)
            }
            None => Ok(None),
        },
        StimuliFrom::Independent => {
            if crossed(rated).is_some() {
                let message = format!(
                    "items look as if several were of one stimulus ({}), and are taken as independent, as {} says: intervals \
                     are too narrow if those of a stimulus are alike",
                    examples(rated),
                    option("stimuli", "independent"),
                );
                warnings.push(Warning::new("stimuli_independent", survey(), message));
            }
            Ok(None)
        }
    }
}

/// Items whose ids have two parts, when several first parts share a last part.
enum Crossed<'a> {
    /// There are at least as many last parts as first parts: the last parts are stimuli.
    SystemFirst(Vec<&'a str>),
    /// There are more first parts, so they may be the stimuli.
    Unclear,
}

fn crossed(items: &[String]) -> Option<Crossed<'_>> {
    let parts = items.iter().map(|item| item.rsplit_once('/'));
    let parts: Vec<(&str, &str)> = parts.collect::<Option<_>>()?;
    let mut systems_of: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (system, stem) in &parts {
        systems_of.entry(stem).or_default().insert(system);
    }
    if systems_of.values().all(|systems| systems.len() < 2) {
        return None;
    }
    let systems: HashSet<&str> = parts.iter().map(|(system, _)| *system).collect();
    Some(match systems.len() <= systems_of.len() {
        true => Crossed::SystemFirst(parts.into_iter().map(|(_, stem)| stem).collect()),
        false => Crossed::Unclear,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_pattern_has_one_stimulus_and_at_most_one_star() {
        for text in [
            "{stimulus}",
            "*/{stimulus}",
            "{stimulus}_*.png",
            "a/{stimulus}",
        ] {
            assert_eq!(text.parse::<StimulusPattern>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "*",
            "{stimulus}{stimulus}",
            "*/{stimulus}/*",
            "*{stimulus}",
            "{stimulus}*",
        ] {
            let error = text.parse::<StimulusPattern>().unwrap_err().to_string();
            assert!(error.contains("such as */{stimulus}"), "{error}");
        }
        let pattern: StimulusPattern = "sys*_{stimulus}.png".parse().unwrap();
        assert_eq!(pattern.stimulus_of("sys_a_b_7.png"), Some("7"));
        assert_eq!(pattern.stimulus_of("sys_a_b_.png"), None);
        assert_eq!(pattern.stimulus_of("other_7.png"), None);
        let pattern: StimulusPattern = "{stimulus}/*".parse().unwrap();
        assert_eq!(pattern.stimulus_of("7/a/b"), Some("7"));
    }

    #[test]
    fn stems_of_several_systems_are_stimuli() {
        let found = |names: &[&str]| match crossed(&items(names)) {
            Some(Crossed::SystemFirst(stems)) => stems.join(","),
            Some(Crossed::Unclear) => "unclear".to_owned(),
            None => "independent".to_owned(),
        };
        assert_eq!(found(&["a/0", "a/1", "b/0", "b/1"]), "0,1,0,1");
        assert_eq!(found(&["r/a/0", "r/a/1", "r/b/0"]), "0,1,0");
        // Three texts by two models, from a table with the columns text and model.
        assert_eq!(
            found(&["0/a", "0/b", "1/a", "1/b", "2/a", "2/b"]),
            "unclear"
        );
        assert_eq!(found(&["a/0", "a/1", "b/2"]), "independent");
        assert_eq!(found(&["a/0", "b/0", "1"]), "independent");
        assert_eq!(found(&[]), "independent");
    }
}
