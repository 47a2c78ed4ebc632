//! Paths from one place in the records of runs to others.
//!
//! Steps stand between slashes; a path that begins with one starts at the records, any other at the place itself. A step
//! is a field (`field?` may be missing), a position in a list from 0, `*` (all that a list or an object has), `..` (what
//! contains it), `#` (its number in that, from 1, or its key), or conditions, `field=value&other.field>0`, which select
//! from a list: the field may be empty (the value itself) or `#`, and `field=a|b` selects all with a, then all with b.
//! `{path}` in a step is the value there. A path of `~` starts at the row of a column, or at all rows below a title.

use crate::exhibit::{Paths, Sentence};
use crate::value::{is_there, number_of, pieces, split, words_of};
use indexmap::IndexSet;
use itertools::Itertools;
use neurogauge::models::registry::did_you_mean;
use serde_json::Value;
use std::cmp::Ordering;
use std::rc::Rc;

/// A path that leads nowhere, in words.
pub(crate) type PathError = String;

/// A value in the records, with those that contain it.
#[derive(Debug, Clone)]
pub(crate) struct Place<'a> {
    /// From the records themselves, each with its number or key.
    within: Vec<(Value, &'a Value)>,
    /// Does it stand for the number or key instead of the value?
    is_key: bool,
    rows: Rc<Vec<Place<'a>>>,
}

impl<'a> Place<'a> {
    /// The place of all records, by kind, and of the paper's published values, by file.
    pub(crate) fn of(records: &'a Value) -> Self {
        Place {
            within: vec![(Value::Null, records)],
            is_key: false,
            rows: Rc::default(),
        }
    }

