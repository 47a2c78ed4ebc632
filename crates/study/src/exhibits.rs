//! The papers' tables and figures that a study makes, in their order.

use crate::agreement_tables::{agreement, named_categories, object_variants, parts_and_averages};
use crate::found::{Found, Made};
use crate::group_worst_cases::{by_groups, by_seed};
use crate::pair_figures::{detail_misses, near_misses, worst_cases};
use crate::paper_item::{PaperItems, Place};
use crate::rated::Rated;
use crate::scoring::System;
use crate::{audited, averages_figure, class_tables, components, pooled, systems_table};
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::report::figures::{ContactSheet, SheetRow};

/// Where the exhibit is in the paper, the prefix of its file name (the system follows), and the function that makes it.
type Exhibit<F> = (&'static str, &'static str, F);

type OfOneRated = fn(&Found<'_>, &Rated<'_>) -> Result<Made, Error>;
type OfOneSystem = fn(&Found<'_>, &System) -> Result<Made, Error>;

enum Exhibits {
    /// These are made for each rated system.
    Rated(&'static [Exhibit<OfOneRated>]),
    System(Exhibit<OfOneSystem>),
    Study(fn(&Found<'_>, &mut PaperItems) -> Result<(), Error>),
}

const EXHIBITS: [Exhibits; 17] = [
    Exhibits::Rated(&[
        ("Table 1", "table1_agreement", |found, rated| agreement(found, rated, "Table 1")),
        ("Table 2", "table2_agreement", |found, rated| agreement(found, rated, "Table 2")),
    ]),
    Exhibits::Study(pooled::table),
    Exhibits::Rated(&[("Table 3", "table3_named_categories", named_categories)]),
    Exhibits::Rated(&[("Table 4", "table4_object_variants", object_variants)]),
    Exhibits::Rated(&[("Table 5", "table5_parts", parts_and_averages)]),
    Exhibits::Study(systems_table::by_metrics),
    Exhibits::Study(systems_table::by_dimension),
    Exhibits::Study(systems_table::by_dataset),
    Exhibits::Study(systems_table::beside_published),
    Exhibits::Rated(&[("Figure 3", "figure3_components", components::figure)]),
    Exhibits::Rated(&[("Figure 4", "figure4_worst_cases", worst_cases)]),
    Exhibits::System(("Figure 5", "figure5_near_misses", near_misses)),
    Exhibits::System(("Figure 6", "figure6_detail_misses", detail_misses)),
    Exhibits::Rated(&[("Figure 8", "figure8_averages", averages_figure::figure)]),
    Exhibits::Rated(&[
        ("Section 5.3", "table_classes", class_tables::means),
        ("Section 5.3", "table_class_pairs", class_tables::pairs),
    ]),
    Exhibits::Rated(&[
        ("Figure 9", "figure9_group_worst_cases", by_groups),
        ("Figure 10", "figure10_seed_worst_cases", by_seed),
    ]),
    Exhibits::Study(audited::tables),
];

/// Makes all exhibits of SEED; those whose inputs are missing are listed with what they need.
pub(crate) fn make(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    for exhibits in &EXHIBITS {
        match exhibits {
            Exhibits::Rated(exhibits) => {
                for rated in found.rated {
                    for (paper, file, maker) in *exhibits {
                        add(paper_items, rated.system.item(paper, file), rated.system, maker(found, rated)?)?;
                    }
                }
            }
            Exhibits::System((paper, file, maker)) => {
                for system in found.systems {
                    add(paper_items, system.item(paper, file), system, maker(found, system)?)?;
                }
            }
            Exhibits::Study(maker) => maker(found, paper_items)?,
        }
    }
    match found.rated.len() {
        0 => {
            let ratings = format!(
                "human ratings of a system's reconstructions: [[ratings]] with system and file, or {}",
                option("human", "NAME=FILE")
            );
            let of_rated = EXHIBITS.iter().filter_map(|exhibits| {
                if let Exhibits::Rated(own) = exhibits {
                    Some(*own)
                } else {
                    None
                }
            });
            for (paper, ..) in of_rated.flatten().filter(|(paper, ..)| !paper.starts_with("Section")) {
                paper_items.absent(paper, "", ratings.as_str());
            }
        }
        1 => paper_items.absent(
            "Table 2",
            "",
            "human ratings of a second system, such as one of another dataset (a system may have its own gt)",
        ),
        _ => {}
    }
    Ok(())
}

/// Adds an exhibit of a system. The images of pairs are rows; the table's notes become the caption.
fn add(paper_items: &mut PaperItems, place: Place<'_>, system: &System, made: Made) -> Result<(), Error> {
    match made {
        Made::Nothing => {}
        Made::Needs(needs) => paper_items.absent(place.0, &system.name, needs),
        Made::Table(table) => paper_items.add(place, table),
        Made::Figure(table, drawn) => paper_items.add_with_figure(place, table, drawn),
        Made::Pairs(table, pairs) => {
            let mut sheet = None;
            if system.views.has_images() {
                let row = |(stem, lines): (String, _)| {
                    let images = system.views.images(&stem)?;
                    Ok(SheetRow { images, lines })
                };
                sheet = Some(ContactSheet {
                    title: table.title.clone(),
                    columns: ["stimulus", "reconstruction"].map(str::to_owned).to_vec(),
                    rows: pairs.into_iter().map(row).collect::<Result<_, Error>>()?,
                    caption: table.notes.join(" "),
                });
            }
            paper_items.add_with_images(place, table, sheet);
        }
    }
    Ok(())
}
