//! A kind that its own files add (`kinds/toy/`) is made, stored, opened and compared like every other.

use crate::kinds::toy::{BrightnessObserver, METRIC};
use crate::kinds::{compute, needs_of, open};
use crate::observations::locate;
use crate::observers::custom;
use crate::plan::{Resolved, resolve};
use crate::run_folder::RunFolder;
use crate::selected::{MetricSource, Selected};
use crate::{RunSettings, ScoreRequest, Silent};
use neurogauge_core::{Image, Input, InputPaths, LabelList, ModelIdentity, ObservationKind, Outcome, Side};
use neurogauge_formats::image_file::write_png;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A run that compares pixels and the toy's metric.
fn resolved(inputs: &InputPaths, settings: &RunSettings) -> Resolved {
    let request = ScoreRequest {
        inputs: inputs.clone(),
        metrics: Some(vec!["pixcorr".to_owned()]),
        ..ScoreRequest::default()
    };
    let mut resolved = resolve(&request, settings, None, &Silent).unwrap();
    let source = MetricSource::Compared;
    resolved.selection.metrics.push(Selected {
        metric: &METRIC,
        source,
    });
    resolved
}

fn scores(resolved: &Resolved, folder: &RunFolder) -> Vec<Outcome> {
    let computed = compute(&resolved.context(folder, &Silent)).unwrap();
    computed.scores.column(METRIC.spec.id).unwrap().to_vec()
}

/// Black, grey and white stimuli, and reconstructions that are all black, with captions.
fn inputs(root: &Path) -> InputPaths {
    let mut inputs = InputPaths::default();
    for side in Side::BOTH {
        let folder = root.join(side.folder());
        for (stem, level) in ["a", "b", "c"].into_iter().zip([0, 102, 255]) {
            let level = if side == Side::Gt { level } else { 0 };
            write_png(&folder.join(format!("{stem}.png")), &Image::new(4, 4, vec![level; 48]).unwrap()).unwrap();
        }
        let captions = root.join(format!("{}.json", side.folder()));
        std::fs::write(&captions, r#"{"a": "black", "b": "grey", "c": "white"}"#).unwrap();
        inputs.set(Input::Of(side, ObservationKind::Images), Some(folder));
        inputs.set(Input::named(&format!("{}_captions", side.folder())).unwrap(), Some(captions));
    }
    inputs
}

#[test]
fn a_kind_goes_through_a_run_by_its_own_files() {
    let dir = tempfile::tempdir().unwrap();
    let inputs = inputs(dir.path());
    let n_seen = Arc::new(AtomicUsize::new(0));
    let observer = BrightnessObserver {
        model: ModelIdentity {
            id: "brightness".to_owned(),
            revision: "1".to_owned(),
            sha256: String::new(),
            stand_in: false,
        },
        n_seen: Arc::clone(&n_seen),
    };
    let settings = |out: &str| RunSettings {
        out: dir.path().join(out),
        cache: Some(dir.path().join("cache")),
        custom_observers: vec![custom(observer.clone())],
        ..RunSettings::default()
    };
    let expected = |found: Vec<Outcome>| {
        let values: Vec<f64> = found.into_iter().map(Result::unwrap).collect();
        assert!(values.iter().zip([1.0, 0.6, 0.0]).all(|(found, level)| (found - level).abs() < 1e-6), "{values:?}");
    };

    // Made by the observer, which sees each image with its caption once.
    let made = [("run", 5), ("again", 0)].map(|(out, n_expected)| {
        let settings = settings(out);
        let mut resolved = resolved(&inputs, &settings);
        let folder = RunFolder::create(&settings.out).unwrap();
        resolved.execute(&folder, &Silent).unwrap();
        expected(scores(&resolved, &folder));
        assert_eq!(n_seen.swap(0, Ordering::Relaxed), n_expected, "{out}");
        folder
    });

    // Reopened from the run's own folder.
    let mut reopened = resolved(&inputs, &settings("run"));
    reopened.open_observed(&made[0]).unwrap();
    expected(scores(&reopened, &made[0]));

    // Opened from a user's files.
    let mut inputs = inputs;
    inputs.set(Input::Observations, Some(made[0].root().join("observations")));
    let settings = RunSettings {
        out: dir.path().join("given"),
        ..RunSettings::default()
    };
    let mut given = resolved(&inputs, &settings);
    let mut located = locate(&inputs, &LabelList::coco_gender()).unwrap();
    let labels = LabelList::coco_gender();
    given.inputs.dataset = open(&given.selection, &mut located, &given.request, &labels, &Silent).unwrap();
    expected(scores(&given, &RunFolder::create(&settings.out).unwrap()));
    assert_eq!(n_seen.load(Ordering::Relaxed), 0);
    let ways = "custom observations of both sides (custom.json in observations, or gt-custom and recon-custom)";
    assert_eq!(needs_of(&METRIC).ways(), ways);
}
