//! The demo: writes a dataset like a user's, and scores it.

use crate::{Scene, blur_and_noise, detections, reconstructions, recovery, stimuli};
use neurogauge::core::image::{Filter, resize_u8};
use neurogauge::core::{Captions, Detections, Image, LabelList, Observed, Seed, Side};
use neurogauge::formats::{AtPath, captions, detections as detection_files, image_file, json, recipe};
use neurogauge::models::registry;
use neurogauge::models::weights::{WeightOptions, locate};
use neurogauge::report::Table;
use neurogauge::{
    DEFAULT_ENCODER, Error, Input, InputPaths, PLACEHOLDER_ENCODER, PerceptionOptions, Progress, Run, RunFolder,
    RunSettings, ScoreRequest, score,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SCENES: usize = 8;
const SEED: Seed = Seed(2026);
/// How much of its pixels a "reconstruction" loses, 0 to 1.
const DEGRADATION: f64 = 0.5;

/// Metrics that need no model, and those that use the text encoder.
const METRICS: [&str; 8] =
    ["pixcorr", "ssim", "ms_ssim", "psnr", "object_recall", "object_precision", "object_f1", "snm"];
const WITH_ENCODER: &str = "cap_sim";
/// The metrics of the second system, which only has images.
const PIXEL_METRICS: [&str; 4] = ["pixcorr", "ssim", "ms_ssim", "psnr"];
/// Name of its folder in the data, and of its run's folder.
const BLURRED: &str = "blurred";

/// Which numbers the demo prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Only meaningful numbers: of metrics that need no model, or one whose weights are on this machine.
    True,
    /// Every metric, with placeholder models where weights are missing.
    All,
}

impl Shown {
    /// The folder of the run, so that demos do not overwrite each other.
    fn folder(self) -> &'static str {
        match self {
            Shown::True => "run",
            Shown::All => "run-all",
        }
    }
}

/// What [`run`] produced.
#[derive(Debug)]
pub struct Demo {
    pub run: Run,
    /// A second system: the stimuli themselves, blurred.
    pub blurred: Run,
    /// The recovery of simulated brains by simulated models.
    pub recovery: Table,
    /// Stimuli in the upper row, their reconstructions below.
    pub picture: PathBuf,
}

impl Demo {
    /// Scores of the run, and what simulated models recover, as tables of at most `columns` columns.
    ///
    /// # Errors
    /// [`Error`] for a table that cannot be made of the run.
    pub fn tables(&self, columns: Option<usize>) -> Result<String, Error> {
        let scores = self.run.table()?.table()?.text(columns);
        Ok(format!("{scores}\n{}", self.recovery.text(columns)))
    }

    /// Says what was written, and what to do with it with the command `program`; `quoted` formats paths.
    #[must_use]
    pub fn next(&self, program: &str, quoted: impl Fn(&Path) -> String) -> String {
        let [run, blurred] = [&self.run, &self.blurred].map(|run| quoted(run.folder.root()));
        let page = quoted(&self.picture.with_file_name("report.html"));
        format!(
            "
stimuli above their reconstructions: {picture}
two runs, with every score: {run} and {blurred} (the stimuli, only blurred)

next, on these runs:
  {program} compare {run} {blurred}
  {program} report {run} {blurred} --out {page}
and on your own images:
  {program} check STIMULI RECONSTRUCTIONS
  {program} score STIMULI RECONSTRUCTIONS --out runs/mine",
            picture = self.picture.display(),
        )
    }
}

/// Scores degraded scenes against the originals, whose objects and captions are known, through the same pipeline as
/// real data: `<out>/data` holds the dataset, `<out>/run` (with [`Shown::All`] `<out>/run-all`) the run, and
/// `<out>/blurred` the run of a second system, which only blurs the stimuli. Aligns simulated models with simulated
/// brains in `<out>/recovery`.
///
/// Nothing is downloaded. With [`Shown::All`] placeholder models replace models whose weights are not on this machine
/// (and image models in any case), and the output marks their metrics.
///
/// # Errors
/// Files that cannot be written, or a finished run of other inputs or options in the folder.
pub fn run(settings: &RunSettings, shown: Shown, progress: &dyn Progress) -> Result<Demo, Error> {
    let data = settings.out.join("data");
    let picture = settings.out.join("pairs.png");
    write_data(&data, &picture)?;
    let within = |folder: &str| RunSettings {
        out: settings.out.join(folder),
        ..settings.clone()
    };
    let has_encoder = has_encoder(settings)?;
    let mut first = within(shown.folder());
    // Records have absolute paths.
    let recorded = std::path::absolute(&data).unwrap_or_else(|_| data.clone());
    if is_of_this_demo(&first.out, &request(&recorded, shown, !has_encoder)) {
        progress.note(&changed_weights(&first.out, has_encoder));
        first.overwrite = true;
    }
    let run = score(&request(&data, shown, has_encoder), &first, progress)?;
    let blurred = score(&blurred_request(&data), &within(BLURRED), progress)?;
    let alignment = recovery::recovery(&within("recovery"), progress)?;
    Ok(Demo {
        run,
        blurred,
        recovery: recovery::table(&alignment),
        picture,
    })
}

/// Are the weights of the text encoder on this machine?
fn has_encoder(settings: &RunSettings) -> Result<bool, Error> {
    let entry = registry::find(DEFAULT_ENCODER)?;
    let options = WeightOptions::given(settings.weights.as_deref(), settings.allow_download);
    Ok(matches!(locate(entry, &options), Ok(Some(_))))
}

