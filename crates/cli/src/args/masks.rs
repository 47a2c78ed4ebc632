//! Options that affect the numbers of BASIC-L.

use super::*;
use neurogauge::ScoreRequest;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct MaskArgs {
    /// Whose categories --masks asks for in reconstructions: their own, or those of their stimuli
    #[arg(long, value_parser = choice::<MaskPrompts>(), defaults_to = word_of(&MaskPrompts::default()))]
    pub(crate) mask_prompts: Option<MaskPrompts>,
    /// Whose categories masks are compared by: those of both images (what only the reconstruction has costs), or the
    /// reference's alone
    #[arg(long, value_parser = choice::<CategoriesFrom>(), defaults_to = word_of(&SCORE.options.basic_l.categories))]
    pub(crate) mask_categories: Option<CategoriesFrom>,
    /// How objects of a name are paired: optimal assignment, or the largest overlap first
    #[arg(long, value_parser = choice::<InstanceMatching>(), defaults_to = word_of(&SCORE.options.basic_l.matching))]
    pub(crate) mask_matching: Option<InstanceMatching>,
    /// Whose masks the instance level compares: those of foreground objects, or all
    #[arg(long, value_parser = choice::<InstanceNames>(), defaults_to = word_of(&SCORE.options.basic_l.instances))]
    pub(crate) mask_instances: Option<InstanceNames>,
    /// Background of the binary level: the masks of background elements, or all that is not foreground
    #[arg(long, value_parser = choice::<BinaryBackground>(), defaults_to = word_of(&SCORE.options.basic_l.background))]
    pub(crate) mask_background: Option<BinaryBackground>,
    /// A level with masks of only one side: undefined, or worth 0
    #[arg(long, value_parser = choice::<EmptySide>(), defaults_to = word_of(&SCORE.options.basic_l.empty))]
    pub(crate) mask_empty: Option<EmptySide>,
    /// Masks of a reconstruction of another size: refused, or brought to the reference's by their nearest pixels
    #[arg(long, value_parser = choice::<MaskResize>(), defaults_to = word_of(&SCORE.options.basic_l.resize))]
    pub(crate) mask_resize: Option<MaskResize>,
    /// Score from which a mask counts
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = SCORE.options.basic_l.min_score)]
    pub(crate) mask_score: Option<Confidence>,
    /// Overlaps over which average precision is averaged
    #[arg(long, value_name = "IOU,...", value_delimiter = ',', defaults_to = steps(&SCORE.options.basic_l.iou_thresholds))]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) mask_ap_thresholds: Vec<Confidence>,
}

/// Evenly spaced numbers: `0.50, 0.55, ..., 0.95`.
fn steps(numbers: &[f64]) -> String {
    match numbers {
        [first, second, .., last] => format!("{first:.2}, {second:.2}, ..., {last:.2}"),
        _ => format!("{numbers:?}"),
    }
}

impl MaskArgs {
    /// Sets the options in a request.
    pub(crate) fn apply(&self, request: &mut ScoreRequest) {
        let masks = &mut request.options.basic_l;
        set(&mut masks.categories, self.mask_categories);
        set(&mut masks.matching, self.mask_matching);
        set(&mut masks.instances, self.mask_instances);
        set(&mut masks.background, self.mask_background);
        set(&mut masks.empty, self.mask_empty);
        set(&mut masks.resize, self.mask_resize);
        set(&mut masks.min_score, self.mask_score);
        if !self.mask_ap_thresholds.is_empty() {
            let thresholds = self.mask_ap_thresholds.iter();
            masks.iou_thresholds = thresholds.map(|&Confidence(iou)| iou).collect();
        }
    }
}
