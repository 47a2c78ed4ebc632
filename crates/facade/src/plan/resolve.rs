//! Turns a request into a plan, with everything that is needed to execute it.

use super::asked::Asked;
use super::observers::{Chosen, choose};
use super::opened::Opened;
use super::order::ordered;
use super::record::record;
use super::weights::{ask, name_all};
use crate::Error;
use crate::execute::Step;
use crate::model_weights::may_download;
use crate::request::ScoreRequest;
use crate::run_record::RunRecord;
use crate::selected::Selection;
use crate::settings::RunSettings;
use neurogauge_core::{ObservationKind, Progress, Sides, Silent};
use neurogauge_models::ModelEntry;
use std::path::PathBuf;

/// A plan, with its inputs and the observers that execute it.
pub(crate) struct Resolved {
    /// The request, with absolute paths and default models filled in.
    pub(crate) request: ScoreRequest,
    /// The settings, with the models of the request.
    pub(crate) settings: RunSettings,
    pub(crate) images: Option<Sides<PathBuf>>,
    pub(crate) selection: Selection,
    pub(crate) inputs: Opened,
    /// The observers in the order in which they run, like the steps of the record's plan.
    pub(crate) observers: Vec<Box<dyn Step>>,
    /// `run.json` before anything is observed; it contains the plan.
    pub(crate) record: RunRecord,
    /// The models that the run needs but whose weights are not on this machine.
    pub(crate) missing_weights: Vec<&'static ModelEntry>,
}

