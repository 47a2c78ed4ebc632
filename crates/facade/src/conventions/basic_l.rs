//! How masks are made and compared.

use super::entry::Convention;
use super::value::{either, itself, number, numbers, optional, word};
use neurogauge_core::option_values::Confidence;

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("mask_categories", "basic-l-categories"),
            "Whose categories masks are compared by: those of both images (what only the reconstruction has costs), or the \
             reference's alone",
            word(),
            |request| Some(&mut request.options.basic_l.categories),
        ),
        Convention::new(
            ("mask_matching", "basic-l-matching"),
            "How objects of a name are paired: optimal assignment, or the largest overlap first",
            word(),
            |request| Some(&mut request.options.basic_l.matching),
        ),
        Convention::new(
            ("mask_instances", "basic-l-levels"),
            "Whose masks the instance level compares: those of foreground objects, or all",
            word(),
            |request| Some(&mut request.options.basic_l.instances),
        ),
        Convention::new(
            ("mask_background", "basic-l-levels"),
            "Background of the binary level: the masks of background elements, or all that is not foreground",
            word(),
            |request| Some(&mut request.options.basic_l.background),
        ),
        Convention::new(
            ("mask_empty", "basic-l-empty"),
            "A level with masks of only one side: undefined, or worth 0",
            word(),
            |request| Some(&mut request.options.basic_l.empty),
        ),
        Convention::new(
            ("mask_resize", "mask-size"),
            "Masks of a reconstruction of another size: refused, or brought to the reference's by their nearest pixels",
            word(),
            |request| Some(&mut request.options.basic_l.resize),
        ),
        Convention::new(
            ("mask_score", "mask-score"),
            "Score from which a mask counts",
            number::<Confidence>("SCORE"),
            |request| Some(&mut request.options.basic_l.min_score),
        ),
        Convention::new(
            ("mask_ap_thresholds", "basic-l-average-precision"),
            "Overlaps over which average precision is averaged",
            numbers::<Confidence>("IOU,..."),
            |request| Some(&mut request.options.basic_l.iou_thresholds),
        ),
        Convention::new(
            ("mask_prompts", "mask-prompts"),
            "Whose categories a segmenter is asked for in reconstructions: their own, or those of their stimuli",
            word(),
            |request| Some(&mut request.segmenter.as_mut()?.prompts),
        ),
        Convention::new(
            ("mask_detector", "mask-choice"),
            "Detector whose boxes become masks: grounding_dino_tiny, grounding_dino_base, mm_grounding_dino_swin_t, \
             mm_grounding_dino_swin_l or `placeholder-detector`",
            itself::<String>("MODEL"),
            |request| Some(&mut request.segmenter.as_mut()?.detector),
        ),
        Convention::new(
            ("box_threshold", "grounded-boxes"),
            "A box becomes a mask if a word of the prompt fits better than this",
            number::<Confidence>("SCORE"),
            |request| Some(&mut request.segmenter.as_mut()?.options.box_threshold),
        ),
        Convention::new(
            ("text_threshold", "grounded-boxes"),
            "The words of the prompt that fit better than this are a mask's label",
            number::<Confidence>("SCORE"),
            |request| Some(&mut request.segmenter.as_mut()?.options.text_threshold),
        ),
        Convention::new(
            ("unlabelled_boxes", "grounded-boxes"),
            "Boxes that no word labels: kept, as masks without a name, or dropped",
            either("keep", "drop"),
            |request| Some(&mut request.segmenter.as_mut()?.options.keep_unlabelled),
        ),
        Convention::new(
            ("mask_nms", "grounded-boxes"),
            "Leave out the worse of two boxes that overlap by more than this",
            optional("both stay", number::<Confidence>("IOU")),
            |request| Some(&mut request.segmenter.as_mut()?.options.nms_iou),
        ),
    ]
}
