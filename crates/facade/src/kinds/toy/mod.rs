//! A kind that its own files add, like every other kind: the brightness of an image, measured by an observer outside
//! this toolkit. `score/toy_kind.rs` takes it through a run.

mod metric;
mod observer;
mod reader;

pub(crate) use metric::METRIC;
pub(crate) use observer::BrightnessObserver;

use super::files::{FileKind, known};
use crate::compute::content;
use neurogauge_core::ObservationKind;
use neurogauge_formats::FormatError;
use std::path::Path;

pub(super) struct BrightnessKind;

impl FileKind for BrightnessKind {
    const KIND: ObservationKind = ObservationKind::Custom;
    type Entry = Option<f64>;

    fn read(path: &Path) -> Result<Vec<(String, Option<f64>)>, FormatError> {
        reader::read(path).map(known)
    }

    fn content(level: &f64) -> Option<u64> {
        content(&[*level])
    }
}
