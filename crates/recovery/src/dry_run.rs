//! The requirements of an alignment: weights, files and time.

use crate::region_sizes::RegionSizes;
use itertools::Itertools;
use neurogauge::align::{AlignConfig, AlignSettings, AlignSize, Control, SimulatedSize, TargetFiles};
use neurogauge::alignment::FoldPlan;
use neurogauge::core::in_words::duration;
use neurogauge::core::{Seed, StimulusId};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::member::split_member;
use neurogauge::formats::nsd::{NsdExperiment, NsdTrials, Regions};
use neurogauge::formats::target_files;
use neurogauge::models::registry::DownloadSize;
use neurogauge::models::weights::{WeightOptions, is_here};
use neurogauge::models::{LocalImageModel, current_id, find};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, RunSettings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Number of stimuli in the measured study (docs/pages/project/benchmarks.md, the paper's grid).
const MEASURED_STIMULI: f64 = 515.0;
/// Processor seconds per fit, including its share of the reference.
const SECONDS_PER_FIT: f64 = 0.14;
/// Processor seconds per draw with a separate selection of rank and regularisation.
const SECONDS_PER_SELECTION: f64 = 0.063;
/// Processor seconds per reference.
const SECONDS_PER_REFERENCE: f64 = 0.71;
/// Missing files that are listed.
const N_NAMED: usize = 12;

/// What an alignment needs, in words: weights, missing files, time and memory. Nothing is downloaded or computed.
///
/// # Errors
/// Faults of the configuration that a run would refuse: sources without a name or with equal names, invalid settings, more
/// folds than stimuli. A model does not exist; existing weights cannot be read; the experiment's design file is damaged.
pub fn dry_run(config: &AlignConfig, settings: &RunSettings, width: Option<usize>) -> Result<String, Error> {
    let config = &config.resolved()?;
    let (n_brains, n_subjects) = match &config.nsd {
        Some(nsd) => (nsd.subjects.len() * nsd.hemispheres.len() * nsd.rois.len(), nsd.subjects.len()),
        None => {
            let targets = config.target_files()?;
            (targets.len(), targets.iter().map(|target| &target.subject).unique().count())
        }
    };
    let (n_stimuli, missing) = stimuli(config)?;
    check_folds(config, n_stimuli)?;
    let n_donors = usize::from(config.settings.donors) * n_subjects.saturating_sub(1);
    let n_models = config.sources.len();
    let (n_units, n_sources, mut text) = match config.reverse {
        true => (
            n_models,
            n_brains,
            format!(
                "{n_models} models as targets, {n_stimuli} stimuli, {n_brains} units of brains as sources of each\n"
            ),
        ),
        false => (
            n_brains,
            n_models + n_donors,
            format!(
                "{n_brains} target units, {n_stimuli} stimuli, {n_models} models and {n_donors} other subjects as sources of each\n"
            ),
        ),
    };
    let models = weights(config, settings)?;
    if !models.is_empty() {
        text += &format!("\n{}", table_of(&models).text(width));
    }
    let sizes = region_sizes(config)?;
    let regions = RegionSizes::of(config, &sizes);
    let labels = config.nsd.iter().map(|nsd| format!("labels of {}", nsd.label_pattern()));
    let words = regions.iter().map(RegionSizes::words).chain(labels).take(1);
    text.extend(words.map(|words| format!("\nRegions: {words}\n")));
    text.extend(regions.iter().filter_map(RegionSizes::warning).map(|warning| format!("Warning: {warning}\n")));
    for (what, missing) in [("responses", &missing), ("features", &missing_features(config))] {
        let n = missing.len();
        if n > 0 {
            text += &format!("\n{n} files of {what} are missing:\n");
        }
        text.extend(missing.iter().take(N_NAMED).map(|path| format!("  {}\n", path.display())));
        if n > N_NAMED {
            text += &format!("  and {} more\n", n - N_NAMED);
        }
    }
    text.extend(images(config).into_iter().map(|reason| format!("\nImages: {reason}\n")));
    text += &format!(
        "\nEstimated time on {} threads: {} for fits. The estimate scales times that were measured on another machine; yours \
         may take half or twice as long.\n",
        rayon::current_num_threads(),
        aligning(&config.settings, n_units, n_sources, n_stimuli)
    );
    text.extend(config.looking(n_stimuli)?.map(|time| format!("Models look at the stimuli for {}.\n", time.words())));
    if n_units > 0 {
        let size = AlignSize {
            n_stimuli,
            units: unit_sizes(config, n_stimuli, &sizes)?,
            n_donors,
        };
        text += &format!("Memory: {}.\n", config.memory(&size, settings)?.words());
    }
    Ok(text)
}

/// A model, whether its weights are on this machine, and their size.
type Weights = (String, bool, DownloadSize);

fn table_of(models: &[Weights]) -> Table {
    let missing = models.iter().filter(|(_, is_here, _)| !is_here).map(|(.., size)| *size).collect_vec();
    let note = format!(
        "{} of {} are missing: {}. `neurogauge models fetch` downloads them, and so does the run if you allow it.",
        missing.len(),
        models.len(),
        missing.iter().copied().sum::<DownloadSize>()
    );
    Table::of("Weights of trained models", models)
        .column("model", |(id, ..)| Cell::text(id.as_str()))
        .column("here", |(_, is_here, _)| Cell::text(if *is_here { "yes" } else { "no" }))
        .column("MB", |(.., size)| Cell::Number(size.bytes as f64 / 1e6, 0))
        .noted(vec![note])
}

/// The number of stimuli, and the missing files of responses.
fn stimuli(config: &AlignConfig) -> Result<(usize, Vec<PathBuf>), Error> {
    let Some(nsd) = &config.nsd else {
        let mut shown: BTreeSet<StimulusId> = BTreeSet::new();
        let mut missing: Vec<PathBuf> = Vec::new();
        for target in config.target_files()? {
            shown.extend(target.shown().into_iter().flatten().flatten());
            missing.extend(target.trials.iter().map(|path| split_member(path).0).filter(|path| !path.exists()));
        }
        missing.dedup();
        if let Some(path) = &config.stimuli {
            shown = target_files::stimuli(path)?;
        }
        return Ok((shown.len(), missing));
    };
    let missing: Vec<PathBuf> = nsd.needed().into_iter().filter(|path| !path.exists()).collect();
    let has_design = !missing.iter().any(|path| path.extension().is_some_and(|ending| ending == "mat"));
    let n_stimuli = match (has_design, nsd.experiment) {
        (true, _) => NsdTrials::read(nsd)?.stimuli.len(),
        (false, NsdExperiment::CoreShared) => 515,
        (false, NsdExperiment::Synthetic) => 284,
    };
    Ok((n_stimuli, missing))
}

/// Checks that this many stimuli can be divided into folds. Given folds, and stimuli selected by `repeats`, are checked
/// only by the run.
fn check_folds(config: &AlignConfig, n_stimuli: usize) -> Result<(), Error> {
    let settings = &config.settings;
    let is_given = config.plan.is_some() || config.predefined.outer_folds.is_some();
    if !is_given && config.repeats.is_none() && n_stimuli > 0 {
        FoldPlan::draw(n_stimuli, settings.outer_folds, settings.inner_folds, Seed(settings.seed))?;
    }
    Ok(())
}

/// The missing files of features, without duplicates.
fn missing_features(config: &AlignConfig) -> Vec<PathBuf> {
    let files = config.sources.iter().flat_map(|source| &source.features).map(|path| split_member(path).0);
    let missing: BTreeSet<PathBuf> = files.filter(|path| !path.exists()).collect();
    missing.into_iter().collect()
}

/// Presentations of each stimulus of the Natural Scenes Dataset.
const NSD_REPEATS: usize = 3;

/// Trials and voxels of each target unit; `None` if unknown.
fn unit_sizes(config: &AlignConfig, n_stimuli: usize, sizes: &[usize]) -> Result<Vec<Option<(usize, usize)>>, Error> {
    let Some(nsd) = &config.nsd else {
        return Ok(config.target_files()?.iter().map(TargetFiles::size).collect());
    };
    let mut units: Vec<_> = sizes.iter().map(|n_voxels| Some((NSD_REPEATS * n_stimuli, *n_voxels))).collect();
    let n_units = nsd.subjects.len() * nsd.hemispheres.len() * nsd.rois.len();
    units.resize(n_units, None);
    Ok(units)
}

/// Vertices or voxels of each region of the Natural Scenes Dataset whose labels exist.
fn region_sizes(config: &AlignConfig) -> Result<Vec<usize>, Error> {
    let mut sizes = Vec::new();
    if let Some(nsd) = &config.nsd {
        for (&subject, hemisphere) in nsd.subjects.iter().cartesian_product(&nsd.hemispheres) {
            if split_member(&nsd.labels(subject, hemisphere)).0.exists() {
                sizes.extend(Regions::read(nsd, subject, hemisphere)?.regions.iter().map(|(_, places)| places.len()));
            }
        }
    }
    Ok(sizes)
}

/// The models whose weights are not random, without duplicates.
fn weights(config: &AlignConfig, settings: &RunSettings) -> Result<Vec<Weights>, Error> {
    let options = WeightOptions::given(settings.weights.as_deref(), false);
    let is_learned = |id: &&String| {
        LocalImageModel::seed(id).is_none() && current_id(id) != neurogauge::models::PLACEHOLDER_IMAGE_MODEL
    };
    let ids = config.sources.iter().filter_map(|source| source.model.as_ref()).filter(is_learned).unique();
    let of = |id: &String| {
        let entry = find(id)?;
        let is_here = config.models.checkpoints.contains_key(id) || is_here(entry, &options)?;
        Ok((id.clone(), is_here, entry.size()))
    };
    ids.map(of).collect()
}

/// Reasons why paths of images cannot be read.
fn images(config: &AlignConfig) -> Vec<String> {
    let paths: BTreeSet<&Path> = config.sources.iter().filter_map(|source| source.images.as_deref()).collect();
    let reasons = paths.into_iter().filter_map(|path| ImageSource::open(path).err());
    reasons.map(|error| error.to_string()).collect()
}

/// The time for an alignment on this machine's threads, in words.
fn aligning(settings: &AlignSettings, n_units: usize, n_sources: usize, n_stimuli: usize) -> String {
    let n_folds = (n_units * settings.outer_folds) as f64;
    let mut of_fit = SECONDS_PER_FIT;
    if settings.null_select {
        of_fit += settings.null as f64 * SECONDS_PER_SELECTION;
    }
    if settings.makes(Control::ResponsePermutation) {
        of_fit += settings.response_draws as f64 * SECONDS_PER_SELECTION;
    }
    if settings.makes(Control::AuxiliaryReadouts) {
        of_fit += SECONDS_PER_SELECTION;
    }
    let mut of_fold = n_sources as f64 * of_fit;
    if settings.makes(Control::BalancedPartitions) {
        of_fold += SECONDS_PER_REFERENCE;
    }
    // Most of the time goes into products and eigenpairs of matrices of stimuli by stimuli.
    let seconds = n_folds * of_fold * (n_stimuli as f64 / MEASURED_STIMULI).powi(2);
    match seconds / rayon::current_num_threads() as f64 {
        seconds if seconds < 1.0 => "under a second".to_owned(),
        seconds => format!("about {}", duration(seconds)),
    }
}

/// The approximate time for an alignment of simulated subjects and models on this machine's threads, in words.
pub fn simulation_takes(size: SimulatedSize, settings: &AlignSettings) -> String {
    // Subjects, regions, stimuli, models.
    let [n_subjects, n_regions, n_stimuli, n_models] = match size {
        SimulatedSize::Miniature => [3, 1, 90, 2],
        SimulatedSize::Small => [4, 2, 150, 6],
        SimulatedSize::Nsd => [8, 14, 515, 20],
    };
    let (n_units, n_sources) = (n_subjects * n_regions, n_models + n_subjects - 1);
    let (time, n_threads) = (aligning(settings, n_units, n_sources, n_stimuli), rayon::current_num_threads());
    format!("{n_units} target units, {n_sources} sources of each; {time} on {n_threads} threads")
}