    fn here(&self) -> &'a Value {
        self.within[self.within.len() - 1].1
    }

    /// The same place, from which `~` leads to these rows.
    pub(crate) fn with_rows(mut self, rows: Vec<Place<'a>>) -> Self {
        self.rows = Rc::new(rows);
        self
    }

    pub(crate) fn value(&self) -> &Value {
        match self.is_key {
            true => &self.within[self.within.len() - 1].0,
            false => self.here(),
        }
    }

    fn inside(&self, key: Value, value: &'a Value) -> Self {
        let mut own = self.clone();
        own.within.push((key, value));
        own
    }

    /// All places to which a path leads.
    pub(crate) fn find(&self, path: &str) -> Result<Vec<Place<'a>>, PathError> {
        self.led(path).map_err(|why| format!("`{path}`: {why}"))
    }

    fn led(&self, path: &str) -> Result<Vec<Place<'a>>, PathError> {
        let (mut found, rest) = match (path.strip_prefix('/'), path.strip_prefix('~')) {
            (Some(rest), _) => (vec![Place::of(self.within[0].1)], rest),
            (_, Some(rest)) => (self.rows.to_vec(), rest),
            _ => (vec![self.clone()], path),
        };
        for step in split(rest, '/').filter(|step| !step.is_empty()) {
            let mut next = Vec::new();
            for place in &found {
                next.extend(place.step(step, self)?);
            }
            found = next;
        }
        Ok(found)
    }

    /// All places to which several paths lead.
    pub(crate) fn all(&self, paths: &Paths) -> Result<Vec<Place<'a>>, PathError> {
        let found = paths.iter().map(|path| self.find(path));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The first place to which a path leads, unless its value is null.
    pub(crate) fn one(&self, path: &str) -> Result<Option<Place<'a>>, PathError> {
        Ok(self.find(path)?.into_iter().next().filter(|place| !place.value().is_null()))
    }

    /// The number at a path.
    pub(crate) fn number(&self, path: &str) -> Result<Option<f64>, PathError> {
        Ok(self.one(path)?.and_then(|place| number_of(place.value())))
    }

    /// All numbers at a path.
    pub(crate) fn numbers(&self, path: &str) -> Result<Vec<f64>, PathError> {
        Ok(self.find(path)?.iter().filter_map(|place| number_of(place.value())).collect())
    }

    /// Does a condition hold: does a path lead to something (with `!` before it: to nothing)? ` or ` parts several.
    pub(crate) fn holds(&self, condition: &str) -> Result<bool, PathError> {
        for one in condition.split(" or ") {
            let (path, wanted) = one.strip_prefix('!').map_or((one, true), |path| (path, false));
            if self.find(path)?.iter().any(|place| is_there(place.value())) == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does it hold, or is there none?
    pub(crate) fn fulfils(&self, condition: &str) -> Result<bool, PathError> {
        Ok(condition.is_empty() || self.holds(condition)?)
    }

    /// A sentence of several parts; `None` if all of them are left out.
    pub(crate) fn sentence(&self, sentence: &Sentence) -> Result<Option<String>, PathError> {
        let parts = sentence.iter().map(|part| self.text(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(parts.into_iter().flatten().reduce(|text, part| text + &part))
    }

    /// A sentence of several parts; empty if all of them are left out.
    pub(crate) fn words(&self, sentence: &Sentence) -> Result<String, PathError> {
        Ok(self.sentence(sentence)?.unwrap_or_default())
    }

    /// A sentence with its fields, `{path}` or `{path:form}`; `None` if one is missing, or a condition, `{?path}`
    /// or `{!path}`, does not hold. A field that is several is a list with commas, each once; `{path:n}` is how many.
    pub(crate) fn text(&self, sentence: &str) -> Result<Option<String>, PathError> {
        let mut text = String::new();
        for (number, piece) in pieces(sentence).enumerate() {
            let condition = piece.strip_prefix('?').or(piece.starts_with('!').then_some(piece));
            match condition {
                _ if number % 2 == 0 => text += piece,
                Some(condition) if self.holds(condition)? => {}
                Some(_) => return Ok(None),
                None => match self.field_words(piece)? {
                    Some(words) => text += &words,
                    None => return Ok(None),
                },
            }
        }
        Ok(Some(text))
    }

    /// The words of a field.
    fn field_words(&self, field: &str) -> Result<Option<String>, PathError> {
        let formed = field.rsplit_once(':').filter(|(_, form)| !form.contains(['/', '}']));
        let (path, form) = formed.unwrap_or((field, ""));
        let found = self.find(path)?;
        if form == "n" {
            return Ok(Some(found.len().to_string()));
        }
        let words: Option<IndexSet<_>> = found.iter().map(|place| words_of(place.value(), form)).collect();
        Ok(words.filter(|words| !words.is_empty()).map(|words| words.iter().join(", ")))
    }

    /// The places to which a step leads; fields in braces are those of the place from which the path starts.
    fn step(&self, step: &str, from: &Place<'_>) -> Result<Vec<Place<'a>>, PathError> {
        Ok(match step {
            ".." | "#" => {
                let mut own = self.clone();
                own.is_key = step == "#";
                own.within.truncate((own.within.len() - usize::from(!own.is_key)).max(1));
                vec![own]
            }
            // Nothing is within null.
            _ if self.value().is_null() => Vec::new(),
            "*" => self.children()?,
            conditions if conditions.contains(['=', '<', '>']) && !conditions.starts_with('{') => {
                let conditions = split(conditions, '&').map(|condition| Condition::of(condition, from));
                self.selected(&conditions.collect::<Result<Vec<_>, _>>()?)?
            }
            field => self.field(&from.text(field)?.unwrap_or_default())?.into_iter().collect(),
        })
    }

    /// What a list or an object has.
    fn children(&self) -> Result<Vec<Place<'a>>, PathError> {
        match self.here() {
            Value::Array(list) => {
                Ok((1_usize..).zip(list).map(|(number, value)| self.inside(number.into(), value)).collect())
            }
            Value::Object(of) => Ok(of.iter().map(|(key, value)| self.inside(key.as_str().into(), value)).collect()),
            _ => Err("a path goes into what has no parts; leave out what follows".to_owned()),
        }
    }

    /// The field of this name, or the place in a list.
    fn field(&self, step: &str) -> Result<Option<Place<'a>>, PathError> {
        let (name, may_lack) = step.strip_suffix('?').map_or((step, false), |name| (name, true));
        match self.here() {
            Value::Object(of) => match of.get(name) {
                None if !may_lack => {
                    let known: Vec<&str> = of.keys().map(String::as_str).collect();
                    let what = if self.within.len() > 1 { "field" } else { "record" };
                    let meant = did_you_mean(name, &known);
                    Err(format!("no {what} {name:?}{meant}; there are: {}", known.join(", ")))
                }
                found => Ok(found.map(|value| self.inside(name.into(), value))),
            },
            Value::Array(list) => {
                let place: usize = name.parse().map_err(|_| {
                    format!("{name:?} is asked of a list; `*` takes all that it has, a number one of them")
                })?;
                Ok(list.get(place).map(|value| self.inside((place + 1).into(), value)))
            }
            _ => Err(format!("{name:?} is asked of a number or a word, which has no fields")),
        }
    }

    /// What fulfils conditions, in the order of the alternatives of the first that has several.
    fn selected(&self, conditions: &[Condition]) -> Result<Vec<Place<'a>>, PathError> {
        let children = self.children()?;
        for condition in conditions {
            // One at least has its field.
            let fields = children.iter().map(|place| condition.of_field(place));
            fields.find_or_first(Result::is_ok).transpose()?;
        }
        let fits = |place: &&Place<'a>| conditions.iter().all(|condition| condition.fits(place));
        let mut found: Vec<Place<'a>> = children.iter().filter(fits).cloned().collect();
        if let Some(first) = conditions.iter().find(|condition| condition.values.len() > 1) {
            found.sort_by_key(|place| first.values.iter().position(|value| first.is(place, value)));
        }
        Ok(found)
    }
}

/// `field=value`, or with another comparison.
struct Condition {
    /// The path of the field. Dots in the text became slashes.
    field: String,
    comparison: &'static str,
    values: Vec<String>,
}

const COMPARISONS: [&str; 6] = ["!=", "<=", ">=", "=", "<", ">"];

impl Condition {
    fn of(text: &str, from: &Place<'_>) -> Result<Self, PathError> {
        let (field, rest) = text.split_at(text.find(['=', '<', '>', '!']).unwrap_or(text.len()));
        let comparison = COMPARISONS.into_iter().find(|own| rest.starts_with(own));
        let comparison =
            comparison.ok_or_else(|| format!("{text:?} is no condition: it needs one of {}", COMPARISONS.join(" ")))?;
        let values = split(&rest[comparison.len()..], '|').map(|value| Ok(from.text(value)?.unwrap_or_default()));
        Ok(Condition {
            field: field.replace('.', "/"),
            comparison,
            values: values.collect::<Result<_, PathError>>()?,
        })
    }

    /// The place of its field, unless it is null.
    fn of_field<'a>(&self, place: &Place<'a>) -> Result<Option<Place<'a>>, PathError> {
        place.one(&self.field)
    }

    fn is(&self, place: &Place<'_>, wanted: &str) -> bool {
        let found = self.of_field(place).ok().flatten();
        found.map_or(wanted == "null", |place| match place.value() {
            found @ Value::Number(_) => number_of(found) == wanted.parse().ok(),
            found => words_of(found, "").is_some_and(|words| words == wanted),
        })
    }

    fn fits(&self, place: &Place<'_>) -> bool {
        let order = || {
            let found = number_of(self.of_field(place).ok()??.value())?;
            found.partial_cmp(&self.values.first()?.parse().ok()?)
        };
        match self.comparison {
            equals @ ("=" | "!=") => self.values.iter().any(|value| self.is(place, value)) == (equals == "="),
            "<" => order() == Some(Ordering::Less),
            ">" => order() == Some(Ordering::Greater),
            "<=" => order().is_some_and(Ordering::is_le),
            _ => order().is_some_and(Ordering::is_ge),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::json;

    fn with<T>(of: impl Fn(Place<'_>) -> T) -> T {
        let mut records = json!({
            "align": {
                "models": [
                    {"name": "a", "kind": "trained", "layers": [{"at": 1, "score": {"mean": 0.5}}, {"at": 2, "score": null}]},
                    {"name": "b", "kind": "untrained", "layers": [{"at": 1, "score": {"mean": 0.25}}], "seed": 3},
                    {"name": "c", "kind": "trained", "layers": []},
                ],
                "pairs": [["x", 0.75], ["y", 0.5]],
                "controls": ["p", "q"],
            },
            "meta": null,
        });
        records["published"] = json!({"rows": [{"model": "b", "score": "0.240"}]});
        of(Place::of(&records))
    }

    #[test]
    fn paths_lead_down_up_and_across() {
        with(|root| {
            let texts = |path: &str| -> Vec<String> {
                let found = root.find(path).unwrap();
                found.iter().map(|place| words_of(place.value(), "").unwrap_or("-".to_owned())).collect()
            };
            assert_eq!(texts("/align/models/*/name"), ["a", "b", "c"]);
            assert_eq!(texts("align/models/*/layers/*/../../name"), ["a", "a", "b"]);
            assert_eq!(texts("/align/models/*/layers/*/score"), ["0.5", "-", "0.25"]);
            assert_eq!(texts("/align/models/kind=untrained|trained/name"), ["b", "a", "c"]);
            assert_eq!(texts("/align/models/seed?=3/#"), ["2"]);
            assert_eq!(texts("/align/models/#>=2&kind!=untrained/name"), ["c"]);
            assert_eq!(texts("/align/pairs/1>0.6/0"), ["x"]);
            let row = root.one("/published/rows/0").unwrap().unwrap();
            let joined = "{score} beside {/align/models/name={model}/layers/0/score:.2}";
            assert_eq!(row.text(joined).unwrap().as_deref(), Some("0.240 beside 0.25"));
            let in_row = root.one("/align/pairs/0").unwrap().unwrap().with_rows(vec![row]);
            assert_eq!(in_row.text("{~/model} {0}").unwrap().as_deref(), Some("b x"));
        });
    }

    #[test]
    fn what_is_missing_is_no_sentence_and_what_is_unknown_is_an_error() {
        with(|root| {
            assert_eq!(root.text("n {/meta/anything/n}").unwrap(), None);
            assert_eq!(root.text("{?/align/controls/=q}{/align/controls/*}").unwrap().as_deref(), Some("p, q"));
            assert_eq!(root.text("{!/align/controls/=q}no").unwrap(), None);
            assert!(root.holds("!/meta or /align/controls/=r").unwrap());
            for (path, message) in [
                ("/aling/x", "no record \"aling\" (did you mean \"align\"?); there are: align, meta, published"),
                ("/align/models/*/nam", "no field \"nam\" (did you mean \"name\"?); there are: name, kind, layers"),
                ("/align/models/sed=3", "`sed`: no field \"sed\"; there are: name, kind, layers"),
                ("/align/models/name", "\"name\" is asked of a list; `*` takes all that it has, a number one of them"),
            ] {
                assert_eq!(root.find(path).unwrap_err(), format!("`{path}`: {message}"));
            }
            // A field that only some have, and one that may be missing.
            assert_eq!(root.find("/align/models/seed=3").unwrap().len(), 1);
            assert!(root.find("/align/models/0/seed?").unwrap().is_empty());
        });
    }
}
