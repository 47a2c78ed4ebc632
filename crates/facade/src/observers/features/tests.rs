//! Features by test models, for clips and for images that are refused.

use super::{FeatureRecipe, ImageFeatures, SourceFeatures};
use crate::execute::{Clips, Executor, FailedItem, Images, Items, Model, Session};
use crate::odd_frames::OddFrames;
use crate::settings::OnFailure;
use crate::store::StoreFolder;
use crate::{Error, Silent};
use neurogauge_core::{Image, ModelIdentity, Role};
use neurogauge_formats::features;
use neurogauge_formats::image_file::write_png;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_models::{
    DeviceChoice, FeatureMatrix, ImageModel, ImagePreset, LayerRequest, MeanColours, ModelError, Pooling, Preprocessing,
};
use std::path::Path;

/// A model with one layer, which is a function of the image.
struct OneLayer {
    identity: ModelIdentity,
    layer: &'static str,
    features: fn(&Image<f32>) -> Vec<f32>,
}

impl ImageModel for OneLayer {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn layers(&self) -> Vec<&'static str> {
        vec![self.layer]
    }

    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError> {
        let rows: Vec<Vec<f32>> = images.iter().map(self.features).collect();
        let (n_features, values) = (rows[0].len(), rows.concat());
        Ok(requests
            .iter()
            .map(|_| FeatureMatrix {
                n_features,
                values: values.clone(),
            })
            .collect())
    }
}

/// Observes a source; returns how many images the model had to see, and the failed ones.
fn observe(
    root: &Path,
    (source, are_frames): (&ImageSource, bool),
    (model, preprocessing): (&OneLayer, Preprocessing),
    odd: OddFrames,
    on_failure: OnFailure,
) -> Result<(usize, Vec<FailedItem>), Error> {
    let recipe = FeatureRecipe {
        model: model.identity.clone(),
        layer: model.layer.into(),
        pooling: Pooling::None,
        preprocessing,
        device: DeviceChoice::Cpu,
        variant: None,
    };
    let images = Images {
        source,
        record: &InputRecord::of_items(Role::IMAGES, source, &Silent).unwrap(),
        are_frames,
    };
    let of_source = SourceFeatures {
        items: Clips::of(images, &model.identity.id, odd)?,
        folder: &root.join("features"),
        label: "",
    };
    of_source.prepare(std::slice::from_ref(&recipe), &Silent)?;
    let executor = Executor {
        on_failure,
        ..Executor::stopping(&Silent)
    };
    let observer = ImageFeatures::of(&recipe, None, DeviceChoice::Cpu);
    let mut session = Session::new(observer, executor).with_model(Some(Model::Lent(model)));
    let store = StoreFolder {
        path: root.join("store"),
        is_shared: false,
    };
    of_source.observe(&[recipe], &mut session, &store)
}

const MODEL: &str = "videomae_vit_b_16";

/// Clips of black (0) and white (1) frames.
fn clips(root: &Path, of_clips: &[(&str, &[u8])]) -> ImageSource {
    for (clip, frames) in of_clips {
        for (place, white) in frames.iter().enumerate() {
            let image = Image::new(40, 30, vec![255 * white; 40 * 30 * 3]).unwrap();
            let path = root.join(format!("images/{clip}/{place}.png"));
            write_png(&path, &image).unwrap();
        }
    }
    ImageSource::open(&root.join("images")).unwrap()
}

/// Observes clips by their height and the level of their first and last pixels, which come from black and white frames.
/// Returns how many the model had to see.
fn look(root: &Path, source: &ImageSource, odd: OddFrames) -> Result<usize, Error> {
    let model = OneLayer {
        identity: neurogauge_models::find(MODEL).unwrap().identity(String::new()),
        layer: "ends",
        features: |clip| {
            let pixels = clip.data();
            let is_white = |pixel: f32| f32::from(u8::from(pixel > 0.0));
            vec![clip.height_px() as f32, is_white(pixels[0]), is_white(pixels[pixels.len() - 1])]
        },
    };
    let preprocessing = ImagePreset::Published.preprocessing(MODEL, None).unwrap();
    Ok(observe(root, (source, true), (&model, preprocessing), odd, OnFailure::Stop)?.0)
}

#[test]
fn a_clip_has_one_row_of_its_frames_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let of_clips: [(&str, &[u8]); 3] = [("a", &[0, 1]), ("b", &[1, 0, 0, 0]), ("c", &[1, 1])];
    assert_eq!(look(root, &clips(root, &of_clips), OddFrames::Error).unwrap(), 3);
    let folder = root.join("features");
    let name = format!("{MODEL}.ends");
    let found = features::read(&folder.join(format!("{name}.npy")), &folder.join("ids.json")).unwrap();
    assert_eq!(found.ids(), ["a", "b", "c"]);
    let expected = [[448.0, 0.0, 1.0], [896.0, 1.0, 0.0], [448.0, 1.0, 1.0]];
    assert_eq!(found.data(), expected.concat());
    // A clip is identified by all of its frames.
    let again = |of_clips: &[(&str, &[u8])]| look(root, &clips(root, of_clips), OddFrames::Error).unwrap();
    assert_eq!(again(&of_clips), 0);
    assert_eq!(again(&[("b", &[1, 0, 0, 1])]), 1);
    assert_eq!(again(&[("b", &[1, 0, 1, 0])]), 1);
}

