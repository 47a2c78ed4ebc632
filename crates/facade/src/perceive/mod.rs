//! `neurogauge perceive`: observes images or captions and writes the observations.

mod observers;
mod one_source;
mod request;

pub use request::{ParserChoice, PerceiveRequest};

use crate::Error;
use crate::execute::{PerceivedLayout, Places, StepOutput, StepResult, outputs_of, run_steps};
use crate::observers::box_overlay::UserPictures;
use crate::plan::ordered;
use crate::settings::RunSettings;
use crate::store::past_full_cache;
use neurogauge_core::{Progress, Role};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_models::{ImagePreset, ModelLayers};
use observers::{labels_of, observers_of, passes};
use one_source::OneSource;

/// Observes images or captions and writes the observations, with files that record how they were made:
/// `<out>/features/<model>.<layer>.npy` and `ids.json`; `captions.json` (in SEED's layout `captions.npy`);
/// `scene_graphs.json`; `masks/<stem>.json`; `detections/<stem>.json` (in SEED's layout `preds/<stem>.json`) and on
/// request `vis/<stem>.png`.
///
/// A parser reads the captions that a captioner of the same call writes, and a segmenter the categories that a
/// vision-language model names. Every result is stored by content as soon as it is made, in the store that `score` uses
/// too: an interrupted call continues where it stopped, and an item is observed again only if it, the weights or the
/// options changed. A failed item is reported and left out, and the others are observed, unless the settings stop at
/// it; a matrix with missing rows has its ids in `<model>.<layer>.ids.json`.
///
/// Conventions: `parsed-captions`, `parser-source-limit`, `graph-text`, `sentences-punkt`.
///
/// # Errors
/// A device that this build or machine does not have; unknown models and layers; weights that are neither here nor may
/// be downloaded; images, captions, parameters or WordNet files that cannot be read; existing observations or drawings
/// that this program did not write and that would be replaced.
pub fn perceive(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<StepResult>, Error> {
    past_full_cache(settings, progress, |settings| perceived(request, settings, progress))
}

fn perceived(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<StepResult>, Error> {
    let settings = &settings.with_models(&request.models);
    let mut taken = Vec::new();
    let labels = labels_of(request, &mut taken)?;
    let mut inputs = OneSource::open(request, &mut taken, progress)?;
    let observers = observers_of(request, &labels, &inputs, settings, progress)?;
    let observers = ordered(observers, &inputs, settings.step_order);
    let outputs = outputs_of(&observers, &inputs);
    let reads_images = |output: &StepOutput| output.reads.contains(&Role::IMAGES);
    let n_readers = outputs.iter().filter(|of_step| of_step.iter().any(reads_images)).count();
    if let Some((source, _)) = &inputs.images
        && n_readers > 1
    {
        source.keep_decoded();
    }
    // A shard draws nothing.
    let drawn = request.vis_min_score.filter(|_| settings.shard.is_none());
    let pictures = match (drawn, &inputs.images) {
        (Some(_), Some((source, _))) => Some(UserPictures::open(&settings.out, source)?),
        _ => None,
    };
    let places = Places::of_perceive(&settings.out, request.layout);
    let made = run_steps(observers, &mut inputs, &places, settings, progress)?;
    taken.iter().for_each(|found| found.tell(progress));
    let mut made: Vec<StepResult> = made.into_iter().flatten().collect();
    for made in &mut made {
        for warning in made.findings.iter().filter(|warning| warning.code == "not_reproducible") {
            progress.note(&format!("{}: {}", warning.subject, warning.message));
        }
        if let (Some(min_score), Some(pictures), Some((source, _))) = (drawn, &pictures, &inputs.images) {
            pictures.draw(source, made, &labels, min_score, progress)?;
        }
    }
    Ok(made)
}

pub(crate) fn perceive_features(
    images: (ImageSource, InputRecord),
    with: &[ModelLayers],
    (preset, antialias): (ImagePreset, Option<bool>),
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<StepResult>, Error> {
    let request = PerceiveRequest {
        features: with.to_vec(),
        preset,
        antialias,
        ..PerceiveRequest::default()
    };
    let mut inputs = OneSource::of_images(images);
    let observers = passes(&request, settings, progress)?;
    let places = Places::of_perceive(&settings.out, PerceivedLayout::Own);
    Ok(run_steps(observers, &mut inputs, &places, settings, progress)?.into_iter().flatten().collect())
}
