//! Metrics that look at more than the pixels of two images, such as those of models: `score` of changed images.

use super::scene::{self, Estimate, Scene};
use super::suspects::Suspect;
use crate::{Error, Progress, RunSettings, ScoreRequest, score};
use neurogauge_core::image::ImageReading;
use neurogauge_core::pair::Pairing;
use neurogauge_core::{Input, Side, Silent, parallel};
use neurogauge_formats::IoResult;
use neurogauge_formats::image_file::write_png;

/// Standard errors between the ends of an interval of 95%.
const WIDTH: f64 = 2.0 * 1.959_964;

/// For each list of suspects, the mean and the standard error of a metric. Images are written with 8 bits, which clips
/// them to 0 to 1.
///
/// # Errors
/// The files as they are cannot be scored, for example without a model's weights. After a change they have no value then.
pub(super) fn scored(
    scene: &Scene<'_>,
    all: &[Vec<&Suspect>],
    id: &str,
    request: &ScoreRequest,
    progress: &dyn Progress,
) -> Result<Vec<Estimate>, Error> {
    let folder = tempfile::tempdir().when("making a folder in", std::env::temp_dir())?;
    let estimate = |place: usize| {
        let own = tempfile::tempdir_in(&folder).when("making a folder in", folder.path())?;
        let sides = Side::BOTH.map(|side| own.path().join(side.folder()));
        parallel::try_map(scene.n_scored(), |k| match scene.pair(&all[place], k)? {
            Some(both) => Side::BOTH.into_iter().zip(&sides).try_for_each(|(side, folder)| {
                Ok::<_, Error>(write_png(&folder.join(format!("{k:03}.png")), &both.side(side).to_levels())?)
            }),
            None => Ok(()),
        })?;
        let request = ScoreRequest {
            inputs: [Input::GT, Input::RECON].into_iter().zip(sides).collect(),
            pairing: Pairing::default(),
            reading: ImageReading::default(),
            metrics: Some(vec![id.to_owned()]),
            ..scene::request(request, &all[place]).clone()
        };
        let settings = RunSettings {
            out: own.path().join("run"),
            cache: Some(folder.path().join("cache")),
            ..RunSettings::default()
        };
        let run = score(&request, &settings, &Silent)?;
        let estimate = run.summaries()?.first().map(|own| own.estimate.clone());
        progress.advance(1);
        let estimate = estimate.and_then(|own| own.value.ok().zip(own.interval));
        Ok(estimate.map(|(mean, (low, high))| (mean, (high - low) / WIDTH)))
    };
    progress.start("scoring what is supposed", all.len() as u64, 0);
    let found = (0..all.len()).map(|place| match estimate(place) {
        Err(_) if place > 0 => Ok(None),
        found => found,
    });
    let found = found.collect();
    progress.finish();
    found
}
