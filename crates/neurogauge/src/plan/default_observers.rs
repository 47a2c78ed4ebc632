//! The observers that a plan takes where the request names none: SEED's captioner and detector, for metrics asked for by name.

use crate::Error;
use crate::observations::Located;
use crate::observers::captions::CaptionerChoice;
use crate::observers::detections::DetectorChoice;
use crate::request::ScoreRequest;
use crate::selection::wanted;
use neurogauge_core::ObservationKind;
use neurogauge_metrics::find;
use neurogauge_models::CaptionOptions;
use neurogauge_models::detection::{DetectionOptions, LocalDetector};

/// What SEED describes images with.
pub(crate) const CAPTIONER: &str = "git_large_coco";
/// What SEED looks for objects with.
pub(crate) const DETECTOR: &str = "mm_grounding_dino_swin_l";

/// Where a metric is asked for by name, and there are images but not the captions or detections that it compares, asks for the
/// models that make them: as feature metrics have models of their own. Nothing changes unless all that is lacking can be made.
pub(crate) fn fill_in(request: &mut ScoreRequest, located: &Located) -> Result<(), Error> {
    let wanted = wanted(request.metrics.as_deref())?;
    if !located.has(ObservationKind::Images) {
        return Ok(());
    }
    let lacks = |kind: ObservationKind| {
        let mut metrics = wanted.iter().filter_map(|id| find(id));
        metrics.any(|metric| metric.compute.kind() == Some(kind))
            && !located.has(kind)
            && located.official.is_none()
    };
    let lacks_captions = request.captioner.is_none() && lacks(ObservationKind::Captions);
    let lacks_detections = request.detector.is_none() && lacks(ObservationKind::Detections);
    if lacks_detections && !LocalDetector::ids().contains(&DETECTOR) {
        return Ok(());
    }
    if lacks_captions {
        request.captioner = Some(CaptionerChoice {
            model: CAPTIONER.to_owned(),
            options: CaptionOptions::default(),
        });
    }
    if lacks_detections {
        request.detector = Some(DetectorChoice {
            model: DETECTOR.to_owned(),
            options: DetectionOptions::default(),
        });
    }
    Ok(())
}
