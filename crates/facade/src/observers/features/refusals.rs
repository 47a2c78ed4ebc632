//! Model outputs that are refused.

use super::{FeatureRecipe, ImageFeatures, SourceFeatures};
use crate::execute::{Clips, Executor, FailedItem, Images, Model, Session};
use crate::odd_frames::OddFrames;
use crate::settings::OnFailure;
use crate::store::StoreFolder;
use crate::{Error, Silent};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_formats::features;
use neurogauge_formats::image_file::write_png;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_models::{
    DeviceChoice, FeatureMatrix, ImageModel, ImagePreset, LayerRequest, MeanColours, ModelError, Pooling,
};
use std::path::Path;

/// Returns one value for each column of the image, each 1 divided by the first pixel.
struct Width(ModelIdentity);

impl ImageModel for Width {
    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    fn layers(&self) -> Vec<&'static str> {
        vec!["width"]
    }

    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError> {
        let n_features = images[0].width_px();
        let values = images.iter().flat_map(|image| {
            let level = image.data()[0];
            vec![1.0 / level; n_features]
        });
        let values: Vec<f32> = values.collect();
        Ok(requests
            .iter()
            .map(|_| FeatureMatrix {
                n_features,
                values: values.clone(),
            })
            .collect())
    }
}

/// Observes grey images of these widths and levels, and stops at the first that fails.
fn look(root: &Path, images: &[(usize, u8)]) -> Result<usize, Error> {
    Ok(look_on(root, images, OnFailure::Stop)?.0)
}

/// The same; also returns the failed images.
fn look_on(root: &Path, images: &[(usize, u8)], on_failure: OnFailure) -> Result<(usize, Vec<FailedItem>), Error> {
    let folder = root.join("images");
    for (index, &(width_px, level)) in images.iter().enumerate() {
        let image = Image::new(width_px, 30, vec![level; width_px * 90]).unwrap();
        write_png(&folder.join(format!("{index}.png")), &image).unwrap();
    }
    let model = Width(MeanColours::default().identity().clone());
    let mut preprocessing = ImagePreset::Nsd8Native.preprocessing(MeanColours::ID, None).unwrap();
    preprocessing.resize.clear();
    preprocessing.mean = [0.0; 3];
    let recipe = FeatureRecipe {
        model: model.0.clone(),
        layer: "width".into(),
        pooling: Pooling::None,
        preprocessing,
        device: DeviceChoice::Cpu,
        variant: None,
    };
    let source = ImageSource::open(&folder).unwrap();
    let images = Images {
        source: &source,
        record: &InputRecord::of_items(neurogauge_core::Role::IMAGES, &source, &Silent).unwrap(),
        are_frames: false,
    };
    let of_source = SourceFeatures {
        items: Clips::of(images, MeanColours::ID, OddFrames::Error)?,
        folder: &root.join("features"),
        label: "",
    };
    of_source.prepare(std::slice::from_ref(&recipe), &Silent)?;
    let executor = Executor {
        on_failure,
        ..Executor::stopping(&Silent)
    };
    let observer = ImageFeatures::of(&recipe, None, DeviceChoice::Cpu);
    let mut session = Session::new(observer, executor).with_model(Some(Model::Lent(&model)));
    let store = StoreFolder {
        path: root.join("store"),
        is_shared: false,
    };
    of_source.observe(&[recipe], &mut session, &store)
}

#[test]
fn vectors_of_other_lengths_are_refused_with_the_image_that_gave_them() {
    let dir = tempfile::tempdir().unwrap();
    let images = [(30, 90), (30, 91), (40, 92), (30, 93)];
    let error = look(dir.path(), &images).unwrap_err().to_string();
    for part in ["image \"2\"", "40 values", "before it 30"] {
        assert!(error.contains(part), "{error}");
    }
    // Earlier rows are kept: only the other images are observed again.
    let images = [(30, 90), (30, 91), (30, 92), (30, 93)];
    assert_eq!(look(dir.path(), &images).unwrap(), 2);
    assert_eq!(look(dir.path(), &images).unwrap(), 0);
}

#[test]
fn what_is_no_number_is_refused_with_the_image_that_gave_it() {
    let dir = tempfile::tempdir().unwrap();
    let error = look(dir.path(), &[(30, 90), (30, 0)]).unwrap_err().to_string();
    for part in ["image \"1\"", "inf", "mean-colours.width"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn an_image_that_fails_has_no_row_and_gets_one_once_it_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    let images = [(30, 90), (30, 0), (40, 92), (30, 93)];
    let (n_seen, failed) = look_on(dir.path(), &images, OnFailure::Skip).unwrap();
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
    let again = look_on(dir.path(), &images, OnFailure::Skip).unwrap();
    assert_eq!((again.0, again.1), (2, failed));
    let repaired = [(30, 90), (30, 91), (30, 92), (30, 93)];
    assert_eq!(look(dir.path(), &repaired).unwrap(), 2);
    assert!(!folder.join("mean-colours.width.ids.json").exists());
    let features = features::of_stems(&folder, "mean-colours.width", &stems).unwrap();
    assert!((0..4).all(|place| features.has(place)));
}
