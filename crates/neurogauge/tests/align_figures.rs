//! Figures of alignments of simulated recordings.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use neurogauge::align::{
    AlignConfig, Alignment, SourceFeatures, SourceFiles, SourceState, Study, TrialOrder,
    UnitTrials, align_study,
};
use neurogauge::alignment::{SimulatedRegion, Simulation, SimulationOptions};
use neurogauge::core::Seed;
use neurogauge::{NamedPicture, Silent};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Strokes of the first, second and third curve, and of the lines of legends.
const FIRST: &str = "#0072B2";
const SECOND: &str = "#D55E00";
const THIRD: &str = "#009E73";

/// Subjects with some regions, and models: name, architecture, and the seed of an untrained one.
fn align(
    n_subjects: usize,
    rois: &[&str],
    models: &[(&str, Option<&str>, Option<u64>)],
    null: usize,
    folder: &Path,
) -> Alignment {
    let region = |roi: &&str| SimulatedRegion {
        hemisphere: "lh".to_owned(),
        roi: (*roi).to_owned(),
        n_voxels: 12,
    };
    let simulation = Simulation::new(SimulationOptions {
        n_stimuli: 40,
        n_subjects,
        regions: rois.iter().map(region).collect(),
        shared: vec![1.0, 0.8, 0.6],
        private: vec![0.3],
        noise: 0.8,
        shared_noise: vec![0.3],
        repeats: vec![2, 3],
        n_sessions: 2,
        seed: Seed(3),
    })
    .unwrap();
    let mut config = AlignConfig::default();
    config.settings.outer_folds = 3;
    config.settings.partitions = 4;
    config.settings.prefixes = 6;
    config.settings.null = null;
    config.settings.resamples = 50;
    config.settings.subspace.alphas = vec![10.0, 1000.0];
    let mut sources = Vec::new();
    for (set, &(name, architecture, seed)) in models.iter().enumerate() {
        let n_spanned = if seed.is_some() { 1 } else { 3 };
        let spanned: Vec<usize> = (0..n_spanned).collect();
        sources.push(SourceFeatures {
            name: name.to_owned(),
            features: simulation.features(&spanned, 15, 0.3, set as u64).unwrap(),
            blocks: vec![("features".to_owned(), 15)],
        });
        config.sources.push(SourceFiles {
            name: name.to_owned(),
            architecture: architecture.map(str::to_owned),
            state: match seed {
                Some(_) => SourceState::Random,
                None => SourceState::Pretrained,
            },
            seed,
            ..SourceFiles::default()
        });
    }
    let places = (0..n_subjects).flat_map(|subject| (0..rois.len()).map(move |roi| (subject, roi)));
    let units = places.map(|(subject, roi)| {
        let unit = simulation.unit(subject, roi).unwrap();
        let mut stimuli = vec![0; unit.trials.n_trials()];
        for (stimulus, trials) in unit.trials.repeats().iter().enumerate() {
            trials.iter().for_each(|&trial| stimuli[trial] = stimulus);
        }
        UnitTrials {
            trials: unit.trials,
            order: Arc::new(TrialOrder {
                stimuli,
                sessions: unit.sessions,
                runs: Vec::new(),
            }),
        }
    });
    let study = Study {
        stimuli: (0..40).collect(),
        units: units.collect(),
        sources,
    };
    align_study(&study, &config, folder, &Silent).unwrap()
}

fn two_architectures(folder: &Path) -> Alignment {
    let models = [
        ("a", Some("A"), None),
        ("a 0", Some("A"), Some(0)),
        ("a 1", Some("A"), Some(1)),
        ("b", Some("B"), None),
        ("b 0", Some("B"), Some(0)),
    ];
    align(3, &["V1v", "hV4"], &models, 3, folder)
}

fn svg<'a>(pictures: &'a [NamedPicture], name: &str) -> &'a str {
    let mut found = pictures.iter().filter(|picture| picture.name == name);
    &found.next().unwrap().picture.svg
}

/// How often these words stand alone.
fn count(svg: &str, label: &str) -> usize {
    svg.lines().filter(|line| line.trim() == label).count()
}

