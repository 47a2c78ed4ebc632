//! A template and a batch for Amazon Mechanical Turk, in which each pair is a task.

use super::MturkRequest;
use super::pictures::Pictures;
use crate::make::record::SurveyRecord;
use crate::plan::Task;
use maud::{PreEscaped, html};
use neurogauge::Error;
use neurogauge::formats::atomic_file;
use neurogauge::formats::names_below::{below, own_file};
use neurogauge::report::{Cell, Table};
use std::collections::BTreeMap;
use std::path::Path;

const STYLE: &str = include_str!("mturk.css");

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
    // Surveys with clips or samples have no batch.
    let mut addresses = |task: &Task| pictures.shown(&task.trial).map(|(_, shown)| address(shown.parts[0][0]));
    let lines: Vec<(&str, [String; 2])> = record.tasks.iter().map(|task| (task.id.as_str(), addresses(task))).collect();
    let batch = Table::of("Batch", &lines)
        .column("item", |(id, _)| Cell::text(*id))
        .column("stimulus", |(_, [stimulus, _])| Cell::text(stimulus))
        .column("reconstruction", |(_, [_, reconstruction])| Cell::text(reconstruction))
        .noted(Vec::new());
    atomic_file::write(&own_file(folder, "batch.csv"), batch.csv().as_bytes())?;
    atomic_file::write(&own_file(folder, "template.html"), template(record).as_bytes())?;
    for (place, name) in shown {
        atomic_file::write(&below(folder, &format!("images/{name}"))?, pictures.bytes(place))?;
    }
    Ok(())
}

/// The template. Its variables `${stimulus}` and `${reconstruction}` are columns of the batch. A `$` in a text is
/// written as an entity, so that no text is mistaken for a variable.
fn template(record: &SurveyRecord) -> String {
    let words = &record.questions;
    let text = |text: &str| PreEscaped(html! { (text) }.into_string().replace('$', "&#36;"));
    let sides = [("${stimulus}", &words.stimulus), ("${reconstruction}", &words.reconstruction)];
    let page = html! {
        (PreEscaped("<!-- Design layout of a Mechanical Turk project. The batch is batch.csv; put the files of images/ where it says they are. -->\n"))
        style { "\n" (PreEscaped(STYLE)) } "\n"
        h1 { (text(&words.title)) } "\n"
        @for line in &words.instructions { p { (text(line)) } "\n" }
        div.pair {
            @for (variable, name) in sides {
                figure { img src=(variable) alt=(text(name)); figcaption { (text(name)) } }
            }
        }
        @for question in &words.questions {
            "\n"
            fieldset {
                legend { (text(&question.text)) }
                @for (word, point) in question.scale.iter().zip(1..) {
                    label {
                        input type="radio" name=(question.id) value=(point) required;
                        " " (point) " " (text(word))
                    }
                    "\n"
                }
            }
        }
        "\n"
    };
    page.into_string()
}
