//! A metric in words, as a line of a table or as a page.

use super::CatalogueEntry;
use neurogauge::core::Direction;
use neurogauge::metrics::convention;
use neurogauge::of_section;
use neurogauge::report::{Cell, Table};
use std::fmt::Write;

const NOTES: [&str; 2] = [
    "here: `yes`, or what is missing to compute a metric from images alone. Files of what it needs do as well: `neurogauge list metrics \
     ID` says which, with its range, chance level and conventions",
    "* only where it is asked for by its id",
];

/// One line for each metric, in a table for each group.
pub fn tables(entries: &[CatalogueEntry]) -> Vec<Table> {
    let mut groups: Vec<&str> = Vec::new();
    for entry in entries {
        if !groups.contains(&entry.description.group) {
            groups.push(entry.description.group);
        }
    }
    let of_group = |(place, group): (usize, &&str)| {
        let notes: &[&str] = if place + 1 < groups.len() { &[] } else { &NOTES };
        Table::of(*group, entries.iter().filter(|entry| entry.description.group == *group))
            .column("id", |entry| {
                let mark = if entry.description.on_request { " *" } else { "" };
                Cell::text(format!("{}{mark}", entry.description.id))
            })
            .column("what it is", |entry| Cell::text(entry.description.about))
            .column("better", |entry| Cell::text(better(entry)))
            .column("here", |entry| {
                let missing = entry.missing();
                Cell::text(match missing.is_empty() {
                    true => "yes".to_owned(),
                    false => missing.join("; "),
                })
            })
            .noted(notes.iter().map(|note| (*note).to_owned()).collect())
    };
    groups.iter().enumerate().map(of_group).collect()
}

/// The chance level with as many decimals as needed, at most three.
fn chance_level(chance: f64) -> String {
    format!("{chance:.3}").trim_end_matches('0').to_owned()
}

fn better(entry: &CatalogueEntry) -> &'static str {
    match entry.description.direction {
        Direction::Higher => "higher",
        Direction::Lower => "lower",
    }
}

/// All information about a metric, styled for a terminal, in lines of at most `width` letters.
pub fn page(entry: &CatalogueEntry, width: usize) -> String {
    let of = &entry.description;
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}{} ({}){bold:#}\n{}.\n", of.label, of.id, of.about);
    let Definition { words, parts } = Definition::read(of.definition.as_deref().unwrap_or_default());
    if !words.is_empty() {
        text += &format!("\n{words}\n");
    }
    let [low, high] = &of.range;
    let missing = entry.missing();
    let mut facts = vec![
        ("group", of.group.to_owned()),
        ("better", better(entry).to_owned()),
        ("range", format!("{low} to {high}")),
        ("chance", of.chance.map_or("not known".to_owned(), chance_level)),
        ("needs", entry.needs.clone()),
        (
            "here",
            match missing.is_empty() {
                true => "can be computed from images".to_owned(),
                false => format!("missing for images alone: {}", missing.join("; ")),
            },
        ),
        (
            "computed",
            match of.on_request {
                true => "only where it is asked for by its id".to_owned(),
                false => "wherever the inputs allow it".to_owned(),
            },
        ),
    ];
    if !of.parts.is_empty() {
        facts.push(("parts", of.parts.join(", ")));
    }
    if !of.lists.is_empty() {
        facts.push(("in lists", of.lists.join(", ")));
    }
    for id in &of.conventions {
        let question = convention(id).map_or("", |section| section.question);
        let settings: String = of_section(id).map(|found| format!(" --set {}={}", found.id, found.form)).collect();
        facts.push(("convention", format!("{id}: {question}{settings}")));
    }
    for (name, meaning) in &entry.presets {
        facts.push(("preset", format!("{name}: {meaning}")));
    }
    for (name, words) in parts {
        facts.push((name, words));
    }
    facts.push(("example", entry.example.clone()));
    text.push('\n');
    for (name, words) in facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{bold}{name:<12}{bold:#} {}", wrapped(&words, width));
    }
    text
}

/// The documentation of a metric's function, without what the registry's facts already say.
struct Definition {
    /// The measured quantity, with the equation.
    words: String,
    /// When it is undefined, and its reference.
    parts: Vec<(&'static str, String)>,
}

impl Definition {
    /// Parses Markdown. Parts for programmers (shapes, errors and examples in Rust) are left out, and so are facts from
    /// the registry.
    fn read(markdown: &str) -> Definition {
        const PARTS: [(&str, Option<&str>); 6] = [
            ("Shapes", None),
            ("Range", None),
            ("Conventions", None),
            ("Undefined", Some("undefined")),
            ("Errors", None),
            ("Reference", Some("reference")),
        ];
        let mut words: Vec<String> = Vec::new();
        let mut parts: Vec<(Option<&'static str>, String)> = Vec::new();
        let mut fence: Option<&str> = None;
        for line in markdown.lines() {
            if let Some(language) = line.strip_prefix("```") {
                fence = fence.is_none().then_some(language);
                continue;
            }
            if fence == Some("rust") {
                continue;
            }
            let of_part = |(name, kept): &(&str, Option<&'static str>)| {
                let rest = line
                    .strip_prefix(&format!("- {name}: "))
                    .or_else(|| line.strip_prefix(&format!("**{name}.** ")))?;
                Some((*kept, plain(rest)))
            };
            match (PARTS.iter().find_map(of_part), parts.last_mut()) {
                (Some(part), _) => parts.push(part),
                (None, Some((_, text))) => {
                    text.push(' ');
                    text.push_str(plain(line).trim());
                }
                (None, None) if fence.is_some() => words.push(format!("    {line}")),
                (None, None) => words.push(plain(line)),
            }
        }
        let parts = parts.into_iter();
        let kept = parts.filter_map(|(name, text)| Some((name?, text.trim().to_owned())));
        Definition {
            words: words.join("\n").trim().to_owned(),
            parts: kept.collect(),
        }
    }
}

/// A line without Markdown's marks.
fn plain(line: &str) -> String {
    line.replace("**", "").replace('`', "")
}

/// Words in lines of at most `width` letters; all lines after the first are indented.
fn wrapped(words: &str, width: usize) -> String {
    const INDENT: usize = 13;
    let width = width.max(40) - INDENT;
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let line = lines.last_mut();
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join(&format!("\n{}", " ".repeat(INDENT)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Definition, page};
    use crate::catalogue::metric_catalogue;
    use neurogauge::RunSettings;

    #[test]
    fn no_page_speaks_of_types() {
        for entry in metric_catalogue(&[], &RunSettings::default()).unwrap() {
            let page = page(&entry, 100);
            let types = ["::", "Undefined", "MissingPart", "NoCategories", "NonFinite", "EmptyPool", "Options"];
            let found: Vec<&&str> = types.iter().filter(|name| page.contains(**name)).collect();
            assert!(found.is_empty(), "{found:?} in {page}");
        }
    }

    #[test]
    fn a_definition_is_read_in_both_of_its_forms() {
        let list = "Mean of `x`:\n\n```text\nx / n\n```\n\n- Shapes: any.\n- Undefined: no pair,\n  or none.\n- Errors: e.\n\n```rust\n1\n```";
        let found = Definition::read(list);
        assert_eq!(found.words, "Mean of x:\n\n    x / n");
        assert_eq!(found.parts, [("undefined", "no pair, or none.".to_owned())]);
        let paragraphs = "Mean.\n\n**Range.** 0 to 1.\n\n**Reference.** SciPy,\nexact.";
        let found = Definition::read(paragraphs);
        assert_eq!(found.parts, [("reference", "SciPy, exact.".to_owned())]);
    }
}
