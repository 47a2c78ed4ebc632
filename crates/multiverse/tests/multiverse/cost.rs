//! How often models look at images.

use neurogauge::formats::npy::write_f32;
use neurogauge::{Progress, RunSettings, ScoreRequest};
use neurogauge_multiverse::{MultiverseRequest, Over, multiverse};
use std::sync::Mutex;

const N: usize = 4;

/// Counts the images that the placeholder model observes.
#[derive(Default)]
struct Observed(Mutex<Vec<u64>>);

impl Progress for Observed {
    fn start(&self, stage: &str, total: u64, done: u64) {
        if stage.starts_with("mean-colours") {
            self.0.lock().unwrap().push(total - done);
        }
    }
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
    fn note(&self, _: &str) {}
}

/// How often a model looks at each image of `side` px for all released conventions, at first and when repeated.
fn times_observed(side: usize) -> [u64; 2] {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let systems = ["a.npy", "b.npy", "c.npy"];
    for (place, name) in ["gt.npy"].iter().chain(&systems).enumerate() {
        let values: Vec<f32> = (0..N * side * side * 3).map(|i| ((i * (place + 3)) % 251) as f32 / 255.0).collect();
        write_f32(&at(name), &[N, side, side, 3].map(|n| n as u64), &values).unwrap();
    }
    let mut score = ScoreRequest::default();
    score.perception.stand_in = true;
    let request = MultiverseRequest {
        stimuli: at("gt.npy"),
        systems: systems.map(|name| (name.to_owned(), at(name))).into(),
        metrics: ["alexnet2", "clip", "effnet", "swav"].map(str::to_owned).into(),
        over: Over::Presets,
        published: None,
        score,
    };
    let settings = RunSettings {
        out: at("out"),
        cache: Some(at("cache")),
        ..RunSettings::default()
    };
    let n_images = (N * (1 + systems.len())) as u64;
    [(); 2].map(|()| {
        let observed = Observed::default();
        let found = multiverse(&request, &settings, &observed).unwrap();
        assert_eq!(found.metrics.len(), 4);
        let n_observed: u64 = observed.0.lock().unwrap().iter().sum();
        assert_eq!(n_observed % n_images, 0);
        n_observed / n_images
    })
}

/// Released evaluations prepare images for models in three ways: through 256 px, from their own size, and in 8 bits. So
/// a model looks at each image only three times, and all systems share the stimuli. Finished runs are read again.
#[test]
fn images_that_are_prepared_alike_are_observed_once() {
    assert_eq!(times_observed(32), [3, 0]);
}

/// The step through 256 px does not change images of this size.
#[test]
fn images_of_256_px_are_observed_twice() {
    assert_eq!(times_observed(256), [2, 0]);
}
