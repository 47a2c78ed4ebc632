//! Runs that are subjects of one system.

use crate::Error;
use indexmap::IndexMap;
use neurogauge_core::name_pattern::SubjectPattern;
use neurogauge_core::option_words::option;
use neurogauge_report::{RowSubject, SystemRow};
use neurogauge_stats::{FEWEST_SUBJECTS, SubjectPopulation};
use serde::Serialize;

/// A system and the runs of its subjects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SystemSubjects {
    pub system: String,
    /// The names of its subjects, in the order of their runs.
    pub subjects: Vec<String>,
    #[serde(skip)]
    pub(super) runs: Vec<usize>,
}

/// The systems, in the order of their first runs.
pub(super) fn grouped(pattern: &SubjectPattern, runs: &[String]) -> Result<Vec<SystemSubjects>, Error> {
    let option = option("subjects", &pattern.to_string()).to_string();
    let mut systems: IndexMap<&str, SystemSubjects> = IndexMap::new();
    for (place, run) in runs.iter().enumerate() {
        let Some((system, subject)) = pattern.of(run) else {
            return Err(Error::Usage(format!(
                "the run {:?} is not called as {option} says; expected a pattern that all runs follow, with {{system}} and {{subject}} where \
                 these are named",
                pattern.end_of(run)
            )));
        };
        let own = systems.entry(system).or_insert_with(|| SystemSubjects {
            system: system.to_owned(),
            subjects: Vec::new(),
            runs: Vec::new(),
        });
        if own.subjects.iter().any(|known| known == subject) {
            return Err(Error::Usage(format!(
                "two runs are of subject {subject:?} of {system:?} by {option}; expected one for each subject"
            )));
        }
        own.subjects.push(subject.to_owned());
        own.runs.push(place);
    }
    if let Some(alone) = systems.values().find(|system| system.subjects.len() < 2) {
        return Err(Error::Usage(format!(
            "{:?} has one subject by {option}; expected two or more of every system",
            alone.system
        )));
    }
    Ok(systems.into_values().collect())
}

/// Puts the subjects of every system in the order of the first system's, if they are the same subjects.
pub(super) fn in_one_order(systems: &mut [SystemSubjects]) {
    let Some((first, others)) = systems.split_first_mut() else {
        return;
    };
    for other in others {
        let place = |subject: &String| other.subjects.iter().position(|own| own == subject);
        let places: Option<Vec<usize>> = first.subjects.iter().map(place).collect();
        if let Some(places) = places.filter(|places| places.len() == other.subjects.len()) {
            other.runs = places.iter().map(|&place| other.runs[place]).collect();
            other.subjects.clone_from(&first.subjects);
        }
    }
}

/// The names of the subjects that all systems have in the same order; empty if they differ.
pub(super) fn same_names(systems: Option<&[SystemSubjects]>) -> Vec<String> {
    match systems {
        Some([first, others @ ..]) if others.iter().all(|of| of.subjects == first.subjects) => first.subjects.clone(),
        _ => Vec::new(),
    }
}

/// The names of runs in tables.
pub(super) fn run_names(systems: &[SystemSubjects], n_runs: usize) -> Vec<String> {
    let mut names = vec![String::new(); n_runs];
    for system in systems {
        for (subject, &run) in system.subjects.iter().zip(&system.runs) {
            names[run] = SystemRow {
                system: system.system.clone(),
                subject: Some(RowSubject::One(subject.clone())),
                estimates: Vec::new(),
                rank: None,
                undefined: None,
            }
            .name();
        }
    }
    names
}

/// Notes on the population that means over subjects refer to, and on what they cannot show.
pub(super) fn notes(systems: &[SystemSubjects], population: SubjectPopulation) -> Vec<String> {
    let first = &systems[0].subjects;
    let differ = systems.iter().find(|system| system.subjects != *first);
    let differ = differ.map(|other| {
        format!(
            "subjects differ: {} has {}, {} has {}; their difference is one of systems and of subjects",
            systems[0].system,
            first.join(", "),
            other.system,
            other.subjects.join(", ")
        )
    });
    let few = systems.iter().find(|s| s.subjects.len() < FEWEST_SUBJECTS);
    let few = few.filter(|_| population == SubjectPopulation::New);
    let few = few.map(|system| {
        format!(
            "no interval or test for new subjects: {} has {} subjects, and fewer than {FEWEST_SUBJECTS} say too little of how subjects differ (in \
             simulations of four, resampling covers 83% to 97% and Student's t 91% to 95%)",
            system.system,
            system.subjects.len()
        )
    });
    differ.into_iter().chain(few).collect()
}
