//! What most of these tests use.

pub(crate) use crate::files::*;
pub(crate) use neurogauge_core::synthetic::Synthetic;
pub(crate) use neurogauge_core::*;
pub(crate) use neurogauge_formats::brain_image::Region;
pub(crate) use neurogauge_formats::detections::{read_boxes, read_mmdet};
pub(crate) use neurogauge_formats::image_source::ImageSource;
pub(crate) use neurogauge_formats::item_source::ItemSource;
pub(crate) use neurogauge_formats::masks::*;
pub(crate) use neurogauge_formats::ratings::{RatingColumns, RatingTable};
pub(crate) use neurogauge_formats::*;
pub(crate) use proptest::prelude::*;
pub(crate) use serde::Deserialize;
pub(crate) use serde_json::Value;
pub(crate) use std::collections::BTreeMap;
pub(crate) use std::io::Write;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::time::Duration;
pub(crate) use zip::write::SimpleFileOptions;
pub(crate) use zip::{CompressionMethod, ZipWriter};
