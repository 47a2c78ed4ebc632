//! SEED under each choice of components: numbers and bars (SEED, Fig. 3).

use super::agreement_tables::{COUNTED, STATISTICS, marked, of_people};
use super::choices::ComponentChoices;
use super::components::ComponentRun;
use super::paper_item::{PaperItems, PaperPicture};
use super::rated::Rated;
use neurogauge_report::figures::{Bar, Bars};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::{Statistic, figure_of};

const PAPER: &str = "Figure 3";

/// The figure of a rated system.
pub(super) fn figure(
    rated: &Rated<'_>,
    choices: &ComponentChoices,
    runs: &[ComponentRun],
    paper_items: &mut PaperItems,
) {
    let about = &rated.system.name;
    let runs: Vec<&ComponentRun> = runs.iter().filter(|run| run.system == *about).collect();
    if runs.len() < 2 {
        paper_items.absent(
            PAPER,
            about,
            "two or more choices of a component: [[choices.detector]], [[choices.captioner]] or \
             [[choices.text_encoder]], each with what it found or a model that runs here",
        );
        return;
    }
    let name = format!("figure3_components_{}", rated.system.file_name);
    let people = of_people(rated);
    let bars = Bars {
        title: format!("SEED with other components: {about}"),
        y_label: "agreement with people".to_owned(),
        groups: STATISTICS.map(|s| s.label().to_owned()).to_vec(),
        series: runs.iter().map(|run| run.label.clone()).collect(),
        bars: STATISTICS
            .iter()
            .map(|statistic| runs.iter().map(|run| bar(run, *statistic)).collect())
            .collect(),
        caption: format!("{}. {people}{}", components(choices), stand_in_note(&runs)),
    };
    let picture = paper_items.drawn(&name, bars.draw(), PaperPicture::Drawn);
    let table = text_table(rated, choices, &runs, people);
    paper_items.add(PAPER, name, about, table, picture);
}

fn bar(run: &ComponentRun, statistic: Statistic) -> Bar {
    let found = figure_of(&run.statistics, statistic);
    found.map_or_else(Bar::default, |found| Bar {
        value: found.value.as_ref().ok().copied(),
        interval: found.interval,
    })
}

/// Which components differ, in the order of the names.
fn components(choices: &ComponentChoices) -> String {
    let chosen = choices.by_component().into_iter();
    let chosen = chosen.filter(|(_, choices)| !choices.is_empty());
    let names: Vec<String> = chosen
        .map(|(component, _)| component.key().replace('_', " "))
        .collect();
    let mut names = names.join(" + ");
    if let Some(first) = names.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    names
}

fn stand_in_note(runs: &[&ComponentRun]) -> &'static str {
    if runs.iter().any(|run| run.stand_in) {
        " Some rest on a stand-in model: these bars mean nothing."
    } else {
        ""
    }
}

fn text_table(
    rated: &Rated<'_>,
    choices: &ComponentChoices,
    runs: &[&ComponentRun],
    people: String,
) -> TextTable {
    let level = rated.meta.record.result.options.bootstrap.level * 100.0;
    let mut headings = vec![components(choices)];
    headings.extend(STATISTICS.map(|s| format!("{} [{level}% interval]", s.label())));
    headings.push("n".to_owned());
    let mut notes = vec![people, COUNTED.to_owned()];
    let mut rows = Vec::new();
    for run in runs {
        let dagger = if run.stand_in { "†" } else { "" };
        let mut row = vec![Cell::text(format!("{}{dagger}", run.label))];
        for statistic in STATISTICS {
            let found = figure_of(&run.statistics, statistic);
            if let Some(Err(reason)) = found.map(|found| &found.value) {
                notes.push(format!("{}, {}: {reason}", run.label, statistic.label()));
            }
            row.push(found.map_or(Cell::Missing, |f| Cell::estimate(&f.value, f.interval)));
        }
        row.push(Cell::Count(run.n_items));
        rows.push(row);
    }
    let has_stand_in = runs.iter().any(|run| run.stand_in);
    if has_stand_in {
        notes.push("† rests on a stand-in model: the numbers mean nothing.".to_owned());
    }
    let table = TextTable {
        title: format!("SEED with other components: {}", rated.system.name),
        headings,
        rows,
        notes,
    };
    marked(table, has_stand_in)
}
