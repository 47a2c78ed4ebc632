//! Distances between the sets of all stimuli and of all reconstructions: `neurogauge score sets`.

use super::{BenchmarkRecord, BenchmarkRow, BenchmarkRun, Measure};
use crate::pairs::{PairsRequest, SystemNames};
use clap::Args;
use neurogauge::core::image::ImageReading;
use neurogauge::core::pair::Form;
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Direction, Estimate, Features, Finding, Outcome, ScoreTable, Undefined};
use neurogauge::formats::embeddings;
use neurogauge::metrics::MetricError;
use neurogauge::metrics::decoding::set_distances::{
    FrechetDistance, KernelDistance, SetProducts, clip_mmd, frechet_distance, kernel_inception_distance,
    precision_and_recall,
};
use neurogauge::models::ImagePreset;
use neurogauge::report::{Cell, Table};
use neurogauge::stats::{BootstrapOptions, PairedTest, compare_systems, holm};
use neurogauge::{Error, FeatureChoice, FeatureOpener, InputRecord, ModelChoices, ModelLayers, Progress, RunSettings};
use serde::Serialize;
use std::path::{Path, PathBuf};

const CONVENTIONS: [&str; 1] = ["set-distances"];
/// The id of the unbiased distance, whose pseudo-values are tested.
const KID: &str = "kid_unbiased";

/// Images or features of the stimuli, and of what systems reconstructed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Args)]
pub struct SetsRequest {
    /// The stimuli: their features (.npy, .npz, .pt; items first), with the ids of the rows in ids.json beside the file,
    /// or with --features their images
    #[arg(value_name = "GT")]
    pub gt: PathBuf,
    /// The reconstructions, likewise, which pair up with the stimuli by name, or rows without ids by position. Several
    /// are several systems, called as their files or folders
    #[arg(value_name = "RECON", required = true)]
    pub recon: Vec<PathBuf>,
    /// Image model whose features are made of inputs that are images: `inception_v3:avgpool` for KID, FID, precision and
    /// recall, `clip_vit_l_14` for CMMD
    #[arg(long, value_name = "MODEL[:LAYER[:POOLING]]", help_heading = "Models")]
    pub features: Option<ModelLayers>,
    /// How images are prepared: as the model's authors publish it, or as in the NSD metrics
    #[arg(long, value_parser = choice::<ImagePreset>(), requires = "features", help_heading = "Models", default_value = word_of(&ImagePreset::Published))]
    pub preset: ImagePreset,
    #[command(flatten)]
    #[serde(flatten)]
    pub pairs: PairsRequest,
    /// What stored values of images mean where files leave it open.
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    #[arg(skip)]
    pub reading: ImageReading,
    /// Smooth before shrinking? `None`: as the preset has it.
    #[arg(skip)]
    pub antialias: Option<bool>,
    /// Its weights and where it runs.
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    #[arg(skip)]
    pub models: ModelChoices,
    /// Intervals, and the seed of everything that is drawn.
    #[arg(skip)]
    pub bootstrap: BootstrapOptions,
}

/// Two systems, compared by the unbiased KID.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetDifference {
    pub systems: [String; 2],
    /// First minus second.
    pub kid: f64,
    pub interval: Option<(f64, f64)>,
    /// Of a sign-flip test of the pairs' pseudo-values, corrected by Holm's method over all pairs of systems.
    pub p_value: Option<f64>,
    /// The number of pairs that would show this difference with a power of 80%, if it is the true one.
    pub n_needed: Option<usize>,
}