#[test]
fn an_odd_frame_is_refused_or_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let source = clips(root, &[("a", &[0, 1]), ("b", &[1, 0, 0, 1, 1])]);
    let error = look(root, &source, OddFrames::Error).unwrap_err().to_string();
    for part in ["the clip \"b\" has 5 frames", "multiple of 2", MODEL, "drop-last"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(look(root, &source, OddFrames::DropLast).unwrap(), 2);
    // Without that frame, it is still the same clip.
    std::fs::remove_file(root.join("images/b/4.png")).unwrap();
    let source = ImageSource::open(&root.join("images")).unwrap();
    assert_eq!(look(root, &source, OddFrames::Error).unwrap(), 0);

    let single = tempfile::tempdir().unwrap();
    let source = clips(single.path(), &[("a", &[0])]);
    let error = look(single.path(), &source, OddFrames::DropLast).unwrap_err();
    assert!(error.to_string().contains("has 1 frame"), "{error}");
}

#[test]
fn images_that_are_no_frames_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let source = clips(dir.path(), &[("a", &[0, 1])]);
    let record = InputRecord::of_items(Role::IMAGES, &source, &Silent).unwrap();
    let images = Images {
        source: &source,
        record: &record,
        are_frames: false,
    };
    let error = Clips::of(images, MODEL, OddFrames::Error).err().unwrap();
    assert!(error.to_string().contains("no frames of clips"), "{error}");
    assert_eq!(Clips::of(images, "alexnet", OddFrames::Error).unwrap().len(), 2);
}

/// Observes grey images of these widths and levels; the features are one value per column, 1 divided by the first
/// pixel.
fn look_at(root: &Path, images: &[(usize, u8)], on_failure: OnFailure) -> Result<(usize, Vec<FailedItem>), Error> {
    let folder = root.join("images");
    for (index, &(width_px, level)) in images.iter().enumerate() {
        let image = Image::new(width_px, 30, vec![level; width_px * 90]).unwrap();
        write_png(&folder.join(format!("{index}.png")), &image).unwrap();
    }
    let model = OneLayer {
        identity: MeanColours.identity().clone(),
        layer: "width",
        features: |image| vec![1.0 / image.data()[0]; image.width_px()],
    };
    let mut preprocessing = ImagePreset::Nsd8Native.preprocessing(MeanColours::ID, None).unwrap();
    preprocessing.resize.clear();
    preprocessing.mean = [0.0; 3];
    let source = ImageSource::open(&folder).unwrap();
    observe(root, (&source, false), (&model, preprocessing), OddFrames::Error, on_failure)
}

#[test]
fn vectors_of_other_lengths_are_refused_with_the_image_that_gave_them() {
    let dir = tempfile::tempdir().unwrap();
    let images = [(30, 90), (30, 91), (40, 92), (30, 93)];
    let error = look_at(dir.path(), &images, OnFailure::Stop).unwrap_err().to_string();
    for part in ["image \"2\"", "40 values", "before it 30"] {
        assert!(error.contains(part), "{error}");
    }
    // Earlier rows are kept, so only the other images are observed again.
    let images = [(30, 90), (30, 91), (30, 92), (30, 93)];
    assert_eq!(look_at(dir.path(), &images, OnFailure::Stop).unwrap().0, 2);
    assert_eq!(look_at(dir.path(), &images, OnFailure::Stop).unwrap().0, 0);
}

#[test]
fn what_is_no_number_is_refused_with_the_image_that_gave_it() {
    let dir = tempfile::tempdir().unwrap();
    let error = look_at(dir.path(), &[(30, 90), (30, 0)], OnFailure::Stop).unwrap_err().to_string();
    for part in ["image \"1\"", "inf", "mean-colours.width"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn an_image_that_fails_has_no_row_and_gets_one_once_it_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    let images = [(30, 90), (30, 0), (40, 92), (30, 93)];
    let (n_seen, failed) = look_at(dir.path(), &images, OnFailure::Skip).unwrap();
    let stems: Vec<&str> = failed.iter().map(|item| item.stem.as_str()).collect();
    assert_eq!((n_seen, stems), (4, vec!["1", "2"]));
    assert!(failed[0].reason.contains("inf") && failed[1].reason.contains("40 values"));
    let folder = dir.path().join("features");
    let stems = ["0", "1", "2", "3"].map(str::to_owned);
    let features = features::of_stems(&folder, "mean-colours.width", &stems).unwrap();
    let has = [0, 1, 2, 3].map(|place| features.has(place));
    assert_eq!(has, [true, false, false, true]);
    // A value is inversely proportional to its image's level.
    let level_times_value = [(0, 90.0), (3, 93.0)].map(|(place, level)| {
        let row = features.row(place).unwrap();
        row[0] * level
    });
    assert!((level_times_value[0] - level_times_value[1]).abs() < 1e-3);
    // Only the failed images are observed again.
    let again = look_at(dir.path(), &images, OnFailure::Skip).unwrap();
    assert_eq!((again.0, again.1), (2, failed));
    let repaired = [(30, 90), (30, 91), (30, 92), (30, 93)];
    assert_eq!(look_at(dir.path(), &repaired, OnFailure::Stop).unwrap().0, 2);
    assert!(!folder.join("mean-colours.width.ids.json").exists());
    let features = features::of_stems(&folder, "mean-colours.width", &stems).unwrap();
    assert!((0..4).all(|place| features.has(place)));
}
