//! Which detections count, and how Object F1, SNM and SDM are computed.

use super::MAX_DETECTIONS;
use super::entry::Convention;
use super::value::{count, either, number, optional, size, word};
use neurogauge_core::option_values::{AtLeastZero, Confidence, Finite};

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("object_variant", "object-variants"),
            "What Object F1 weighs besides existence (Table 4 of the SEED paper)",
            word(),
            |request| Some(&mut request.options.objects.variant),
        ),
        Convention::new(
            ("score_order", "object-score-order"),
            "Read detections in file order and stop at the first below the threshold, as SEED's code does, or read all",
            optional("the preset's", either("as-listed", "any")),
            |request| Some(&mut request.options.objects.stop_at_first_below),
        )
        .answered_by(|request| match request.options.objects.stops_at_first_below() {
            true => "as-listed".to_owned(),
            false => "any".to_owned(),
        }),
        Convention::new(
            ("min_box_area", "object-presets"),
            "Smallest box that counts, px²",
            optional("the preset's", number::<AtLeastZero>("PX2")),
            |request| Some(&mut request.options.objects.min_area_px2),
        )
        .answered_by(|request| request.options.objects.smallest_area_px2().to_string()),
        Convention::new(
            ("box_units", "box-scale"),
            "Unit of boxes in folders of detections: pixels, or shares of the image, which are multiplied by box_scale",
            optional("pixels; boxes that cannot be pixels are refused", word()),
            |request| Some(&mut request.box_units),
        ),
        Convention::new(
            ("box_scale", "box-scale"),
            "What boxes given as fractions are multiplied by",
            size(),
            |request| Some(&mut request.box_scale_px),
        ),
        Convention::new(
            ("image_size", "object-variants"),
            "Size of the images behind the detections, for the size and location variants",
            optional("that of the images", size()),
            |request| Some(&mut request.image_size_px),
        ),
        Convention::new(
            ("vlm_names", "vlm-categories"),
            "Which names of a vision-language model are the same: also those that differ in case, spaces, underscores or a \
             final full stop, or only equal ones",
            word(),
            |request| Some(&mut request.options.vlm_names),
        ),
        Convention::new(
            ("snm_threshold", "snm-categories"),
            "Score from which a category counts for SNM",
            number::<Confidence>("SCORE"),
            |request| Some(&mut request.options.near_miss.threshold),
        ),
        Convention::new(("snm_categories", "snm-categories"), "Categories of SNM", word(), |request| {
            Some(&mut request.options.near_miss.categories)
        }),
        Convention::new(
            ("snm_recon_categories", "snm-categories"),
            "Categories of the reconstruction that can make a near miss: the same set, or all",
            word(),
            |request| Some(&mut request.options.near_miss.recon_categories),
        ),
        Convention::new(
            ("sdm_f1_above", "sdm-thresholds"),
            "SDM counts pairs with Object F1 above this, if sdm_gap_above holds, too",
            number::<Finite>("F1"),
            |request| Some(&mut request.options.detail_miss.f1_above),
        ),
        Convention::new(
            ("sdm_gap_above", "sdm-thresholds"),
            "SDM counts pairs with Object F1 - SEED above this, if sdm_f1_above holds, too",
            number::<Finite>("GAP"),
            |request| Some(&mut request.options.detail_miss.gap_above),
        ),
        Convention::new(
            ("prompt_names", "detection-prompt"),
            "How a detector is asked for categories of several words: `traffic light` or `traffic_light`",
            word(),
            |request| Some(&mut request.detector.as_mut()?.options.prompt_names),
        ),
        Convention::new(
            ("max_detections", "detection-scores"),
            "Objects that are kept of an image, those of the highest scores",
            count::<MAX_DETECTIONS, usize>("N"),
            |request| Some(&mut request.detector.as_mut()?.options.most),
        ),
    ]
}
