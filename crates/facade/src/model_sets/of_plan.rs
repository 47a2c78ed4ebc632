//! The models that a plan or a run names.

use super::of_request;
use crate::Error;
use crate::align::Planned;
use crate::model_weights::with_files;
use crate::run_folder::RECORD;
use crate::run_record::RunRecord;
use crate::work::{Work, WorkPlan};
use std::path::Path;

/// The models that a plan or a run names, including those of metrics that it leaves out because weights are missing.
pub(super) fn of_plan(path: &Path) -> Result<Vec<String>, Error> {
    let folder = match path.is_dir() {
        true => path,
        false => path.parent().unwrap_or(Path::new("")),
    };
    let record = folder.join(RECORD);
    let mut ids: Vec<String> = Vec::new();
    if record.is_file() {
        let record = RunRecord::read(&record)?;
        let plan = record.plan;
        ids.extend(record.models.into_iter().filter(|model| !model.stand_in).map(|model| model.id));
        ids.extend(plan.left_out.into_iter().filter_map(|left| left.model));
        ids.extend(of_request(&record.request)?);
    } else {
        if let Ok(planned) = Planned::read(folder) {
            ids.extend(planned.request.config.sources.into_iter().filter_map(|source| source.model));
            return Ok(with_files(ids));
        }
        match WorkPlan::read(folder)?.work {
            Work::Score(request) => ids.extend(of_request(&request)?),
            Work::Perceive(request) => {
                ids.extend(request.features.into_iter().map(|layers| layers.model));
                ids.extend(request.captioner.map(|choice| choice.model));
                ids.extend(request.detector.map(|choice| choice.model));
                ids.extend(request.parser.map(|choice| choice.model));
                if let Some(choice) = request.segmenter {
                    // Given boxes replace the detector.
                    ids.extend(request.boxes.is_none().then_some(choice.detector).into_iter().chain([choice.model]));
                }
            }
        }
    }
    Ok(with_files(ids))
}
