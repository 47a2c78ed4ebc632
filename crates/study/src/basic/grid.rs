//! A grid of stimuli with each system's reconstructions (BASIC, Figs. 4 and S2).

use crate::paper_item::PaperItems;
use crate::shown_metrics::label;
use crate::systems_table::SystemGroup;
use neurogauge::report::figures::{ContactSheet, SheetRow};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Run};

const PAPER: &str = "BASIC Figure S2";

/// The most comprehensive score first.
const SCORES: [&str; 3] = ["basic", "basic_h", "basic_l"];

/// A row for each requested stimulus, or for the first `n`.
pub(crate) fn figure(
    group: &SystemGroup<'_>,
    configuration: &str,
    runs: &[&Run],
    (asked, n): (&[String], usize),
    paper_items: &mut PaperItems,
) -> Result<(), Error> {
    let about = group.about();
    let has = |id: &&&str| runs.iter().all(|run| run.scores.column(id).is_some());
    let (Some(&score), Some(first)) = (SCORES.iter().find(has), runs.first()) else {
        paper_items.absent(PAPER, &about, "a score of BASIC that all systems have");
        return Ok(());
    };
    let shared = |stem: &&String| runs.iter().all(|run| run.scores.pairs.contains(stem));
    let pairs = || first.scores.pairs.iter().filter(shared);
    if let Some(unknown) = asked.iter().find(|stem| !pairs().any(|pair| pair == *stem)) {
        return Err(Error::Usage(format!(
            "basic.stimuli: {unknown:?} is no stimulus of all of {about}; the first is {:?}",
            pairs().next().map_or("", String::as_str)
        )));
    }
    let stems: Vec<&String> = match asked {
        [] => pairs().take(n).collect(),
        asked => asked.iter().collect(),
    };
    let value = |run: &Run, stem: &str| {
        let place = run.scores.pairs.iter().position(|pair| pair == stem)?;
        run.scores.column(score)?[place].as_ref().ok().copied()
    };
    let views: Vec<_> = group.systems.iter().map(|system| &system.views).collect();
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for stem in stems {
        let of_stem: Vec<Option<f64>> = runs.iter().map(|run| value(run, stem)).collect();
        if views.iter().all(|views| views.has_images()) {
            let mut images = Vec::with_capacity(views.len() + 1);
            for (place, views) in views.iter().enumerate() {
                images.extend(views.images(stem)?.into_iter().skip(usize::from(place > 0)));
            }
            let mut lines = vec![stem.clone()];
            lines.extend(group.names.iter().zip(&of_stem).map(|(name, value)| match value {
                Some(value) => format!("{name}: {} {value:.3}", label(score)),
                None => format!("{name}: no {}", label(score)),
            }));
            rows.push(SheetRow { images, lines });
        }
        values.push((stem, of_stem));
    }
    let title = format!("{} of single stimuli: {configuration}", label(score));
    let table = Table::of(&title, values)
        .column("Stimulus", |(stem, _)| Cell::text(*stem))
        .columns(group.names.clone(), |(_, values)| values.iter().map(Cell::number).collect::<Vec<_>>())
        .noted(Vec::new());
    let sheet = (!rows.is_empty()).then(|| ContactSheet {
        title,
        columns: [String::from("stimulus")].into_iter().chain(group.names.clone()).collect(),
        rows,
        caption: String::new(),
    });
    let name = format!("figure_basic_grid{}", group.suffix);
    paper_items.add_with_images((PAPER, name, &about), table, sheet);
    Ok(())
}
