//! A template and a batch for Amazon Mechanical Turk, where each pair is a task.

use super::MturkRequest;
use super::pictures::Pictures;
use crate::questions::Question;
use crate::record::SurveyRecord;
use neurogauge::Error;
use neurogauge::core::hostile_text::for_html;
use neurogauge::formats::atomic_file;
use neurogauge::report::{Cell, TextTable};
use std::collections::BTreeMap;
use std::path::Path;

const TEMPLATE: &str = include_str!("template.html");

pub(super) fn write(
    folder: &Path,
    record: &SurveyRecord,
    request: &MturkRequest,
    pictures: &Pictures,
) -> Result<(), Error> {
    let prefix = request.image_url.trim_end_matches('/');
    let mut shown: BTreeMap<usize, String> = BTreeMap::new();
    let mut address = |place: usize| {
        let name = shown.entry(place).or_insert_with(|| pictures.file_name(place));
        format!("{prefix}/{name}")
    };
    let lines: Vec<(&str, [String; 2])> = record
        .tasks
        .iter()
        .map(|task| {
            (
                task.id.as_str(),
                // Surveys with clips and samples have no batch.
                pictures.shown(&task.trial).map(|(_, shown)| address(shown.parts[0][0])),
            )
        })
        .collect();
    let batch = TextTable::of("Batch", &lines)
        .column("item", |(id, _)| Cell::text(*id))
        .column("stimulus", |(_, [stimulus, _])| Cell::text(stimulus))
        .column("reconstruction", |(_, [_, reconstruction])| Cell::text(reconstruction))
        .noted(Vec::new());
    atomic_file::write(&folder.join("batch.csv"), batch.csv().as_bytes())?;
    atomic_file::write(&folder.join("template.html"), template(record).as_bytes())?;
    for (place, name) in shown {
        atomic_file::write(&folder.join("images").join(name), pictures.bytes(place))?;
    }
    Ok(())
}

/// The variables `${stimulus}` and `${reconstruction}` are columns of the batch. A `$` in a text is written as an
/// entity, so our own text is never mistaken for a variable.
fn template(record: &SurveyRecord) -> String {
    let words = &record.questions;
    let text = |text: &str| for_html(text).replace('$', "&#36;");
    let instructions: String = words.instructions.iter().map(|line| format!("<p>{}</p>\n", text(line))).collect();
    let questions: String = words.questions.iter().map(|q| question(q, text)).collect();
    let parts = [
        ("{{title}}", text(&words.title)),
        ("{{instructions}}", instructions),
        ("{{stimulus}}", text(&words.stimulus)),
        ("{{reconstruction}}", text(&words.reconstruction)),
        ("{{questions}}", questions),
    ];
    let mut out = String::new();
    let mut rest = TEMPLATE;
    // The first remaining placeholder, until there is none.
    while let Some((at, name, part)) = parts
        .iter()
        .filter_map(|(name, part)| Some((rest.find(name)?, name, part)))
        .min_by_key(|(at, ..)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(part);
        rest = &rest[at + name.len()..];
    }
    out + rest
}

fn question(question: &Question, text: impl Fn(&str) -> String) -> String {
    let points = question.scale.iter().zip(1..).map(|(word, point)| {
        format!(
            "<label><input type=\"radio\" name=\"{}\" value=\"{point}\" required> {point} {}</label>\n",
            question.id,
            text(word)
        )
    });
    format!("<fieldset>\n<legend>{}</legend>\n{}</fieldset>\n", text(&question.text), points.collect::<String>())
}
