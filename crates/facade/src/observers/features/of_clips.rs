//! A model of clips: which frames it sees together, and where their rows go.

use super::{FeatureRecipe, ImageFeatures, SourceFeatures};
use crate::execute::{Clips, Executor, Images, Items, Model, Session};
use crate::odd_frames::OddFrames;
use crate::store::StoreFolder;
use crate::{Error, Silent};
use neurogauge_core::{Image, ModelIdentity, Role};
use neurogauge_formats::features;
use neurogauge_formats::image_file::write_png;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_models::{DeviceChoice, FeatureMatrix, ImageModel, ImagePreset, LayerRequest, ModelError, Pooling};
use std::path::Path;

const MODEL: &str = "videomae_vit_b_16";

/// Returns the height of a clip and the level of its first and last pixel, which black and white frames give.
struct Ends(ModelIdentity);

impl ImageModel for Ends {
    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    fn layers(&self) -> Vec<&'static str> {
        vec!["ends"]
    }

    fn features(&self, clips: &[Image<f32>], _requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError> {
        let ends = |clip: &Image<f32>| {
            let pixels = clip.data();
            let is_white = |pixel: f32| f32::from(u8::from(pixel > 0.0));
            let last = pixels[pixels.len() - 1];
            [clip.height_px() as f32, is_white(pixels[0]), is_white(last)]
        };
        let values = clips.iter().flat_map(ends).collect();
        Ok(vec![FeatureMatrix { n_features: 3, values }])
    }
}

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

/// Observes the clips; returns how many the model had to see.
fn look(root: &Path, source: &ImageSource, odd: OddFrames) -> Result<usize, Error> {
    let record = InputRecord::of_items(Role::IMAGES, source, &Silent).unwrap();
    let images = Images {
        source,
        record: &record,
        are_frames: true,
    };
    let identity = neurogauge_models::find(MODEL).unwrap().identity(String::new());
    let model = Ends(identity);
    let preset = ImagePreset::Published;
    let recipe = FeatureRecipe {
        model: model.0.clone(),
        layer: "ends".into(),
        pooling: Pooling::None,
        preprocessing: preset.preprocessing(MODEL, None).unwrap(),
        device: DeviceChoice::Cpu,
        variant: None,
    };
    let of_source = SourceFeatures {
        items: Clips::of(images, MODEL, odd)?,
        folder: &root.join("features"),
        label: "",
    };
    of_source.prepare(std::slice::from_ref(&recipe), &Silent)?;
    let observer = ImageFeatures::of(&recipe, None, DeviceChoice::Cpu);
    let executor = Executor::stopping(&Silent);
    let mut session = Session::new(observer, executor).with_model(Some(Model::Lent(&model)));
    let store = StoreFolder {
        path: root.join("store"),
        is_shared: false,
    };
    Ok(of_source.observe(&[recipe], &mut session, &store)?.0)
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
    // Any frame is part of what is known of a clip.
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
    // The clip without that frame is the same clip.
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
