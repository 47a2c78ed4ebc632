//! Describes both sides of a run.

use super::recipe::{CaptionRecipe, Captioning, obtain};
use crate::Error;
use crate::dataset::{Dataset, Paired};
use crate::describing::{self, Describer, Undescribed};
use crate::journal::Journal;
use crate::observations::{Located, Sides};
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use neurogauge_core::{Captions, ObservationKind, Side};
use neurogauge_formats::captions;

/// The captioner of a run, if it has one: what describes its images instead of captions that are given.
pub(crate) fn choose(
    request: &ScoreRequest,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<Describer<Captioning>>, Error> {
    let Some(choice) = &request.captioner else {
        return Ok(None);
    };
    if let Some(path) = request.inputs.given(ObservationKind::Captions).next() {
        return Err(Error::Usage(format!(
            "--captioner describes the images, and there are captions already ({}); leave one of them away",
            path.display()
        )));
    }
    if !located.has(ObservationKind::Images) {
        return Err(Error::Usage(
            "--captioner needs images of both sides (--gt, --recon)".into(),
        ));
    }
    let found = obtain(&choice.model, settings, progress)?;
    let recipe = CaptionRecipe::of(&found, choice.options)?;
    located.observe(ObservationKind::Captions);
    Ok(Some(Describer::new(recipe, found)))
}

/// Describes the images of both sides, adds the captions to the data and keeps them in the run folder.
pub(crate) fn caption_inputs(
    mut describer: Describer<Captioning>,
    dataset: &mut Dataset,
    folder: &RunFolder,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Undescribed>, Error> {
    let Some(images) = &dataset.images else {
        return Ok(Vec::new());
    };
    let id = &describer.recipe.model.id;
    let journal_path = describing::journal_path("captions", id, folder, settings)?;
    let mut journal = Journal::open(&journal_path)?;
    let mut without = Vec::new();
    let mut describe = |side: Side| -> Result<Vec<(String, Captions)>, Error> {
        let Some(record) = dataset.input(&format!("{}/images", side.folder())) else {
            return Ok(Vec::new());
        };
        let source = images.sides.side(side);
        let described = describer.describe(source, record, &mut journal, progress)?;
        without.extend(described.without);
        let captions = source.stems().iter().cloned().zip(described.keys);
        let captions: Vec<(String, Captions)> = captions
            .map(|(stem, key)| (stem, Captions(journal.value(key).into_iter().collect())))
            .collect();
        let known: Vec<(String, Captions)> = captions
            .iter()
            .filter(|(_, captions)| !captions.0.is_empty())
            .cloned()
            .collect();
        captions::write_json(&folder.captions_path(side), &known)?;
        Ok(captions)
    };
    let sides = Sides {
        gt: describe(Side::Gt)?,
        recon: describe(Side::Recon)?,
    };
    let pairs = images.pairs.clone();
    dataset.captions = Some(Paired { sides, pairs });
    Ok(without)
}

/// The captions that a finished run keeps, where it keeps them for every pair.
pub(crate) fn read_captions(dataset: &mut Dataset, folder: &RunFolder) -> Result<(), Error> {
    let paths = Side::BOTH.map(|side| folder.captions_path(side));
    let Some(images) = &dataset.images else {
        return Ok(());
    };
    if paths.iter().any(|path| !path.exists()) {
        return Ok(());
    }
    let [gt, recon] = paths.map(|path| captions::read(&path));
    let sides = Sides {
        gt: gt?,
        recon: recon?,
    };
    let are_all_there = Side::BOTH.into_iter().all(|side| {
        let stems = sides.side(side).iter().map(|(stem, _)| stem);
        stems.eq(images.sides.side(side).stems())
    });
    if are_all_there {
        let pairs = images.pairs.clone();
        dataset.captions = Some(Paired { sides, pairs });
    }
    Ok(())
}
