//! BASIC-H's F1 of each dimension, systems side by side (BASIC, Table 1).

use crate::paper_item::PaperItems;
use crate::scoring::System;
use crate::systems_table::by_stimuli;
use neurogauge::Error;
use neurogauge::core::Dimension;
use neurogauge::report::{Cell, TextTable};

const PAPER: &str = "BASIC Table 1";

/// A table for each set of systems that share their stimuli and have BASIC-H.
pub(crate) fn tables(systems: &[System], paper_items: &mut PaperItems) -> Result<(), Error> {
    for (place, group) in by_stimuli(systems).into_iter().enumerate() {
        let mut found = Vec::new();
        for system in &group {
            let scores = system.run.dimensions()?;
            if !scores.is_empty() {
                found.push((system.name.as_str(), scores));
            }
        }
        if found.is_empty() {
            continue;
        }
        let of = |dimension: Dimension| {
            let of_systems = found.iter();
            of_systems.map(move |(_, scores)| scores.iter().find(|of| of.dimension == dimension))
        };
        let rows = Dimension::ALL.into_iter();
        let rows = rows.filter(|dimension| of(*dimension).any(|scores| scores.is_some()));
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        let table = TextTable::of("BASIC-H's F1 by dimension", rows)
            .column("dimension", |dimension| Cell::text(dimension.label()))
            .columns(names.iter().map(|name| (*name).to_owned()), |dimension| {
                let scores = of(*dimension).map(|scores| scores.map(|scores| scores.f1));
                scores.map(Cell::number).collect::<Vec<Cell>>()
            })
            .noted(vec![
                "Sums over all pairs of a system; higher is better. Which element belongs to which dimension is a rule of this toolkit \
                 (convention basic-dimensions)."
                    .to_owned(),
            ]);
        let name = match place {
            0 => "table_basic_dimensions".to_owned(),
            _ => format!("table_basic_dimensions_{}", group[0].file_name),
        };
        paper_items.add(PAPER, name, &names.join(", "), table);
    }
    Ok(())
}
