//! The requirements of an alignment: weights, files, time and memory.

use crate::preset;
use itertools::Itertools;
use neurogauge::align::{AlignConfig, AlignSettings, AlignSize, SimulatedSize, TargetFiles};
use neurogauge::alignment::FoldPlan;
use neurogauge::core::in_words::duration;
use neurogauge::core::{Seed, counted};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::member::split_member;
use neurogauge::formats::nsd::{NsdExperiment, NsdFiles, NsdTrials, Regions};
use neurogauge::formats::target_files;
use neurogauge::models::registry::DownloadSize;
use neurogauge::models::weights::{WeightOptions, is_here};
use neurogauge::models::{LocalImageModel, PLACEHOLDER_IMAGE_MODEL, find};
use neurogauge::{Error, RunSettings};
use std::path::PathBuf;

/// Number of stimuli in the measured study (docs/pages/project/benchmarks.md, the paper's grid), and its processor seconds
/// per fit with its share of the reference and of controls, and per draw that selects rank and regularisation again.
const MEASURED_STIMULI: f64 = 515.0;
const SECONDS_PER_FIT: f64 = 0.14;
const SECONDS_PER_DRAW: f64 = 0.055;
/// Missing files that are listed.
const N_NAMED: usize = 12;
/// Presentations of each stimulus of the Natural Scenes Dataset.
const NSD_REPEATS: usize = 3;

/// What an alignment needs, in words: weights, missing files, time and memory. Nothing is downloaded or computed.
///
/// # Errors
/// Faults of the configuration that a run would refuse: sources without a name or with equal names, invalid settings, more
/// folds than stimuli. A model does not exist; existing weights cannot be read; the experiment's design file is damaged.
pub fn dry_run(config: &AlignConfig, settings: &RunSettings) -> Result<String, Error> {
    let config = &config.resolved()?;
    let (mut size, responses) = match &config.nsd {
        Some(nsd) => of_nsd(nsd)?,
        None => of_targets(config)?,
    };
    let (n_stimuli, own) = (size.n_stimuli, &config.settings);
    size.n_donors *= usize::from(own.donors);
    // Given folds, and stimuli selected by `repeats`, are checked only by the run.
    let is_given = config.plan.is_some() || config.predefined.outer_folds.is_some() || config.repeats.is_some();
    if !is_given && n_stimuli > 0 {
        FoldPlan::draw(n_stimuli, own.outer_folds, own.inner_folds, Seed(own.seed))?;
    }
    let (n_brains, n_models, n_donors) = (size.units.len(), config.sources.len(), size.n_donors);
    let [targets, sources] = match config.reverse {
        true => [format!("{n_models} models as targets"), format!("{n_brains} units of brains")],
        false => [format!("{n_brains} target units"), format!("{n_models} models and {n_donors} other subjects")],
    };
    let mut text = format!("{targets}, {n_stimuli} stimuli, {sources} as sources of each\n");
    let sizes = size.units.iter().flatten().map(|(_, n_voxels)| *n_voxels).collect_vec();
    if let Some((words, warning)) = preset::regions(config, &sizes) {
        text += &format!("\nRegions: {words}\n");
        text.extend(warning.map(|warning| format!("Warning: {warning}\n")));
    }
    let options = WeightOptions::given(settings.weights.as_deref(), false);
    let is_learned = |id: &&String| LocalImageModel::seed(id).is_none() && id.as_str() != PLACEHOLDER_IMAGE_MODEL;
    let mut weights = Vec::new();
    for id in config.sources.iter().filter_map(|source| source.model.as_ref()).filter(is_learned).unique() {
        let entry = find(id)?;
        if !config.models.checkpoints.contains_key(id) && !is_here(entry, &options)? {
            weights.push(entry);
        }
    }
    if !weights.is_empty() {
        text += &format!(
            "\nWeights of {} are missing, {}; `neurogauge models fetch` downloads them, and so does the run if you \
             allow it:\n  {}\n",
            counted(weights.len(), "model"),
            weights.iter().map(|entry| entry.size()).sum::<DownloadSize>(),
            weights.iter().map(|entry| format!("{} ({})", entry.id, entry.size())).join("\n  ")
        );
    }
    let features = config.sources.iter().flat_map(|source| &source.features).map(|path| split_member(path).0);
    for (what, files) in [("responses", responses), ("features", features.sorted().dedup().collect())] {
        let missing = files.iter().filter(|path| !path.exists()).map(|path| path.display()).collect_vec();
        let (n, named) = (missing.len(), missing.iter().take(N_NAMED).join("\n  "));
        if n > 0 {
            text += &format!("\n{n} files of {what} are missing:\n  {named}\n");
        }
        if n > N_NAMED {
            text += &format!("  and {} more\n", n - N_NAMED);
        }
    }
    let images = config.sources.iter().filter_map(|source| source.images.as_deref()).sorted().dedup();
    text.extend(images.filter_map(|path| ImageSource::open(path).err()).map(|error| format!("\nImages: {error}\n")));
    text += &format!(
        "\nEstimated time on {} threads: {} for fits. The estimate scales times that were measured on another machine; yours \
         may take half or twice as long.\n",
        rayon::current_num_threads(),
        fitting(own, n_brains * (n_models + n_donors), n_stimuli)
    );
    text.extend(config.looking(n_stimuli)?.map(|time| format!("Models look at the stimuli for {}.\n", time.words())));
    if n_brains > 0 {
        text += &format!("Memory: {}.\n", config.memory(&size, settings)?.words());
    }
    Ok(text)
}

