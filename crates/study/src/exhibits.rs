//! The papers' tables and figures that a study makes, in their order.

use crate::agreement_tables::{agreement, named_categories, object_variants, parts_and_averages};
use crate::audited::{self, Audited};
use crate::components::{self, ComponentRun};
use crate::config::StudyConfig;
use crate::group_worst_cases::{by_groups, by_seed};
use crate::object_variants::VariantRun;
use crate::pair_figures::{detail_misses, near_misses, worst_cases};
use crate::paper_item::PaperItems;
use crate::rated::Rated;
use crate::scoring::System;
use crate::{averages_figure, class_tables, pooled, systems_table};
use neurogauge::core::option_words::option;
use neurogauge::report::figures::Picture;
use neurogauge::report::{ReportError, TextTable};
use neurogauge::{Error, RunSettings};

/// What a study has found.
pub(crate) struct Found<'a> {
    pub(crate) config: &'a StudyConfig,
    pub(crate) settings: &'a RunSettings,
    pub(crate) systems: &'a [System],
    pub(crate) rated: &'a [Rated<'a>],
    pub(crate) components: &'a [ComponentRun],
    pub(crate) variants: &'a [VariantRun],
    pub(crate) audits: &'a [Audited<'a>],
}

/// What became of an exhibit for one system.
pub(crate) enum Made {
    /// It is about other systems.
    Nothing,
    /// The inputs that it lacks.
    Needs(String),
    Table(TextTable),
    Figure(TextTable, Result<Picture, ReportError>),
    /// With the images of these pairs, and the lines beside them.
    Pairs(TextTable, Vec<(String, Vec<String>)>),
}

/// An exhibit that lacks inputs.
pub(crate) fn needs(inputs: impl Into<String>) -> Result<Made, Error> {
    Ok(Made::Needs(inputs.into()))
}

/// The place of an exhibit in the paper, the beginning of its files' name, which the system follows, and its maker.
type Exhibit<F> = (&'static str, &'static str, F);

enum Exhibits {
    /// For each rated system all of these.
    OfRated(&'static [Exhibit<fn(&Found<'_>, &Rated<'_>) -> Result<Made, Error>>]),
    OfSystem(Exhibit<fn(&Found<'_>, &System) -> Result<Made, Error>>),
    OfStudy(fn(&Found<'_>, &mut PaperItems) -> Result<(), Error>),
}
use Exhibits::{OfRated, OfStudy, OfSystem};

const EXHIBITS: [Exhibits; 17] = [
    OfRated(&[
        ("Table 1", "table1_agreement", |found, rated| agreement(found, rated, "Table 1")),
        ("Table 2", "table2_agreement", |found, rated| agreement(found, rated, "Table 2")),
    ]),
    OfStudy(pooled::table),
    OfRated(&[("Table 3", "table3_named_categories", named_categories)]),
    OfRated(&[("Table 4", "table4_object_variants", object_variants)]),
    OfRated(&[("Table 5", "table5_parts", parts_and_averages)]),
    OfStudy(systems_table::by_metrics),
    OfStudy(systems_table::by_dimension),
    OfStudy(systems_table::by_dataset),
    OfStudy(systems_table::beside_published),
    OfRated(&[("Figure 3", "figure3_components", components::figure)]),
    OfRated(&[("Figure 4", "figure4_worst_cases", worst_cases)]),
    OfSystem(("Figure 5", "figure5_near_misses", near_misses)),
    OfSystem(("Figure 6", "figure6_detail_misses", detail_misses)),
    OfRated(&[("Figure 8", "figure8_averages", averages_figure::figure)]),
    OfRated(&[
        ("Section 5.3", "table_classes", class_tables::means),
        ("Section 5.3", "table_class_pairs", class_tables::pairs),
    ]),
    OfRated(&[
        ("Figure 9", "figure9_group_worst_cases", by_groups),
        ("Figure 10", "figure10_seed_worst_cases", by_seed),
    ]),
    OfStudy(audited::tables),
];

/// The content of each exhibit. Headings add the system; missing items are listed without one.
const CONTENTS: [(&str, &str); 20] = [
    ("Table 1", "agreement with people"),
    ("Table 2", "agreement with people for a second system"),
    ("Table 3", "objects that a vision-language model names"),
    ("Table 4", "Object F1 with size, location and number"),
    ("Table 5", "parts of SEED and their averages"),
    ("Section 5.3", "pairs of the same and of different class"),
    ("Figure 3", "SEED with other components"),
    ("Figure 4", "worst cases of the parts of SEED"),
    ("Figure 5", "semantic near misses"),
    ("Figure 6", "right objects, wrong details"),
    ("Figure 8", "averages of two metrics"),
    ("Figure 9", "worst cases of groups of metrics"),
    ("Figure 10", "pairs that all parts of SEED misjudge"),
    ("v1 Table 3", "means beside published ones"),
    ("Table 6", "systems by metrics"),
    ("BASIC Table 1", "BASIC-H by dimension"),
    ("BASIC Tables 2, 3 and S2", "means beside published ones"),
    ("BASIC Figure 2", "BASIC-H against BASIC-L"),
    ("BASIC Figure S2", "stimuli by systems"),
    ("BASIC Figure S4", "BASIC by level"),
];

/// Makes all exhibits of SEED; those that lack inputs are listed with what they need.
pub(crate) fn make(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    for exhibits in &EXHIBITS {
        match exhibits {
            OfRated(exhibits) => {
                for rated in found.rated {
                    for (paper, file, maker) in *exhibits {
                        paper_items.add_made(rated.system.item(paper, file), rated.system, maker(found, rated)?)?;
                    }
                }
            }
            OfSystem((paper, file, maker)) => {
                for system in found.systems {
                    paper_items.add_made(system.item(paper, file), system, maker(found, system)?)?;
                }
            }
            OfStudy(maker) => maker(found, paper_items)?,
        }
    }
    match found.rated.len() {
        0 => {
            let ratings = format!(
                "human ratings of a system's reconstructions: [[ratings]] with system and file, or {}",
                option("human", "NAME=FILE")
            );
            let of_rated =
                EXHIBITS.iter().filter_map(|exhibits| if let OfRated(own) = exhibits { Some(*own) } else { None });
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

/// The content of a table or figure; the name of its part, which follows a colon, if it has no entry.
pub(crate) fn content(paper: &'static str) -> &'static str {
    let found = CONTENTS.iter().find(|(number, _)| *number == paper);
    found.map_or_else(|| paper.rsplit(": ").next().unwrap_or(paper), |(_, content)| content)
}

/// Words followed by the number with the paper's name; numbers without one are SEED's. Content that has no single place
/// in a paper has no number.
pub(crate) fn with_number(words: &str, paper: &str) -> String {
    match paper.split(": ").next().unwrap_or(paper) {
        "" | "BASIC" => words.to_owned(),
        number if number.starts_with("BASIC") => format!("{words} ({number})"),
        number => format!("{words} (SEED {number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_behind_the_words() {
        assert_eq!(content("Figure 5"), "semantic near misses");
        assert_eq!(with_number("Agreement with people: a", "Table 1"), "Agreement with people: a (SEED Table 1)");
        assert_eq!(with_number("By level", "BASIC Figure S4"), "By level (BASIC Figure S4)");
        assert_eq!(with_number("BASIC", "BASIC"), "BASIC");
        let rankings = "BASIC Figure 3: rankings";
        assert_eq!(with_number(content(rankings), rankings), "rankings (BASIC Figure 3)");
    }
}