/// Locates the inputs, selects the metrics, finds the models and opens the needed inputs. Observes and writes nothing.
///
/// If weights are missing, all of them are named in one message and requested once, before the first download. A dry
/// run continues without them.
pub(crate) fn resolve(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Resolved, Error> {
    #[cfg(test)]
    tests::N_RESOLVED.set(tests::N_RESOLVED.get() + 1);
    let mut asked = Asked::of(request, settings, expected)?;
    let may_download = may_download(settings);
    let (chosen, missing) = choose_without_download(&asked, progress)?;
    // Inputs are opened only to find all that is missing if it cannot be downloaded.
    let opening: &dyn Progress = if missing.is_some() && !may_download {
        &Silent
    } else {
        progress
    };
    let resolved = Resolved::of(&mut asked, chosen, opening);
    let resolved = match missing {
        None => {
            let resolved = resolved?;
            // The text encoder is read only if a text is not in the store.
            if may_download && !settings.is_dry_run {
                ask(&resolved.missing_weights, progress)?;
            }
            resolved
        }
        Some(missing) if !may_download => {
            return Err(match resolved {
                Ok(resolved) => name_all(missing, &resolved.missing_weights),
                Err(_) => missing,
            });
        }
        Some(_) => {
            let resolved = resolved?;
            resolved.check_ready()?;
            ask(&resolved.missing_weights, progress)?;
            let chosen = choose(&asked, &asked.settings, progress)?;
            resolved.with(chosen)?
        }
    };
    // Errors come without these.
    resolved.selection.skipped_notes().iter().for_each(|note| progress.note(note));
    for input in &resolved.inputs.dataset.inputs {
        let items = if input.items.len() == 1 { "item" } else { "items" };
        progress.detail(&format!("{}: {} {items} of {}", input.role, input.items.len(), input.path));
    }
    for model in &resolved.record.models {
        let weights = match (model.stand_in, model.sha256.as_str()) {
            (true, _) => "a placeholder, without weights".to_owned(),
            (false, "") => "behind a server, which knows its weights".to_owned(),
            (false, sha256) => format!("SHA-256 of the weights {sha256}"),
        };
        progress.detail(&format!("model {}: {weights}", model.id));
    }
    Ok(resolved)
}

/// Chooses with the weights on this machine. If some are missing, returns the choice as if they were here, and the
/// error about the first of them.
fn choose_without_download(asked: &Asked<'_>, progress: &dyn Progress) -> Result<(Chosen, Option<Error>), Error> {
    let finding = RunSettings {
        defers_downloads: true,
        ..asked.settings.clone()
    };
    match choose(asked, &finding, progress) {
        Err(missing) if missing.is_of_missing_weights() => {
            let expecting = RunSettings {
                is_dry_run: true,
                ..finding
            };
            match choose(asked, &expecting, &Silent) {
                Ok(chosen) => Ok((chosen, Some(missing))),
                // Other errors are reported before a download, not after it.
                Err(other) if may_download(&asked.settings) => Err(other),
                Err(_) => Err(missing),
            }
        }
        chosen => Ok((chosen?, None)),
    }
}

impl Resolved {
    fn of(asked: &mut Asked<'_>, chosen: Chosen, progress: &dyn Progress) -> Result<Self, Error> {
        let images = asked.located.files(ObservationKind::Images).cloned();
        let inputs = Opened::open(asked, &chosen.selection, progress)?;
        let mut request = asked.request.clone();
        // A run that does not prepare images as for SEED does not record that option.
        request.perception.seed = request.perception.seed.filter(|_| chosen.selection.has_seeds_way);
        let settings = asked.settings.clone();
        let observers = ordered(chosen.observers, &inputs.dataset, settings.step_order);
        let mut resolved = Resolved {
            record: record(&request, &chosen.selection, &observers, &chosen.encoders, &inputs)?,
            request,
            settings,
            images,
            selection: chosen.selection,
            inputs,
            observers,
            missing_weights: Vec::new(),
        };
        resolved.missing_weights = resolved.find_missing_weights()?;
        Ok(resolved)
    }

    /// The plan with other models.
    fn with(self, chosen: Chosen) -> Result<Self, Error> {
        let observers = ordered(chosen.observers, &self.inputs.dataset, self.settings.step_order);
        Ok(Resolved {
            record: record(&self.request, &chosen.selection, &observers, &chosen.encoders, &self.inputs)?,
            selection: chosen.selection,
            observers,
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::plan_score;
    use crate::score::score;
    use neurogauge_core::{Image, Input};
    use neurogauge_formats::image_file::write_png;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    thread_local! {
        /// Number of requests that this thread resolved.
        pub(super) static N_RESOLVED: Cell<usize> = const { Cell::new(0) };
    }

    /// Refuses downloads, and counts the requests for one.
    #[derive(Default)]
    struct Refusing(AtomicUsize);

    impl Progress for Refusing {
        fn start(&self, _stage: &str, _total: u64, _done: u64) {}
        fn advance(&self, _n: u64) {}
        fn finish(&self) {}
        fn note(&self, _message: &str) {}

        fn allows_download(&self, _what: &str) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            false
        }
    }

    #[test]
    fn a_request_is_resolved_once_and_weights_are_asked_for_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut request = ScoreRequest {
            metrics: Some(vec!["clip".to_owned(), "inception".to_owned()]),
            ..ScoreRequest::default()
        };
        for (input, side) in [(Input::GT, "gt"), (Input::RECON, "recon")] {
            for level in [0, 90] {
                let image = Image::new(4, 4, vec![level; 48]).unwrap();
                write_png(&dir.path().join(format!("{side}/{level}.png")), &image).unwrap();
            }
            request.inputs.set(input, Some(dir.path().join(side)));
        }
        let settings = |allow_download: bool| RunSettings {
            out: dir.path().join("run"),
            weights: Some(dir.path().join("weights")),
            allow_download,
            ..RunSettings::default()
        };
        let progress = Refusing::default();
        let n_resolved = |command: &dyn Fn()| {
            N_RESOLVED.set(0);
            command();
            N_RESOLVED.get()
        };
        let dry_run = || assert_eq!(plan_score(&request, &settings(true), &progress).unwrap().missing_weights.len(), 2);
        assert_eq!(n_resolved(&dry_run), 1);
        for allow_download in [false, true] {
            let run = || {
                let error = score(&request, &settings(allow_download), &progress).unwrap_err();
                assert!(error.is_of_missing_weights(), "{error}");
                assert!(error.to_string().contains("clip_vit"), "{error}");
            };
            assert_eq!(n_resolved(&run), 1);
        }
        assert_eq!(progress.0.into_inner(), 1);
    }
}
