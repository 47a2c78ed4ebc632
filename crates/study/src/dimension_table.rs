//! BASIC-H by dimension, systems side by side (BASIC, Table 1).

use crate::config::StudyConfig;
use crate::paper_item::PaperItems;
use crate::scoring::System;
use crate::systems_table::{by_stimuli, options, suffix};
use neurogauge::metrics::BASIC_H;
use neurogauge::report::{Format, TextTable};
use neurogauge::{CompareOptions, Error, compare_runs, have_dimensions};

const PAPER: &str = "BASIC Table 1";

/// Tables for each set of systems that share their stimuli and have BASIC-H: F1 with intervals, and differences.
pub(crate) fn tables(config: &StudyConfig, systems: &[System], paper_items: &mut PaperItems) -> Result<(), Error> {
    for (place, group) in by_stimuli(systems).into_iter().enumerate() {
        let mut known = Vec::new();
        for system in group {
            if have_dimensions([&system.run])? {
                known.push(system);
            }
        }
        let names: Vec<String> = known.iter().map(|system| system.name.clone()).collect();
        let tables: Vec<TextTable> = match known.as_slice() {
            [] => continue,
            [alone] => alone.run.dimension_table()?.into_iter().collect(),
            several => {
                let runs: Vec<_> = several.iter().map(|system| &system.run).collect();
                let options = CompareOptions {
                    metrics: vec![BASIC_H.to_owned()],
                    by_dimension: true,
                    ..options(config)
                };
                compare_runs(names.clone(), &runs, &options)?.dimension_tables(Format::Markdown)
            }
        };
        for (file, table) in ["table_basic_dimensions", "table_basic_dimension_differences"].into_iter().zip(tables) {
            paper_items.add((PAPER, format!("{file}{}", suffix(place, known[0])), &names.join(", ")), table);
        }
    }
    Ok(())
}
