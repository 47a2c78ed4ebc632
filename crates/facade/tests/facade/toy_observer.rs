//! An observer outside this toolkit, whose observations depend on two other kinds: it works in `score`, `perceive`, and
//! two parts of a plan that is then finished, and the order of steps does not change a byte.

#![allow(clippy::unwrap_used)]

use neurogauge::core::{Captions, Image, Input, InputPaths, ModelIdentity, ObservationKind, Seed};
use neurogauge::formats::captions;
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::json;
use neurogauge::models::ModelError;
use neurogauge::observers::{About, Observer, custom};
use neurogauge::work::{Work, WorkPlan};
use neurogauge::{
    CaptionerChoice, Error, PLACEHOLDER_ENCODER, PerceiveRequest, RunSettings, ScoreRequest, Shard, Silent, perceive,
    score,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Observes the brightness of an image and the number of words in its caption.
#[derive(Clone)]
struct Brightness {
    identity: ModelIdentity,
    n_observed: Arc<AtomicUsize>,
}

impl Observer for Brightness {
    type Item = (Image<f32>, Captions);
    type Recipe = ModelIdentity;
    type Model = ();
    type Input = (Image<f32>, Captions);
    type Output = (f64, usize);

    const ABOUT: About = About::of("brightness", "1", ObservationKind::Custom, 2);

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn recipe(&self) -> &ModelIdentity {
        &self.identity
    }

    fn load(&self) -> Result<Box<()>, Error> {
        Ok(Box::new(()))
    }

    fn prepare(&self, item: Self::Item) -> Result<Self::Input, ModelError> {
        Ok(item)
    }

    fn observe(
        &self,
        (): &(),
        items: &[Self::Input],
        _progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<(f64, usize)>, ModelError> {
        self.n_observed.fetch_add(items.len(), Ordering::Relaxed);
        let described = items.iter().map(|(image, texts)| {
            let mean = f64::from(image.data().iter().sum::<f32>()) / image.data().len() as f64;
            let n_words = texts.0.iter().map(|text| text.split(' ').count()).sum();
            ((mean * 255.0).round(), n_words)
        });
        Ok(described.collect())
    }
}

/// Grey images of both sides, with an unreadable last reconstruction, and a folder for the output.
struct Setting {
    dir: tempfile::TempDir,
    n_observed: Arc<AtomicUsize>,
}

const LEVELS: [u8; 6] = [0, 51, 102, 204, 255, 9];

impl Setting {
    fn new() -> Setting {
        let dir = tempfile::tempdir().unwrap();
        for side in ["gt", "recon"] {
            for (stem, level) in LEVELS.into_iter().enumerate() {
                let image = Image::new(8, 8, vec![level; 192]).unwrap();
                write_png(&dir.path().join(format!("{side}/{stem}.png")), &image).unwrap();
            }
        }
        std::fs::write(dir.path().join("recon/5.png"), "no picture").unwrap();
        Setting {
            dir,
            n_observed: Arc::default(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Settings with a cache that is shared only by commands with this `out`.
    fn settings(&self, out: &str) -> RunSettings {
        let observer = Brightness {
            identity: ModelIdentity::placeholder("brightness", "1"),
            n_observed: Arc::clone(&self.n_observed),
        };
        RunSettings {
            out: self.path(out),
            cache: Some(self.path(&format!("{out}-cache"))),
            custom_observers: vec![custom(observer)],
            ..RunSettings::default()
        }
    }

    fn captioner() -> Option<CaptionerChoice> {
        Some(CaptionerChoice {
            model: "placeholder-captioner".to_owned(),
            options: Default::default(),
        })
    }

    fn request(&self) -> ScoreRequest {
        let mut inputs = InputPaths::default();
        inputs.set(Input::GT, Some(self.path("gt")));
        inputs.set(Input::RECON, Some(self.path("recon")));
        ScoreRequest {
            inputs,
            metrics: Some(vec!["cap_sim".to_owned()]),
            captioner: Self::captioner(),
            text_encoder: PLACEHOLDER_ENCODER.to_owned(),
            ..ScoreRequest::default()
        }
    }

    /// Number of items that the observer observed since the last call.
    fn n_observed(&self) -> usize {
        self.n_observed.swap(0, Ordering::Relaxed)
    }
}

type ByStem = BTreeMap<String, (f64, usize)>;

/// The observations of one side, compared with the images and the captions.
fn checked(folder: &Path, side: &str) -> ByStem {
    let found: ByStem = json::read(&folder.join(side).join("custom.json")).unwrap();
    let captions = captions::read(&folder.join(side).join("captions.json")).unwrap();
    let n_words = |Captions(texts): &Captions| texts[0].split(' ').count();
    let expected = captions.iter().map(|(stem, texts)| {
        let level = LEVELS[stem.parse::<usize>().unwrap()];
        (stem.clone(), (f64::from(level), n_words(texts)))
    });
    assert_eq!(found, expected.collect::<ByStem>(), "{side}");
    found
}

#[test]
fn a_kind_of_two_parents_goes_through_score_parts_and_perceive() {
    let setting = Setting::new();
    let run = score(&setting.request(), &setting.settings("run"), &Silent).unwrap();
    let whole = ["gt", "recon"].map(|side| checked(&setting.path("run/observations"), side));
    // The broken image has no caption, so it is not observed.
    assert_eq!(whole.each_ref().map(BTreeMap::len), [6, 5]);
    // Grey images of one level are equal on both sides.
    assert_eq!(setting.n_observed(), 6);
    let record = run.record;
    let makes = record.steps().iter().map(|step| step.makes());
    assert_eq!(makes.collect::<Vec<_>>(), [ObservationKind::Captions, ObservationKind::Custom]);
    let failed: Vec<&str> = record.failed(ObservationKind::Custom).map(|item| item.stem.as_str()).collect();
    assert_eq!(failed, ["5"]);
    let step = &record.steps()[1];
    let reads = step.parts[1].output.reads.iter().map(ToString::to_string);
    assert_eq!(reads.collect::<Vec<_>>(), ["recon/images", "recon/captions"]);
    assert!(record.models.iter().any(|model| model.id == "brightness"));

    let settings = setting.settings("parts");
    let work = Work::Score(Box::new(setting.request()));
    WorkPlan::write(work, &settings, &Silent).unwrap();
    let mut plan = WorkPlan::read(&settings.out).unwrap();
    plan.settings.custom_observers.clone_from(&settings.custom_observers);
    for index in [1, 0] {
        let of = 2.try_into().unwrap();
        plan.work(Shard { index, of }, &Silent).unwrap();
        assert!(!settings.out.join("observations/gt/custom.json").exists());
    }
    let of_parts = setting.n_observed();
    assert!(of_parts >= 6, "{of_parts}");
    let finished = score(&setting.request(), &settings, &Silent).unwrap();
    assert_eq!(setting.n_observed(), 0, "the parts observed everything");
    assert_eq!(finished.scores, run.scores);
    for side in ["gt", "recon"] {
        let bytes = |out: &str| std::fs::read(setting.path(&format!("{out}/observations/{side}/custom.json"))).unwrap();
        assert_eq!(bytes("parts"), bytes("run"), "{side}");
    }
    let hidden = std::fs::read_dir(settings.out.join("observations")).unwrap();
    let mut hidden = hidden.map(|entry| entry.unwrap().file_name());
    assert!(!hidden.any(|name| name.to_string_lossy().starts_with('.')));

    let request = PerceiveRequest {
        images: Some(setting.path("gt")),
        captioner: Setting::captioner(),
        ..PerceiveRequest::default()
    };
    let made = perceive(&request, &setting.settings("perceived"), &Silent).unwrap();
    let kinds: Vec<ObservationKind> = made.iter().map(|made| made.kind).collect();
    assert_eq!(kinds, [ObservationKind::Captions, ObservationKind::Custom]);
    assert_eq!(checked(&setting.path("perceived"), ""), whole[0]);
}

#[test]
fn no_order_of_steps_changes_a_byte() {
    let setting = Setting::new();
    let request = ScoreRequest {
        metrics: Some(["cap_sim", "object_f1", "effnet"].map(str::to_owned).to_vec()),
        detector: Some(neurogauge::DetectorChoice {
            model: "placeholder-detector".to_owned(),
            options: Default::default(),
        }),
        perception: neurogauge::PerceptionOptions {
            stand_in: true,
            ..Default::default()
        },
        ..setting.request()
    };
    let mut orders = Vec::new();
    let mut scores = Vec::new();
    for (out, seed) in [("none", None), ("a", Some(Seed(1))), ("b", Some(Seed(2))), ("c", Some(Seed(0x12)))] {
        let settings = RunSettings {
            step_order: seed,
            ..setting.settings(out)
        };
        let run = score(&request, &settings, &Silent).unwrap();
        let kinds: Vec<ObservationKind> = run.record.steps().iter().map(|step| step.makes()).collect();
        let place = |kind| kinds.iter().position(|other| *other == kind).unwrap();
        assert!(place(ObservationKind::Captions) < place(ObservationKind::Custom), "{kinds:?}");
        assert_eq!(checked(&setting.path(out).join("observations"), "gt").len(), 6);
        orders.push(kinds);
        scores.push((run.scores, run.record.models, run.record.fingerprint));
    }
    assert!(scores.windows(2).all(|two| two[0] == two[1]));
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 4, "{orders:?}");
}