/// Curves in this colour, and their line in the legend.
fn strokes(svg: &str, colour: &str) -> usize {
    let lines = svg.lines().filter(|line| line.starts_with("<polyline"));
    let own = lines.filter(|line| line.contains(colour) && line.contains("stroke-width=\"16\""));
    own.count()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder.join("figures")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_panel_for_each_architecture_and_region() {
    let dir = tempfile::tempdir().unwrap();
    let alignment = two_architectures(dir.path());
    let (pictures, warnings) = alignment.figures();
    assert!(warnings.is_empty(), "{warnings:?}");

    let curves = svg(&pictures, "recovery_curves");
    for colour in [FIRST, SECOND, THIRD] {
        assert_eq!(strokes(curves, colour), 2 + 1, "{colour}");
    }
    let once = [
        "A",
        "B",
        "other subjects",
        "pretrained",
        "untrained",
        "other subjects, quartiles",
        "null of pretrained, mean ± SD",
        "null of untrained, mean ± SD",
    ];
    for label in once {
        assert_eq!(count(curves, label), 1, "{label}");
    }

    let grid = svg(&pictures, "roi_by_architecture");
    assert_eq!(strokes(grid, FIRST), 4 + 1);
    for title in ["V1v, A", "V1v, B", "hV4, A", "hV4, B"] {
        assert_eq!(count(grid, title), 1, "{title}");
    }

    let scatter = svg(&pictures, "accuracy_profile");
    assert_eq!(count(scatter, "ProfileMean(5)"), 1);
    // Other subjects are discs: two donors for each of six units, and the legend's.
    assert_eq!(scatter.matches("<circle").count(), 12 + 1);

    let references = svg(&pictures, "reference");
    for label in ["weight", "coverage", "purity"] {
        assert_eq!(count(references, label), 1, "{label}");
    }
    let sources = svg(&pictures, "source_diagnostics");
    for name in ["other subjects", "a", "a 0", "a 1", "b", "b 0"] {
        assert_eq!(count(sources, name), 1, "{name}");
    }
    // Six rows in three panels.
    assert_eq!(sources.matches("<circle").count(), 18);
}

#[test]
fn controls_stand_beside_the_sources() {
    let dir = tempfile::tempdir().unwrap();
    let (pictures, _) = two_architectures(dir.path()).figures();
    let controls = svg(&pictures, "controls");
    let rows = [
        "other subjects",
        "pretrained models",
        "untrained models",
        "target PCA, rank 1",
        "target PCA, rank 2",
        "target PCA, consensus rank",
        "random directions",
    ];
    for row in rows {
        assert_eq!(count(controls, row), 1, "{row}");
    }
    // Two panels of all rows, and accuracies of the sources alone.
    assert_eq!(controls.matches("<circle").count(), 7 + 7 + 3);

    let rules = svg(&pictures, "rank_rules");
    for label in ["selected rank", "rank 2", "rank 3", "BrainRefScore"] {
        assert_eq!(count(rules, label), 1, "{label}");
    }
    let directions = svg(&pictures, "directions");
    for colour in [FIRST, SECOND, THIRD] {
        assert_eq!(strokes(directions, colour), 2 + 1, "{colour}");
    }
    // Controls that were not asked for have no figure.
    assert!(pictures.iter().all(|picture| picture.name != "readouts"));
}

#[test]
fn the_same_files_by_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let run = |n_threads: usize| {
        let folder = dir.path().join(n_threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let warnings = pool.build().unwrap().install(|| {
            let alignment = two_architectures(&folder);
            alignment.write_figures(&folder).unwrap()
        });
        assert!(warnings.is_empty(), "{warnings:?}");
        folder
    };
    let (one, four) = (run(1), run(4));
    assert_eq!(names(&one), names(&four));
    for figure in ["accuracy_profile", "recovery_curves", "reference"] {
        for ending in ["png", "svg"] {
            assert!(names(&one).contains(&format!("{figure}.{ending}")));
        }
    }
    for name in names(&one) {
        let read = |folder: &Path| fs::read(folder.join("figures").join(&name)).unwrap();
        assert!(read(&one) == read(&four), "{name}");
    }
}

#[test]
fn one_unit_and_one_source_make_plain_figures() {
    let dir = tempfile::tempdir().unwrap();
    let alignment = align(1, &["V1v"], &[("alone", None, None)], 0, dir.path());
    fs::create_dir_all(dir.path().join("figures")).unwrap();
    for name in ["near_equal_pairs.svg", "mine.svg"] {
        fs::write(dir.path().join("figures").join(name), b"old").unwrap();
    }
    assert_eq!(alignment.write_figures(dir.path()).unwrap(), []);
    let figures = [
        "accuracy_profile",
        "controls",
        "directions",
        "rank_rules",
        "recovery_curves",
        "reference",
        "source_diagnostics",
    ];
    let files = figures
        .iter()
        .flat_map(|name| ["png", "svg"].map(|e| format!("{name}.{e}")));
    let mine = || ["mine.svg".to_owned()];
    assert_eq!(names(dir.path()), files.chain(mine()).collect());

    let (pictures, _) = alignment.figures();
    let curves = svg(&pictures, "recovery_curves");
    assert_eq!(count(curves, "alone"), 1);
    assert_eq!(strokes(curves, FIRST), 1 + 1);
    assert_eq!(strokes(curves, SECOND), 0);
    // No human band, and no null.
    assert_eq!(curves.matches("<polygon").count(), 0);
    assert!(!curves.contains("quartiles") && !curves.contains("Null"));

    alignment.remove_figures(dir.path()).unwrap();
    assert_eq!(names(dir.path()), mine().into_iter().collect());
}

#[test]
fn a_grid_of_too_many_panels_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut alignment = two_architectures(dir.path());
    // 31 regions and two architectures.
    let (units, entries) = (alignment.run.units.clone(), alignment.entries.clone());
    for region in 0..29 {
        let roi = format!("region {region}");
        let mut unit = units[0].clone();
        unit.unit.roi.clone_from(&roi);
        let own = entries.iter().filter(|entry| entry.unit == units[0].unit);
        alignment.entries.extend(own.cloned().map(|mut entry| {
            entry.unit.roi.clone_from(&roi);
            entry
        }));
        alignment.run.units.push(unit);
    }
    let (pictures, warnings) = alignment.figures();
    assert!(
        pictures
            .iter()
            .all(|picture| picture.name != "roi_by_architecture")
    );
    assert_eq!(warnings.len(), 1);
    let text = warnings[0].to_string();
    assert!(text.contains("roi_by_architecture: 62 panels"), "{text}");
}
