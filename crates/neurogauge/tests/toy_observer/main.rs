//! What an observer and its metric cost, without a line of the facade: the mean colour of an image as its answer, and
//! how far apart two answers are.

#![allow(clippy::unwrap_used)]

use neurogauge::core::pair::pair_by_stem;
use neurogauge::core::{Image, ModelIdentity, ObservationKind, Outcome, Side, Undefined};
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::json;
use neurogauge::models::ModelError;
use neurogauge::observers::{About, Observations, Observer, observe_images};
use neurogauge::{Error, RunSettings, Silent};
use std::collections::BTreeMap;
use std::path::Path;

/// Answers "which colour is it?".
struct MeanColour(ModelIdentity);

impl Observer for MeanColour {
    type Item = Image<f32>;
    type Recipe = ModelIdentity;
    type Model = ();
    type Input = Image<f32>;
    type Output = String;

    const ABOUT: About = About {
        name: "mean colour",
        revision: "1",
        makes: ObservationKind::Answers,
        batch: 2,
    };

    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    fn recipe(&self) -> &ModelIdentity {
        &self.0
    }

    fn load(&self) -> Result<Box<()>, Error> {
        Ok(Box::new(()))
    }

    fn prepare(&self, image: Image<f32>) -> Result<Image<f32>, ModelError> {
        Ok(image)
    }

    fn observe(
        &self,
        (): &(),
        images: &[Image<f32>],
        _progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        let mean = |image: &Image<f32>, channel: usize| {
            let values = image.data().iter().skip(channel).step_by(3);
            values.sum::<f32>() * 3.0 / image.data().len() as f32
        };
        let answer = |image| {
            [0, 1, 2]
                .map(|channel| format!("{:.3}", mean(image, channel)))
                .join(" ")
        };
        Ok(images.iter().map(answer).collect())
    }
}

/// The largest difference of two answers; undefined where one is missing.
fn colour_distance(gt: Option<&str>, recon: Option<&str>) -> Outcome {
    let read = |answer: Option<&str>, side| -> Result<Vec<f64>, Undefined> {
        let parts = answer.ok_or(Undefined::Empty(side))?.split(' ');
        Ok(parts.filter_map(|part| part.parse().ok()).collect())
    };
    let (gt, recon) = (read(gt, Side::Gt)?, read(recon, Side::Recon)?);
    let differences = gt.iter().zip(&recon).map(|(a, b)| (a - b).abs());
    Ok(differences.fold(0.0, f64::max))
}

/// Grey images of these levels; none where the file is no image.
fn write(folder: &Path, levels: &[Option<u8>]) {
    std::fs::create_dir_all(folder).unwrap();
    for (stem, level) in levels.iter().enumerate() {
        let path = folder.join(format!("{stem}.png"));
        match level {
            Some(level) => write_png(&path, &Image::new(2, 2, vec![*level; 12]).unwrap()).unwrap(),
            None => std::fs::write(&path, "no picture").unwrap(),
        }
    }
}

#[test]
fn an_observer_and_a_metric_of_our_own_score_pairs_of_images() {
    let dir = tempfile::tempdir().unwrap();
    let settings = RunSettings {
        out: dir.path().join("out"),
        cache: Some(dir.path().join("cache")),
        ..RunSettings::default()
    };
    let observe = |side: &str| -> Observations<String> {
        let identity = ModelIdentity {
            id: "mean-colour".to_owned(),
            revision: "1".to_owned(),
            sha256: String::new(),
            stand_in: true,
        };
        let images = dir.path().join(side);
        observe_images(MeanColour(identity), &images, &settings, &Silent).unwrap()
    };
    write(&dir.path().join("gt"), &[Some(0), Some(51), Some(255)]);
    write(&dir.path().join("recon"), &[Some(0), Some(102), None]);
    let sides = ["gt", "recon"].map(|side| {
        let found = observe(side);
        let known = found.items.iter();
        let known: BTreeMap<&String, &String> = known
            .filter_map(|(stem, answer)| Some((stem, answer.as_ref()?)))
            .collect();
        // What lies here is what the next observer reads.
        let file = settings
            .out
            .join(side)
            .join(ObservationKind::Answers.file_names()[0]);
        json::write(&file, &known).unwrap();
        (found, file)
    });
    let [(gt, gt_file), (recon, _)] = &sides;
    // The first image is the same on both sides.
    assert_eq!((gt.n_seen, recon.n_seen), (3, 2));
    let [failed] = &recon.failed[..] else {
        unreachable!("{:?}", recon.failed);
    };
    assert_eq!(failed.stem, "2");
    let answers: BTreeMap<String, String> = json::read(gt_file).unwrap();
    assert_eq!(answers["1"], "0.200 0.200 0.200");

    let stems = |found: &Observations<String>| -> Vec<String> {
        found.items.iter().map(|(stem, _)| stem.clone()).collect()
    };
    let pairs = pair_by_stem(&stems(gt), &stems(recon)).unwrap();
    let scores = pairs.iter().map(|pair| {
        let answer = |found: &Observations<String>, place: usize| found.items[place].1.clone();
        colour_distance(
            answer(gt, pair.gt).as_deref(),
            answer(recon, pair.recon).as_deref(),
        )
    });
    let scores: Vec<Outcome> = scores.collect();
    assert_eq!(scores[0], Ok(0.0));
    assert!((scores[1].clone().unwrap() - 0.2).abs() < 1e-9);
    assert_eq!(scores[2], Err(Undefined::Empty(Side::Recon)));

    // Observed once, also by whoever comes later.
    assert_eq!(observe("gt").n_seen, 0);
    assert_eq!(observe("recon").n_seen, 1, "the one that failed");
}