/// Does the folder have a run of this request by the demo? A demo with another text encoder may replace it. A run with
/// any other inputs or options belongs to the user.
fn is_of_this_demo(folder: &Path, request: &ScoreRequest) -> bool {
    let Ok(record) = RunFolder::open(folder).and_then(|folder| folder.record()) else {
        return false;
    };
    // A record has no preprocessing for models that the run does not use.
    let perception = PerceptionOptions {
        seed: record.request.perception.seed,
        ..request.perception
    };
    let request = ScoreRequest {
        perception,
        ..request.clone()
    };
    record.complete && record.request == request
}

/// Says why a run is repeated.
fn changed_weights(folder: &Path, has_encoder: bool) -> String {
    let (came, to) = match has_encoder {
        true => ("are on this machine now", "which adds Cap-Sim"),
        false => ("are not on this machine any more", "without them"),
    };
    format!("the weights of {DEFAULT_ENCODER} {came}: {} is made again, {to}", folder.display())
}

fn request(data: &Path, shown: Shown, has_encoder: bool) -> ScoreRequest {
    let encoder = match has_encoder {
        true => DEFAULT_ENCODER,
        false => PLACEHOLDER_ENCODER,
    };
    let metrics = METRICS.into_iter().chain(has_encoder.then_some(WITH_ENCODER));
    ScoreRequest {
        inputs: InputPaths::from([
            (Input::GT, data.join("gt")),
            (Input::RECON, data.join("recon")),
            (Input::Observations, data.join("observations")),
        ]),
        metrics: (shown == Shown::True).then(|| metrics.map(str::to_owned).collect()),
        text_encoder: encoder.into(),
        perception: PerceptionOptions {
            stand_in: shown == Shown::All,
            ..PerceptionOptions::default()
        },
        ..ScoreRequest::default()
    }
}

/// The second system has no observations, so only its pixels are scored.
fn blurred_request(data: &Path) -> ScoreRequest {
    ScoreRequest {
        inputs: InputPaths::from([(Input::GT, data.join("gt")), (Input::RECON, data.join(BLURRED))]),
        metrics: Some(PIXEL_METRICS.map(str::to_owned).to_vec()),
        ..ScoreRequest::default()
    }
}

/// Writes the scenes and their reconstructions by two systems, the observations of the stimuli and of the first system,
/// and a picture of the pairs.
fn write_data(data: &Path, picture: &Path) -> Result<(), Error> {
    let blurred = |scene: &Scene, index: u64| Scene {
        image: blur_and_noise(&scene.image, DEGRADATION, Seed(SEED.0 + index)),
        ..scene.clone()
    };
    let stimuli = &stimuli()?[..SCENES];
    let decoded: Vec<Scene> = reconstructions()?.iter().zip(0..).map(|(scene, index)| blurred(scene, index)).collect();
    write_side(data, Side::Gt, stimuli, 1.0)?;
    write_side(data, Side::Recon, &decoded, 1.0 - DEGRADATION)?;
    for (scene, index) in stimuli.iter().zip(0..) {
        let path = data.join(BLURRED).join(format!("{}.png", scene.stem));
        image_file::write_png(&path, &blurred(scene, index).image)?;
    }
    Ok(image_file::write_png(picture, &contact_sheet(stimuli, &decoded)?)?)
}

fn write_side(data: &Path, side: Side, scenes: &[Scene], confidence: f64) -> Result<(), Error> {
    let labels = LabelList::coco_gender();
    let observations = data.join("observations").join(side.folder());
    let recipe = observations.join(recipe::file_name(Detections::KIND));
    json::write(&recipe, &BTreeMap::from([("categories", labels.names())]))?;
    let mut texts = Vec::new();
    for (scene, index) in scenes.iter().zip(0..) {
        let file = format!("{}.png", scene.stem);
        image_file::write_png(&data.join(side.folder()).join(file), &scene.image)?;
        let found = detections(scene, &labels, Seed(SEED.0 + index), confidence);
        let file = format!("{}.json", scene.stem);
        detection_files::write_mmdet(&observations.join("detections").join(file), &found)?;
        texts.push((scene.stem.clone(), Captions(vec![scene.caption.clone()])));
    }
    Ok(captions::write_json(&observations.join("captions.json"), &texts)?)
}

/// All stimuli in a row with their reconstructions below, at half size.
fn contact_sheet(gt: &[Scene], recon: &[Scene]) -> Result<Image<u8>, Error> {
    const CELL_PX: usize = 128;
    const GAP_PX: usize = 6;
    let pitch = CELL_PX + GAP_PX;
    let (width_px, height_px) = (gt.len() * pitch + GAP_PX, 2 * pitch + GAP_PX);
    let mut sheet = vec![255_u8; width_px * height_px * Image::<u8>::CHANNELS];
    for (row, scenes) in [gt, recon].into_iter().enumerate() {
        for (column, scene) in scenes.iter().enumerate() {
            let small = resize_u8(&scene.image, CELL_PX, CELL_PX, Filter::Bicubic).map_err(|source| Error::Resize {
                pair: column.to_string(),
                source,
            })?;
            let (left, top) = (GAP_PX + column * pitch, GAP_PX + row * pitch);
            for (y, line) in small.data().chunks(CELL_PX * Image::<u8>::CHANNELS).enumerate() {
                let start = ((top + y) * width_px + left) * Image::<u8>::CHANNELS;
                sheet[start..start + line.len()].copy_from_slice(line);
            }
        }
    }
    Ok(Image::new(width_px, height_px, sheet).at("pairs.png")?)
}
