//! SEED under each choice of components: numbers and bars (SEED, Fig. 3).

use crate::agreement_tables::{STATISTICS, StatisticsTable, of_people};
use crate::choices::ComponentChoices;
use crate::components::ComponentRun;
use crate::paper_item::PaperItems;
use crate::rated::Rated;
use neurogauge::report::TextTable;
use neurogauge::report::figures::{Bar, Bars};
use neurogauge::stats::meta::{Statistic, figure_of};

const PAPER: &str = "Figure 3";

/// The figure of a rated system.
pub(crate) fn figure(
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
    let bars = Bars {
        title: format!("SEED with other components: {about}"),
        y_label: "agreement with people".to_owned(),
        groups: STATISTICS.map(|s| s.label().to_owned()).to_vec(),
        series: runs.iter().map(|run| run.label.clone()).collect(),
        bars: STATISTICS.iter().map(|statistic| runs.iter().map(|run| bar(run, *statistic)).collect()).collect(),
        caption: format!("{}. {}{}", components(choices), of_people(rated), stand_in_note(&runs)),
    };
    let table = text_table(rated, choices, &runs);
    paper_items.add_with_figure(rated.system.item(PAPER, "figure3_components"), table, bars.draw());
}

fn bar(run: &ComponentRun, statistic: Statistic) -> Bar {
    let found = figure_of(&run.statistics, statistic);
    found.map_or_else(Bar::default, |found| Bar::estimate(&found.value, found.interval))
}

/// Which components differ, in the order of the names.
fn components(choices: &ComponentChoices) -> String {
    let chosen = choices.by_component().into_iter().filter(|(_, choices)| !choices.is_empty());
    let names: Vec<String> = chosen.map(|(component, _)| component.key().replace('_', " ")).collect();
    let mut names = names.join(" + ");
    if let Some(first) = names.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    names
}

fn stand_in_note(runs: &[&ComponentRun]) -> &'static str {
    if runs.iter().any(|run| run.stand_in) {
        " Some rest on a placeholder model: these bars mean nothing."
    } else {
        ""
    }
}

fn text_table(rated: &Rated<'_>, choices: &ComponentChoices, runs: &[&ComponentRun]) -> TextTable {
    let mut table = StatisticsTable::new(rated, None);
    for run in runs {
        let dagger = if run.stand_in { "†" } else { "" };
        let shown = format!("{}{dagger}", run.label);
        table.estimates(shown, &run.label, "", &run.statistics, run.n_items);
    }
    let has_stand_in = runs.iter().any(|run| run.stand_in);
    let note = has_stand_in.then_some("† rests on a placeholder model: the numbers mean nothing.");
    let title = format!("SEED with other components: {}", rated.system.name);
    table.finished(title, &components(choices), true, note)
}
