//! `neurogauge perceive`.

use crate::args::{PerceiveArgs, Switch};
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::settings;
use neurogauge::models::ImagePreset;
use neurogauge::{Error, PerceiveRequest, RunSettings, perceive};
use std::fmt::Write;

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    let request = PerceiveRequest {
        images: args.images.clone(),
        with: args.with.clone(),
        preset: args.preset.map_or(ImagePreset::Published, Into::into),
        antialias: args.antialias.map(|antialias| antialias == Switch::On),
    };
    let settings = RunSettings {
        device: args.device.device,
        ..settings(args.out.clone(), &args.weights)
    };
    let matrices = perceive(&request, &settings, &Bars::default())?;
    let mut paths = String::new();
    for matrix in &matrices {
        let stand_in = if matrix.recipe.model.stand_in {
            " (a stand-in: its numbers mean nothing)"
        } else {
            ""
        };
        output::message(&format!(
            "{}: {} images, {} of them seen by the model now{stand_in}",
            matrix.recipe.name(),
            matrix.n_images,
            matrix.n_seen
        ));
        // Writing to a string cannot fail.
        let _ = writeln!(paths, "{}", matrix.path.display());
    }
    output::data(&paths)
}