/// Computes KID, FID, precision, recall and CMMD of each system, and compares systems by KID.
///
/// # Errors
/// Inputs cannot be read or do not pair up; features of different lengths; too few or too many pairs; errors of the
/// model.
pub fn sets(request: &SetsRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<BenchmarkRun, Error> {
    let names = super::caption::system_names(&request.recon)?;
    let choice = FeatureChoice {
        model: request.features.as_ref(),
        reading: request.reading,
        preset: request.preset,
        antialias: request.antialias,
        models: &request.models,
    };
    let mut opener = FeatureOpener::new(choice, settings, progress);
    let mut record =
        BenchmarkRecord::new("sets", request, (request.bootstrap.level, Some(request.bootstrap.seed.0)), &CONVENTIONS);
    let inputs = &mut record.provenance.inputs;
    let gt = rows(&mut opener, "gt", &request.gt, inputs)?;
    let systems = names.iter().zip(&request.recon).map(|(name, path)| rows(&mut opener, name, path, inputs));
    let systems = systems.collect::<Result<Vec<Features<f64>>, Error>>()?;
    record.findings = opener.check()?;
    record.models = opener.models;
    for (rows, path) in systems.iter().zip(&request.recon) {
        if rows.n_features() != gt.n_features() {
            return Err(Error::Data(format!(
                "{}: features of {} values, and those of {} have {}; both must come from the same layer",
                path.display(),
                rows.n_features(),
                request.gt.display(),
                gt.n_features()
            )));
        }
    }
    let of_systems = names.iter().zip(&request.recon).zip(&systems).map(|((system, path), rows)| SystemNames {
        system,
        names: rows.ids().to_vec(),
        path,
        form: Form::usual("rows of features"),
    });
    let of_systems: Vec<SystemNames<'_>> = of_systems.collect();
    let shared = request.pairs.pair_systems("features", (gt.ids(), request.gt.as_path()), &of_systems)?;
    let n = shared.kept.len();
    (record.n_images, record.counted) = (n, "pairs");
    record.findings.extend(shared.findings);
    if n <= gt.n_features() {
        let words = format!(
            "{n} pairs and {} features: the covariances are not of full rank, and FID's extrapolation is still too high",
            gt.n_features()
        );
        record.findings.push(Finding::note("few_pairs", "FID", words));
    }
    let seen = picked(&gt, &shared.kept);
    let mut scores = ScoreTable::new(shared.kept.iter().map(|&row| gt.ids()[row].clone()).collect());
    let stand_in = record.models.iter().any(|model| model.stand_in);
    for ((name, rows), kept) in names.iter().zip(&systems).zip(&shared.of_systems) {
        progress.start(&format!("comparing sets, {name}"), 1, 0);
        let products = SetProducts::of(&seen, &picked(rows, kept), gt.n_features());
        let (measures, pseudo) = products
            .and_then(|products| measured(&products, n, name, request, &mut record.findings))
            .map_err(|source| Error::AllPairs {
                figure: "set distances",
                source,
            })?;
        progress.finish();
        scores.columns.push((format!("{name}/{KID}"), pseudo));
        let row = BenchmarkRow {
            name: name.clone(),
            n,
            measures,
        };
        record.rows.push(row.marked(|_| stand_in));
    }
    record.differences = differences(&names, &scores, &request.bootstrap, &mut record.findings)?;
    Ok(BenchmarkRun { record, scores })
}

fn rows(
    opener: &mut FeatureOpener<'_>,
    role: &str,
    path: &Path,
    inputs: &mut Vec<InputRecord>,
) -> Result<Features<f64>, Error> {
    let (file, images) = opener.open(role, path)?;
    let read = embeddings::read_exactly(&file)?;
    match images {
        Some((_, record)) => inputs.push(record),
        None => inputs.extend(InputRecord::of_embeddings(role, &read)?),
    }
    Ok(read.rows)
}

fn picked(rows: &Features<f64>, places: &[usize]) -> Vec<f64> {
    places.iter().flat_map(|&place| rows.row(place)).copied().collect()
}

/// The measures of a system, and the pseudo-values of its KID.
fn measured(
    products: &SetProducts,
    n: usize,
    name: &str,
    request: &SetsRequest,
    findings: &mut Vec<Finding>,
) -> Result<(Vec<Measure>, Vec<Outcome>), MetricError> {
    let (options, seed) = (&request.bootstrap, request.bootstrap.seed);
    let exact = |id, label, value: Outcome| Measure::new(id, label, &Estimate::of(value, None, n));
    let published =
        |found: &Result<KernelDistance, Undefined>| found.as_ref().map(|found| found.published).map_err(Clone::clone);
    let unbiased = |found: &Result<KernelDistance, Undefined>| match found {
        Ok(found) => found.estimate(options),
        Err(reason) => Ok(Estimate::of(Err(reason.clone()), None, n)),
    };
    let (kid, cmmd) = (kernel_inception_distance(products, seed), clip_mmd(products, seed));
    let fid = frechet_distance(products, seed)?;
    let [precision, recall] = precision_and_recall(products);
    let of_fid = |of: fn(&FrechetDistance) -> f64| fid.as_ref().map(of).map_err(Clone::clone);
    if let Ok(found) = &kid
        && found.p_value > 1.0 - options.level
    {
        let words = format!(
            "with {n} pairs its KID cannot be told from that of equal distributions (p = {:.3}, exchanges of the images of pairs)",
            found.p_value
        );
        findings.push(Finding::note("sets_alike", name, words));
    }
    let measures = vec![
        exact("kid", "KID (published form)", published(&kid)),
        Measure::new(KID, "KID", &unbiased(&kid)?),
        exact("fid", "FID", of_fid(|found| found.of_all)),
        exact("fid_extrapolated", "FID, n → ∞", of_fid(|found| found.extrapolated)),
        exact("fid_if_alike", "FID if alike", of_fid(|found| found.if_alike)),
        exact("precision", "precision", precision),
        exact("recall", "recall", recall),
        exact("cmmd", "CMMD (published form)", published(&cmmd)),
        Measure::new("cmmd_unbiased", "CMMD", &unbiased(&cmmd)?),
    ];
    let pseudo =
        kid.map_or_else(|reason| vec![Err(reason); n], |found| found.pseudo_values.into_iter().map(Ok).collect());
    Ok((measures, pseudo))
}

/// Every two systems, where all have a KID.
fn differences(
    names: &[String],
    scores: &ScoreTable,
    options: &BootstrapOptions,
    findings: &mut Vec<Finding>,
) -> Result<Vec<SetDifference>, Error> {
    let columns: Vec<Vec<&[Outcome]>> = scores.columns.iter().map(|(_, column)| vec![column.as_slice()]).collect();
    let n_tests = (names.len() * (names.len() - 1) / 2).max(1);
    let found = compare_systems(&columns, Direction::Lower, (PairedTest::SignFlip, n_tests), options)?;
    let p_values: Option<Vec<f64>> = found.differences.iter().map(|difference| difference.p_value).collect();
    let corrected = p_values.map(|p_values| holm(&p_values)).transpose()?;
    let mut differences = Vec::new();
    for (place, difference) in found.differences.iter().enumerate() {
        let Ok(kid) = difference.value else {
            continue;
        };
        let detectable = difference.detectable(found.n_stimuli, n_tests, options.level);
        let needed = detectable.map(|least| found.n_stimuli as f64 * (least / kid).powi(2));
        let needed = needed.filter(|needed| needed.is_finite()).map(|needed| needed.ceil() as usize);
        let systems = [difference.minuend, difference.subtrahend].map(|system| names[system].clone());
        let p_value = corrected.as_ref().map(|corrected| corrected[place]);
        if p_value.is_none_or(|p| p > 1.0 - options.level) {
            let more = needed.map_or(String::new(), |needed| {
                format!("; a difference as large as this one takes about {needed} pairs")
            });
            let words = format!("with {} pairs KID cannot tell these systems apart{more}", found.n_stimuli);
            findings.push(Finding::note("sets_not_told_apart", systems.join(" and "), words));
        }
        differences.push(SetDifference {
            systems,
            kid,
            interval: difference.interval,
            p_value,
            n_needed: needed,
        });
    }
    Ok(differences)
}

/// The table of differences.
pub(super) fn table(record: &BenchmarkRecord) -> Table {
    let notes = vec![format!(
        "Sign-flip tests of the jackknife's pseudo-values of the pairs, Holm-corrected; {}% intervals are not corrected. Needed: \
             pairs for a power of 80%, if the difference is the true one.",
        record.level * 100.0
    )];
    Table::of("Differences of KID", &record.differences)
        .column("systems", |found| Cell::text(found.systems.join(" - ")))
        .column("KID", |found| Cell::estimate(found.kid, found.interval).decimals(4))
        .column("p", |found| Cell::p_value(found.p_value))
        .column("pairs needed", |found| found.n_needed.map_or(Cell::Missing, Cell::Count))
        .noted(notes)
}

/// What is said below the table of measures.
pub(super) const NOTE: &str = "Lower is better, but for precision and recall. KID and CMMD: unbiased for pairs, and in the form in which \
     others publish them. FID is too high with few pairs: FID if alike is what equal distributions of this spread give, and n → ∞ is the \
     extrapolation by 1 / n. FID, precision and recall are compared at equal numbers of pairs only, and all at equal features: published \
     values are of TensorFlow's Inception of 2015, and of CLIP ViT-L/14 at 336 px";
