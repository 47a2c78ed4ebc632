//! mmdetection's `DetDataSample` as JSON, with the objects under `pred_instances`.

use super::found_objects::{FORM, FoundObjects};
use crate::{FormatError, json};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

#[derive(Deserialize)]
struct DataSample<'a> {
    #[serde(borrow)]
    pred_instances: FoundObjects<'a>,
    /// Height and width of the image, px, to which the boxes are scaled back.
    ori_shape: Option<Value>,
    metainfo: Option<Value>,
}

/// The predicted objects, with the size of the image and the names of labels if the sample has them.
pub(super) fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<FoundObjects<'a>, FormatError> {
    let sample: DataSample<'_> = json::parse(path, bytes, FORM)?;
    let in_meta = || sample.metainfo.as_ref()?.get("ori_shape");
    let shape = sample.ori_shape.as_ref().or_else(in_meta);
    let size_px = shape.and_then(|shape| Some((shape.get(1)?.as_f64()?, shape.get(0)?.as_f64()?)));
    Ok(FoundObjects {
        image_size_px: sample.pred_instances.image_size_px.or(size_px),
        metainfo: sample.pred_instances.metainfo.or(sample.metainfo),
        ..sample.pred_instances
    })
}
