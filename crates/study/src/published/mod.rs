//! The values printed in the SEED and BASIC papers, to show beside the same quantities of a study.
//!
//! The program cannot know whose reconstructions are in a folder, so the configuration says it: `published` of a system
//! names the row in the papers' tables, and `published` of ratings names the survey.

use crate::config::StudyConfig;
use itertools::Itertools;

pub(crate) const SOURCE: &str = "Park et al. (2026), SEED, ICLR";

const AGREEMENT: &str = include_str!("agreement.tsv");

/// A paper's table of systems by metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SystemValues {
    /// The paper's tables, written as in a study's items.
    pub(crate) paper: &'static str,
    /// Name of the files made from them.
    pub(crate) file: &'static str,
    /// The source of the values, and the data behind them.
    pub(crate) note: &'static str,
    values: &'static str,
}

/// The papers that print means for systems.
pub(crate) const PAPERS: [SystemValues; 3] = [
    SystemValues {
        paper: "Table 6",
        file: "table6_published",
        note: "Published: Park et al. (2026), SEED, ICLR, Table 6, from reconstructions of the authors' pretrained models; \
               MindEye2's there are of 1000 images, the others' of 982.",
        values: include_str!("systems.tsv"),
    },
    SystemValues {
        paper: "v1 Table 3",
        file: "table3_v1_published",
        note: "Published: Park et al. (2025), SEED, arXiv, version 1, Table 3, percentages as shares. The authors trained these \
               models again, with a shared latent space of 1024 dimensions and without MindEye2's low-level pipeline, as they are \
               and with the pairwise hinge loss.",
        values: include_str!("systems_v1.tsv"),
    },
    SystemValues {
        paper: "BASIC Tables 2, 3 and S2",
        file: "table_basic_published",
        note: "Published: Xia and Oztireli (2025), BASIC, arXiv, Tables 2, 3 and S2 (MindEye2's masks: S13), percentages as shares. Captions by \
               LLaVA-1.6-13B, held against captions that people corrected; masks by Grounded SAM 2 with thresholds 0.25 and 0.30. \
               Levels of masks stand only where they are known to give the printed BASIC-L.",
        values: include_str!("basic.tsv"),
    },
];

/// A survey for which the paper prints how well metrics agree with people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Its name in configurations.
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    /// The table of all metrics.
    pub(crate) agreement: &'static str,
}

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

/// The survey that the configuration names for a system's ratings.
pub(crate) fn survey_of(config: &StudyConfig, system: &str) -> Option<&'static Survey> {
    let id = config.ratings_of(system)?.published.as_deref()?;
    SURVEYS.iter().find(|survey| survey.id == id)
}

/// Pairwise accuracy, Kendall's τ-b and Pearson's r in a survey's table; `key` is a metric, two joined by `+`, or an
/// option.
pub(crate) fn agreement(survey: &Survey, table: &str, key: &str) -> Option<[f64; 3]> {
    let line = lines(AGREEMENT).find(|fields| fields.starts_with(&[survey.id, table, key]))?;
    let value = |place: usize| line.get(place)?.parse().ok();
    Some([value(3)?, value(4)?, value(5)?])
}

/// Does a table print values of a survey?
pub(crate) fn has_table(survey: &Survey, table: &str) -> bool {
    lines(AGREEMENT).any(|fields| fields.starts_with(&[survey.id, table]))
}

/// Mean z-scores of EffNet and of people over pairs of the same and of different classes, Section 5.3.
pub(crate) fn class_means(survey: &Survey) -> Option<[(f64, f64); 2]> {
    (survey.id == "seed-nsd").then_some([(0.755, 0.313), (-0.333, -0.138)])
}

impl SystemValues {
    /// A system's mean by a metric, and its number of decimals.
    pub(crate) fn of(&self, system: &str, metric: &str) -> Option<(f64, usize)> {
        let mut lines = lines(self.values);
        let place = lines.next()?.iter().position(|id| *id == metric)?;
        let line = lines.find(|fields| fields[0] == system)?;
        let digits = line.get(place)?;
        let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
        Some((digits.parse().ok()?, decimals))
    }

    pub(crate) fn systems(&self) -> impl Iterator<Item = &'static str> {
        lines(self.values).skip(1).map(|fields| fields[0])
    }
}

