//! What the SEED paper prints, as it prints it, to stand beside the same quantities of a study.
//!
//! Nobody can tell from a folder whose reconstructions are in it, so the configuration says it: `published` of a system names the
//! row of Table 6, `published` of ratings the survey that they are.

use crate::config::StudyConfig;

/// Where the values are printed.
pub(crate) const SOURCE: &str = "Park et al. (2026), SEED, ICLR";

const AGREEMENT: &str = include_str!("agreement.tsv");
const SYSTEMS: &str = include_str!("systems.tsv");

/// A survey whose agreement with metrics the paper prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Survey {
    /// As a configuration calls it.
    pub(crate) id: &'static str,
    /// What it asked about.
    pub(crate) about: &'static str,
    /// The table of all metrics.
    pub(crate) agreement: &'static str,
}

/// The paper's two surveys.
pub(crate) const SURVEYS: [Survey; 2] = [
    Survey {
        id: "seed-nsd",
        about: "MindEye2's reconstructions of NSD, 1000 pairs, 22 raters",
        agreement: "Table 1",
    },
    Survey {
        id: "seed-god",
        about: "Mind-Vis's reconstructions of GOD, 50 pairs, 10 raters",
        agreement: "Table 2",
    },
];

/// The survey that the ratings of a system are said to be.
pub(crate) fn survey_of(config: &StudyConfig, system: &str) -> Option<&'static Survey> {
    let id = config.ratings_of(system)?.published.as_deref()?;
    SURVEYS.iter().find(|survey| survey.id == id)
}

/// Pairwise accuracy, Kendall's τ-b and Pearson's r in a table of a survey; `key` is a metric, two joined by `+`, or an option.
pub(crate) fn agreement(survey: &Survey, table: &str, key: &str) -> Option<[f64; 3]> {
    let line = lines(AGREEMENT).find(|fields| fields.starts_with(&[survey.id, table, key]))?;
    let value = |place: usize| line.get(place)?.parse().ok();
    Some([value(3)?, value(4)?, value(5)?])
}

/// Does a table print values of a survey?
pub(crate) fn has_table(survey: &Survey, table: &str) -> bool {
    lines(AGREEMENT).any(|fields| fields.starts_with(&[survey.id, table]))
}

/// Means of z-scores of EffNet and of people over pairs of the same and of different class, Section 5.3.
pub(crate) fn class_means(survey: &Survey) -> Option<[(f64, f64); 2]> {
    (survey.id == "seed-nsd").then_some([(0.755, 0.313), (-0.333, -0.138)])
}

/// A system's mean by a metric, Table 6.
pub(crate) fn of_system(system: &str, metric: &str) -> Option<f64> {
    let place = lines(SYSTEMS).next()?.iter().position(|id| *id == metric)?;
    let line = lines(SYSTEMS).skip(1).find(|fields| fields[0] == system)?;
    line.get(place)?.parse().ok()
}

/// The systems of Table 6.
pub(crate) fn systems() -> Vec<&'static str> {
    lines(SYSTEMS).skip(1).map(|fields| fields[0]).collect()
}

fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_that_the_paper_prints() {
        let [nsd, god] = &SURVEYS;
        assert_eq!(
            agreement(nsd, "Table 1", "seed"),
            Some([0.81, 0.621, 0.813])
        );
        assert_eq!(
            agreement(god, "Table 2", "ssim"),
            Some([0.492, -0.013, -0.103])
        );
        assert_eq!(
            agreement(nsd, "Table 4", "number"),
            Some([0.747, 0.493, 0.648])
        );
        assert_eq!(agreement(god, "Table 1", "seed"), None);
        // The paper prints two values of Pearson's r for Cap-Sim.
        let cap_sim = |table| agreement(nsd, table, "cap_sim").map(|values| values[2]);
        assert_eq!(
            (cap_sim("Table 1"), cap_sim("Table 5")),
            (Some(0.666), Some(0.683))
        );
        assert_eq!(of_system("MindEye2", "inception"), Some(0.951));
        assert_eq!(of_system("BrainGuard", "sdm"), Some(0.092));
        assert_eq!(of_system("mine", "sdm"), None);
        assert_eq!(systems().len(), 5);
    }

    #[test]
    fn every_field_can_be_read() {
        assert!(lines(AGREEMENT).all(|fields| fields.len() == 6));
        for fields in lines(AGREEMENT).skip(1) {
            let survey = SURVEYS
                .iter()
                .find(|survey| survey.id == fields[0])
                .unwrap();
            assert!(
                agreement(survey, fields[1], fields[2]).is_some(),
                "{fields:?}"
            );
        }
        let ids = lines(SYSTEMS).next().unwrap();
        for (system, id) in systems()
            .iter()
            .flat_map(|s| ids[1..].iter().map(move |id| (s, id)))
        {
            assert!(neurogauge::metrics::find(id).is_some(), "{id}");
            assert!(of_system(system, id).is_some(), "{system} {id}");
        }
    }
}
