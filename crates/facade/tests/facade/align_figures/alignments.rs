//! Alignments of simulated recordings, and the contents of their figures.

use neurogauge::align::{AlignConfig, Alignment, SourceFeatures, SourceFiles, SourceState, Study, align_study};
use neurogauge::alignment::{SimulatedRegion, Simulation, SimulationOptions};
use neurogauge::core::Seed;
use neurogauge::{NamedPicture, Silent};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Strokes of the first, second and third curve, and of legend lines.
pub(crate) const FIRST: &str = "#0072B2";
pub(crate) const SECOND: &str = "#D55E00";
pub(crate) const THIRD: &str = "#009E73";

/// Subjects with some regions, and models: name, architecture, and the seed of an untrained one.
pub(crate) fn align(
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
    let study = Study::simulated(&simulation, sources).unwrap();
    align_study(&study, &config, folder, &Silent).unwrap()
}

pub(crate) fn two_architectures(folder: &Path) -> Alignment {
    let models = [
        ("a", Some("A"), None),
        ("a 0", Some("A"), Some(0)),
        ("a 1", Some("A"), Some(1)),
        ("b", Some("B"), None),
        ("b 0", Some("B"), Some(0)),
    ];
    align(3, &["V1v", "hV4"], &models, 3, folder)
}

pub(crate) fn svg(pictures: &[NamedPicture], name: &str) -> String {
    let mut found = pictures.iter().filter(|picture| picture.name == name);
    found.next().unwrap().picture.svg()
}

/// How often this label occurs as a whole text.
pub(crate) fn count(svg: &str, label: &str) -> usize {
    svg.lines().filter(|line| line.trim() == label).count()
}

/// Number of curves in this colour, including the line in the legend; successive dashes of one curve count once.
pub(crate) fn strokes(svg: &str, colour: &str) -> usize {
    let is_own =
        |line: &str| line.starts_with("<polyline") && line.contains(colour) && line.contains("stroke-width=\"2\"");
    let lines: Vec<bool> = svg.lines().map(is_own).collect();
    lines.windows(2).filter(|pair| !pair[0] && pair[1]).count()
}

pub(crate) fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder.join("figures")).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}