/// The systems of all papers, without duplicates.
pub(crate) fn systems() -> Vec<&'static str> {
    PAPERS.iter().flat_map(SystemValues::systems).unique().collect()
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
        assert_eq!(agreement(nsd, "Table 1", "seed"), Some([0.81, 0.621, 0.813]));
        assert_eq!(agreement(god, "Table 2", "ssim"), Some([0.492, -0.013, -0.103]));
        assert_eq!(agreement(nsd, "Table 4", "number"), Some([0.747, 0.493, 0.648]));
        assert_eq!(agreement(god, "Table 1", "seed"), None);
        // The paper prints two values of Pearson's r for Cap-Sim.
        let cap_sim = |table| agreement(nsd, table, "cap_sim").map(|values| values[2]);
        assert_eq!((cap_sim("Table 1"), cap_sim("Table 5")), (Some(0.666), Some(0.683)));
        let [seed, v1, basic] = &PAPERS;
        assert_eq!(seed.of("MindEye2", "inception"), Some((0.951, 3)));
        assert_eq!(seed.of("BrainGuard", "sdm"), Some((0.092, 3)));
        assert_eq!(seed.of("mine", "sdm"), None);
        assert_eq!(basic.of("MindEye2", "inception"), Some((0.954, 3)));
        assert_eq!(basic.of("NeuroVLA", "basic_h"), Some((0.4788, 4)));
        assert_eq!(basic.of("NeuroVLA", "salient_iou"), None);
        assert_eq!(basic.of("MindEye2", "part_ap"), Some((0.1103, 4)));
        assert_eq!(v1.of("UniBrain, reproduced", "pixcorr"), Some((0.138, 3)));
        let with_loss = "UniBrain, reproduced with hinge loss";
        assert_eq!(v1.of(with_loss, "alexnet2"), Some((0.854, 3)));
        assert_eq!(v1.of(with_loss, "seed"), Some((0.387, 3)));
        let counts = PAPERS.map(|paper| paper.systems().count());
        assert_eq!(counts, [5, 6, 16]);
        assert_eq!(systems().len(), 22);
    }

    #[test]
    fn every_field_can_be_read() {
        assert!(lines(AGREEMENT).all(|fields| fields.len() == 6));
        for fields in lines(AGREEMENT).skip(1) {
            let survey = SURVEYS.iter().find(|survey| survey.id == fields[0]).unwrap();
            assert!(agreement(survey, fields[1], fields[2]).is_some(), "{fields:?}");
        }
        for paper in &PAPERS {
            let ids = lines(paper.values).next().unwrap();
            for fields in lines(paper.values).skip(1) {
                assert_eq!(fields.len(), ids.len(), "{fields:?}");
                for (id, field) in ids.iter().zip(&fields).skip(1) {
                    assert!(neurogauge::metrics::find(id).is_some(), "{id}");
                    let value = paper.of(fields[0], id).map(|(value, _)| value);
                    assert_eq!(value, field.parse().ok(), "{id}");
                }
            }
        }
    }

    /// The scores of BASIC can be computed from the parts printed beside them.
    #[test]
    fn parts_of_basic_give_its_scores() {
        let [.., basic] = &PAPERS;
        let h = [("basic_object_f1", 0.4), ("basic_attribute_f1", 0.4), ("basic_relation_f1", 0.2)];
        let l = [("salient_iou", 0.3), ("semantic_iou", 0.25), ("instance_iou", 0.25), ("part_iou", 0.2)];
        let mut n_with_levels = 0;
        for system in basic.systems() {
            for (score, parts) in [("basic_h", &h[..]), ("basic_l", &l[..])] {
                let weighted = |(id, weight): &(&str, f64)| Some(weight * basic.of(system, id)?.0);
                let Some(sum) = parts.iter().map(weighted).sum::<Option<f64>>() else {
                    assert_eq!(score, "basic_l", "{system}");
                    continue;
                };
                n_with_levels += usize::from(score == "basic_l");
                let (printed, _) = basic.of(system, score).unwrap();
                assert!((sum - printed).abs() < 1.1e-4, "{system} {score}: {sum}");
            }
        }
        assert_eq!(n_with_levels, 7);
    }
}
