//! The demo: draws a dataset, writes it as a user would have it, and scores it.

use super::{Scene, blur_and_noise, degrade, detections, draw, scenes};
use neurogauge::core::image::{Filter, resize_u8};
use neurogauge::core::{Captions, Image, LabelList, Seed, Side};
use neurogauge::formats::{captions, detections as detection_files, image_file};
use neurogauge::models::registry;
use neurogauge::models::weights::{WeightOptions, locate};
use neurogauge::{
    DEFAULT_ENCODER, Error, Input, InputPaths, PLACEHOLDER_ENCODER, PerceptionOptions, Progress,
    Run, RunSettings, ScoreRequest, score,
};
use std::path::{Path, PathBuf};

const SCENES: usize = 8;
const SEED: Seed = Seed(2026);
/// How much of the content and of the pixels a "reconstruction" loses, 0 to 1.
const DEGRADATION: f64 = 0.5;

/// What [`run`] made.
#[derive(Debug)]
pub struct Demo {
    /// The scored run.
    pub run: Run,
    /// Stimuli in the upper row, their reconstructions below.
    pub picture: PathBuf,
}

/// Draws scenes whose objects and captions are known, degrades them, and scores the result through
/// the same pipeline as real data: `<out>/data` holds the dataset, `<out>/run` the run.
///
/// Offline by design: where the text encoder's weights are not on this machine, a placeholder model takes
/// its place; the image models are always replaced by one. The output marks what rests on them.
pub fn run(settings: &RunSettings, progress: &dyn Progress) -> Result<Demo, Error> {
    let data = settings.out.join("data");
    let stimuli = scenes(SEED, SCENES);
    let decoded: Vec<Scene> = stimuli
        .iter()
        .map(|scene| degrade(scene, DEGRADATION, SEED))
        .collect();
    let drawn: Vec<Image<u8>> = stimuli.iter().map(draw).collect();
    let blurred: Vec<Image<u8>> = decoded
        .iter()
        .zip(0..)
        .map(|(scene, index)| blur_and_noise(&draw(scene), DEGRADATION, Seed(SEED.0 + index)))
        .collect();
    write_side(&data, Side::Gt, &stimuli, &drawn, 1.0)?;
    write_side(&data, Side::Recon, &decoded, &blurred, 1.0 - DEGRADATION)?;
    let observations = data.join("observations");
    let picture = settings.out.join("pairs.png");
    image_file::write_png(&picture, &contact_sheet(&drawn, &blurred)?)?;

    let entry = registry::find(DEFAULT_ENCODER)?;
    let options = WeightOptions::given(settings.weights.as_deref(), settings.allow_download);
    let encoder = match locate(entry, &options) {
        Ok(Some(_)) => DEFAULT_ENCODER,
        _ => PLACEHOLDER_ENCODER,
    };
    let request = ScoreRequest {
        inputs: InputPaths::from([
            (Input::GT, data.join("gt")),
            (Input::RECON, data.join("recon")),
            (Input::Observations, observations),
        ]),
        text_encoder: encoder.into(),
        perception: PerceptionOptions {
            stand_in: true,
            ..PerceptionOptions::default()
        },
        ..ScoreRequest::default()
    };
    let settings = RunSettings {
        out: settings.out.join("run"),
        ..settings.clone()
    };
    Ok(Demo {
        run: score(&request, &settings, progress)?,
        picture,
    })
}

fn write_side(
    data: &Path,
    side: Side,
    scenes: &[Scene],
    images: &[Image<u8>],
    confidence: f64,
) -> Result<(), Error> {
    let labels = LabelList::coco_gender();
    let observations = data.join("observations").join(side.folder());
    let mut texts = Vec::new();
    for ((scene, image), index) in scenes.iter().zip(images).zip(0..) {
        let file = format!("{}.png", scene.stem);
        image_file::write_png(&data.join(side.folder()).join(file), image)?;
        let found = detections(scene, &labels, Seed(SEED.0 + index), confidence);
        let file = format!("{}.json", scene.stem);
        detection_files::write_mmdet(&observations.join("detections").join(file), &found)?;
        texts.push((scene.stem.clone(), Captions(vec![scene.caption.clone()])));
    }
    captions::write_json(&observations.join("captions.json"), &texts)?;
    Ok(())
}

/// All stimuli in a row, their reconstructions below, at half size.
fn contact_sheet(gt: &[Image<u8>], recon: &[Image<u8>]) -> Result<Image<u8>, Error> {
    const CELL_PX: usize = 128;
    const GAP_PX: usize = 6;
    let pitch = CELL_PX + GAP_PX;
    let (width_px, height_px) = (gt.len() * pitch + GAP_PX, 2 * pitch + GAP_PX);
    let mut sheet = vec![255_u8; width_px * height_px * Image::<u8>::CHANNELS];
    for (row, images) in [gt, recon].into_iter().enumerate() {
        for (column, image) in images.iter().enumerate() {
            let small = resize_u8(image, CELL_PX, CELL_PX, Filter::Bicubic).map_err(|source| {
                Error::Resize {
                    pair: column.to_string(),
                    source,
                }
            })?;
            let (left, top) = (GAP_PX + column * pitch, GAP_PX + row * pitch);
            for (y, line) in small
                .data()
                .chunks(CELL_PX * Image::<u8>::CHANNELS)
                .enumerate()
            {
                let start = ((top + y) * width_px + left) * Image::<u8>::CHANNELS;
                sheet[start..start + line.len()].copy_from_slice(line);
            }
        }
    }
    Ok(Image::new(width_px, height_px, sheet).map_err(|source| {
        neurogauge::formats::FormatError::ImageSize {
            path: "pairs.png".into(),
            source,
        }
    })?)
}
