//! The requirements of an alignment: weights, files and time.

use crate::preset;
use itertools::Itertools;
use neurogauge::align::{AlignConfig, AlignSettings, AlignSize, Control, SimulatedSize, TargetFiles};
use neurogauge::alignment::FoldPlan;
use neurogauge::core::Seed;
use neurogauge::core::in_words::duration;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::member::split_member;
use neurogauge::formats::nsd::{NsdExperiment, NsdFiles, NsdTrials, Regions};
use neurogauge::formats::target_files;
use neurogauge::models::registry::DownloadSize;
use neurogauge::models::weights::{WeightOptions, is_here};
use neurogauge::models::{LocalImageModel, PLACEHOLDER_IMAGE_MODEL, find};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, RunSettings};
use std::path::PathBuf;

/// Number of stimuli in the measured study (docs/pages/project/benchmarks.md, the paper's grid), and its processor seconds
/// per fit with its share of the reference, per draw with a separate selection of rank and regularisation, and per reference.
const MEASURED_STIMULI: f64 = 515.0;
const SECONDS_PER_FIT: f64 = 0.12;
const SECONDS_PER_SELECTION: f64 = 0.05;
const SECONDS_PER_REFERENCE: f64 = 0.71;
/// Missing files that are listed.
const N_NAMED: usize = 12;
/// Presentations of each stimulus of the Natural Scenes Dataset.
const NSD_REPEATS: usize = 3;

/// What an alignment needs, in words: weights, missing files, time and memory. Nothing is downloaded or computed.
///
/// # Errors
/// Faults of the configuration that a run would refuse: sources without a name or with equal names, invalid settings, more
/// folds than stimuli. A model does not exist; existing weights cannot be read; the experiment's design file is damaged.
pub fn dry_run(config: &AlignConfig, settings: &RunSettings, width: Option<usize>) -> Result<String, Error> {
    let config = &config.resolved()?;
    let (mut size, missing) = match &config.nsd {
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
    let (n_units, n_sources) = match config.reverse {
        true => (n_models, n_brains),
        false => (n_brains, n_models + n_donors),
    };
    let [targets, sources] = match config.reverse {
        true => [format!("{n_models} models as targets"), format!("{n_brains} units of brains")],
        false => [format!("{n_brains} target units"), format!("{n_models} models and {n_donors} other subjects")],
    };
    let mut text = format!("{targets}, {n_stimuli} stimuli, {sources} as sources of each\n");
    text.extend(weights(config, settings)?.map(|table| format!("\n{}", table.text(width))));
    let sizes = size.units.iter().flatten().map(|(_, n_voxels)| *n_voxels).collect_vec();
    if let Some((words, warning)) = preset::regions(config, &sizes) {
        text += &format!("\nRegions: {words}\n");
        text.extend(warning.map(|warning| format!("Warning: {warning}\n")));
    }
    let features = config.sources.iter().flat_map(|source| &source.features).map(|path| split_member(path).0);
    let features = features.filter(|path| !path.exists()).sorted().dedup().collect_vec();
    for (what, missing) in [("responses", &missing), ("features", &features)] {
        let n = missing.len();
        if n > 0 {
            text += &format!("\n{n} files of {what} are missing:\n");
        }
        text.extend(missing.iter().take(N_NAMED).map(|path| format!("  {}\n", path.display())));
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
        aligning(own, n_units, n_sources, n_stimuli)
    );
    text.extend(config.looking(n_stimuli)?.map(|time| format!("Models look at the stimuli for {}.\n", time.words())));
    if n_units > 0 {
        text += &format!("Memory: {}.\n", config.memory(&size, settings)?.words());
    }
    Ok(text)
}

/// The size of an alignment, as far as files tell, and the missing files of responses.
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
    Ok((size, files.filter(|path| !path.exists()).dedup().collect()))
}

/// The same; units of regions whose labels are missing have unknown sizes.
fn of_nsd(nsd: &NsdFiles) -> Result<(AlignSize, Vec<PathBuf>), Error> {
    let missing = nsd.needed().into_iter().filter(|path| !path.exists()).collect_vec();
    let has_design = !missing.iter().any(|path| path.extension().is_some_and(|ending| ending == "mat"));
    let n_stimuli = match (has_design, nsd.experiment) {
        (true, _) => NsdTrials::read(nsd)?.stimuli.len(),
        (false, NsdExperiment::CoreShared) => 515,
        (false, NsdExperiment::Synthetic) => 284,
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
    let size = AlignSize {
        n_stimuli,
        units,
        n_donors: nsd.subjects.len().saturating_sub(1),
    };
    Ok((size, missing))
}

/// The models whose weights are learned, with their sizes; `None` without one.
fn weights(config: &AlignConfig, settings: &RunSettings) -> Result<Option<Table>, Error> {
    let options = WeightOptions::given(settings.weights.as_deref(), false);
    let is_learned = |id: &&String| LocalImageModel::seed(id).is_none() && id.as_str() != PLACEHOLDER_IMAGE_MODEL;
    let ids = config.sources.iter().filter_map(|source| source.model.as_ref()).filter(is_learned).unique();
    let of = |id: &String| {
        let entry = find(id)?;
        let is_here = config.models.checkpoints.contains_key(id) || is_here(entry, &options)?;
        Ok((id.clone(), is_here, entry.size()))
    };
    let models: Vec<(String, bool, DownloadSize)> = ids.map(of).collect::<Result<_, Error>>()?;
    let missing = models.iter().filter(|(_, is_here, _)| !is_here).map(|(.., size)| *size).collect_vec();
    let note = format!(
        "{} of {} are missing: {}. `neurogauge models fetch` downloads them, and so does the run if you allow it.",
        missing.len(),
        models.len(),
        missing.iter().copied().sum::<DownloadSize>()
    );
    let table = Table::of("Weights of trained models", &models)
        .column("model", |(id, ..)| Cell::text(id.as_str()))
        .column("here", |(_, is_here, _)| Cell::text(if *is_here { "yes" } else { "no" }))
        .column("MB", |(.., size)| Cell::Number(size.bytes as f64 / 1e6, 0));
    Ok(table.noted(vec![note]).filled())
}

/// The time for an alignment on this machine's threads, in words.
fn aligning(settings: &AlignSettings, n_units: usize, n_sources: usize, n_stimuli: usize) -> String {
    let if_made = |control: Control, n: usize| if settings.makes(control) { n } else { 0 };
    let n_selections = if_made(Control::ResponsePermutation, settings.response_draws)
        + if_made(Control::AuxiliaryReadouts, 1)
        + if settings.null_select { settings.null } else { 0 };
    let of_fit = SECONDS_PER_FIT + n_selections as f64 * SECONDS_PER_SELECTION;
    let of_reference = if_made(Control::BalancedPartitions, 1) as f64 * SECONDS_PER_REFERENCE;
    // Most of the time goes into products and eigenpairs of matrices of stimuli by stimuli.
    let seconds = (n_units * settings.outer_folds) as f64
        * (n_sources as f64 * of_fit + of_reference)
        * (n_stimuli as f64 / MEASURED_STIMULI).powi(2);
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