/// The size of an alignment, as far as files tell, and its files of responses.
fn of_targets(config: &AlignConfig) -> Result<(AlignSize, Vec<PathBuf>), Error> {
    let targets = config.target_files()?;
    let files = targets.iter().flat_map(|target| &target.trials).map(|path| split_member(path).0);
    let size = AlignSize {
        n_stimuli: match &config.stimuli {
            Some(path) => target_files::stimuli(path)?.len(),
            None => targets.iter().flat_map(|target| target.shown().into_iter().flatten().flatten()).unique().count(),
        },
        units: targets.iter().map(TargetFiles::size).collect(),
        n_donors: targets.iter().map(|target| &target.subject).unique().count().saturating_sub(1),
    };
    Ok((size, files.dedup().collect()))
}

/// The same; units of regions whose labels are missing have unknown sizes.
fn of_nsd(nsd: &NsdFiles) -> Result<(AlignSize, Vec<PathBuf>), Error> {
    let files = nsd.needed();
    let is_design = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "mat");
    let n_stimuli = match nsd.experiment {
        _ if files.iter().filter(|path| is_design(path)).all(|path| path.exists()) => {
            NsdTrials::read(nsd)?.stimuli.len()
        }
        NsdExperiment::CoreShared => 515,
        NsdExperiment::Synthetic => 284,
    };
    let mut units = Vec::new();
    for (&subject, hemisphere) in nsd.subjects.iter().cartesian_product(&nsd.hemispheres) {
        match split_member(&nsd.labels(subject, hemisphere)).0.exists() {
            true => {
                let regions = Regions::read(nsd, subject, hemisphere)?.regions;
                units.extend(regions.iter().map(|(_, places)| Some((NSD_REPEATS * n_stimuli, places.len()))));
            }
            false => units.extend(nsd.rois.iter().map(|_| None)),
        }
    }
    let n_donors = nsd.subjects.len().saturating_sub(1);
    Ok((
        AlignSize {
            n_stimuli,
            units,
            n_donors,
        },
        files,
    ))
}

/// The time for the fits of so many sources of target units on this machine's threads, in words.
fn fitting(settings: &AlignSettings, n_sources: usize, n_stimuli: usize) -> String {
    let n_draws = usize::from(settings.null_select) * settings.null;
    // Most of the time goes into products and eigenpairs of matrices of stimuli by stimuli.
    let of_fit = (SECONDS_PER_FIT + n_draws as f64 * SECONDS_PER_DRAW) * (n_stimuli as f64 / MEASURED_STIMULI).powi(2);
    match of_fit * (n_sources * settings.outer_folds) as f64 / rayon::current_num_threads() as f64 {
        seconds if seconds < 1.0 => "under a second".to_owned(),
        seconds => format!("about {}", duration(seconds)),
    }
}

/// The approximate time for an alignment of simulated subjects and models on this machine's threads, in words.
pub fn simulation_takes(size: SimulatedSize, settings: &AlignSettings) -> String {
    // Target units, sources of each, stimuli.
    let (n_units, n_sources, n_stimuli) = match size {
        SimulatedSize::Miniature => (3, 4, 90),
        SimulatedSize::Small => (8, 9, 150),
        SimulatedSize::Nsd => (112, 27, 515),
    };
    let (time, n_threads) = (fitting(settings, n_units * n_sources, n_stimuli), rayon::current_num_threads());
    format!("{n_units} target units, {n_sources} sources of each; {time} on {n_threads} threads")
}
