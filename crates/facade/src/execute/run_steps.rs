//! Runs the steps of a plan in order, for `score`, `perceive` or a shard of either.

use super::{Places, Step, StepContext, StepInputs, StepOutput, StepResult};
use crate::Error;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::{warn_of_others_files, warn_of_read_only};
use neurogauge_core::Role;
use neurogauge_formats::{FormatError, IoResult, json, recipe};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) type Made = Vec<Vec<StepResult>>;

/// Runs steps in order. A step reads the output of earlier steps, which is opened from disk.
///
/// A shard writes only the inputs of its later steps, into a folder that is removed at the end; all its results are in
/// the store.
pub(crate) fn run_steps(
    observers: Vec<Box<dyn Step + '_>>,
    inputs: &mut dyn StepInputs,
    places: &Places,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Made, Error> {
    if !observers.is_empty() {
        warn_of_read_only(settings, progress);
    }
    for observer in &observers {
        for model in observer.models() {
            warn_of_others_files(observer.makes().id(), &model.id, settings, progress);
        }
    }
    let outputs = outputs_of(&observers, inputs);
    let shard = settings.shard.map(|shard| places.of_shard(shard));
    let mut made = Vec::with_capacity(observers.len());
    let mut stand_ins: BTreeSet<Role> = BTreeSet::new();
    for (place, observer) in observers.into_iter().enumerate() {
        let of_step = &outputs[place];
        let writes = shard.is_none() || is_read(of_step, &outputs[place + 1..]);
        let written = shard.as_ref().unwrap_or(places);
        let context = StepContext {
            inputs,
            places: written,
            settings,
            progress,
            writes,
        };
        let mut recipe = observer.written_recipe()?;
        let mut reads = of_step.iter().flat_map(|output| &output.reads);
        if reads.any(|role| stand_ins.contains(role) || context.inputs.is_stand_in(*role)) {
            recipe["stand_in"] = true.into();
        }
        if recipe::is_stand_in(&recipe) {
            stand_ins.extend(of_step.iter().map(|output| output.writes));
        }
        made.push(run_step(observer, &recipe, of_step, places, &context)?);
        if writes {
            inputs.open(of_step, written)?;
        }
    }
    if let Some(folder) = shard.as_ref().map(|shard| &shard.written).filter(|folder| folder.exists()) {
        std::fs::remove_dir_all(folder).when("removing", folder)?;
    }
    Ok(made)
}

/// Runs one step. It marks the files that it writes with their recipe and, in the user's folder, refuses to replace
/// files without a mark. The recipe of existing files stays until the step is done, since a step that fails leaves them
/// unchanged.
fn run_step(
    observer: Box<dyn Step + '_>,
    recipe: &Value,
    outputs: &[StepOutput],
    places: &Places,
    context: &StepContext<'_>,
) -> Result<Vec<StepResult>, Error> {
    let marked = outputs.iter().filter(|output| output.features.is_none());
    let mut later = Vec::new();
    for StepOutput { writes, .. } in marked {
        let (of, kind) = (writes.of, writes.kind);
        let folder = places.folder(of, kind);
        let mark = folder.with_file_name(recipe::file_name(kind));
        if !places.is_of_user() || mark.exists() {
            later.push(mark);
            continue;
        }
        if let Some(path) = [folder, places.file(of, kind)].into_iter().find(|path| path.exists()) {
            return Err(Error::foreign(&path, &recipe::file_name(kind), "it"));
        }
        write_mark(&mark, recipe)?;
    }
    let made = observer.run(context)?;
    // A shard writes none of these files.
    let is_whole = context.settings.shard.is_none();
    for mark in later.iter().filter(|_| is_whole) {
        write_mark(mark, recipe)?;
    }
    Ok(made)
}

fn write_mark(mark: &Path, recipe: &Value) -> Result<(), FormatError> {
    let folder = mark.parent().unwrap_or(mark);
    std::fs::create_dir_all(folder).when("creating", folder)?;
    json::write(mark, recipe)
}

pub(crate) fn outputs_of(observers: &[Box<dyn Step + '_>], inputs: &dyn StepInputs) -> Vec<Vec<StepOutput>> {
    let image_sets = inputs.image_sets();
    observers.iter().map(|observer| observer.outputs(&image_sets)).collect()
}

/// Does one of the later steps read an output of this step?
pub(crate) fn is_read(of_step: &[StepOutput], later: &[Vec<StepOutput>]) -> bool {
    let written: BTreeSet<Role> = of_step.iter().map(|output| output.writes).collect();
    later.iter().flatten().flat_map(|output| &output.reads).any(|role| written.contains(role))
}
