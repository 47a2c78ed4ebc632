//! A request to run, once its inputs are located.

use super::observers::{complete, mark_made};
use crate::Error;
use crate::observations::{Located, locate, refuse_missing};
use crate::observers::text_embeddings::{check, check_instruction};
use crate::option_names::FROM_RUN;
use crate::request::{ScoreRequest, label_list, refuse_unnamed};
use crate::run_record::RunRecord;
use crate::selection::wanted;
use crate::settings::RunSettings;
use neurogauge_core::LabelList;
use neurogauge_models::registry;

/// A request whose inputs are located.
pub(super) struct Asked<'a> {
    /// The request, with absolute paths and default models filled in.
    pub(super) request: ScoreRequest,
    /// The settings, with the models of the request.
    pub(super) settings: RunSettings,
    pub(super) labels: LabelList,
    pub(super) located: Located,
    /// The run that these inputs must match.
    pub(super) unchanged: Option<&'a RunRecord>,
}

impl<'a> Asked<'a> {
    /// Refuses requested inputs, metrics or models that do not exist, before anything is read or downloaded.
    pub(super) fn of(
        request: &ScoreRequest,
        settings: &RunSettings,
        expected: Option<&'a RunRecord>,
    ) -> Result<Self, Error> {
        let request = request.with_absolute_paths();
        refuse_unnamed(request.inputs.iter().map(|(_, path)| path))?;
        let labels = label_list(&request.labels)?;
        refuse_missing(&request.inputs)?;
        let wanted = wanted(request.metrics.as_deref())?;
        check(&request.text_encoder)?;
        for model in request.models.checkpoints.keys() {
            registry::find(model)?;
        }
        let unchanged = expected.filter(|_| !settings.accept_changes);
        if !request.labels.is_empty() {
            check_labels(&labels, &request.labels, unchanged)?;
        }
        check_instruction(&request.text_encoder, request.text_instruction.as_deref())?;
        let mut located = locate(&request.inputs, &labels)?;
        request.models.device.check()?;
        let request = complete(request, &wanted, &located)?;
        mark_made(&request, &mut located, settings)?;
        Ok(Asked {
            settings: settings.with_models(&request.models),
            request,
            labels,
            located,
            unchanged,
        })
    }
}

/// Fails unless the labels of this list are those of the repeated run.
pub(super) fn check_labels(labels: &LabelList, list: &str, unchanged: Option<&RunRecord>) -> Result<(), Error> {
    match unchanged {
        Some(record) if record.label_names != labels.names() || record.label_groups != *labels.groups() => {
            Err(Error::Usage(format!("{FROM_RUN}: the label list {list} has changed since the run was recorded")))
        }
        _ => Ok(()),
    }
}
