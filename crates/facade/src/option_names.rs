//! The names of options in messages.

use neurogauge_core::option_words::{NamedOption, option};

pub(crate) const CAPTIONER: NamedOption<'static> = option("captioner", "");
pub(crate) const CAPTIONER_MODEL: NamedOption<'static> = option("captioner", "MODEL");
pub(crate) const BOXES: NamedOption<'static> = option("boxes", "PATH");
pub(crate) const LABELS: NamedOption<'static> = option("labels", "");
pub(crate) const CATEGORIES: NamedOption<'static> = option("categories", "PATH");
pub(crate) const DETECTOR: NamedOption<'static> = option("detector", "");
pub(crate) const DETECTOR_MODEL: NamedOption<'static> = option("detector", "MODEL");
pub(crate) const FROM_RUN: NamedOption<'static> = option("from-run", "");
pub(crate) const GT: NamedOption<'static> = option("gt", "");
pub(crate) const LPIPS_HEADS_FILE: NamedOption<'static> = option("lpips-heads", "FILE");
pub(crate) const MASKS: NamedOption<'static> = option("masks", "");
pub(crate) const MASK_PROMPTS_STIMULUS: NamedOption<'static> = option("mask-prompts", "stimulus");
pub(crate) const METRICS_OPTION: NamedOption<'static> = option("metrics", "");
pub(crate) const METRICS_NAME: NamedOption<'static> = option("metrics", "NAME");
pub(crate) const OBSERVATIONS: NamedOption<'static> = option("observations", "");
pub(crate) const DROP_ODD_FRAME: NamedOption<'static> = option("odd-frames", "drop-last");
pub(crate) const PARTS_FRAME: NamedOption<'static> = option("parts", "frame");
pub(crate) const PARSER_T5: NamedOption<'static> = option("parser", "t5");
pub(crate) const VLM: NamedOption<'static> = option("vlm", "");
pub(crate) const VLM_ASKS: NamedOption<'static> = option("vlm-asks", "WHAT");
pub(crate) const VLM_URL: NamedOption<'static> = option("vlm", "URL");
/// Options of a command that asks a vision-language model, as an example.
pub(crate) const VLM_EXAMPLE: &str = " --vlm http://localhost:8000 --vlm-model NAME";
pub(crate) const POOL: NamedOption<'static> = option("pool", "");
pub(crate) const RECON: NamedOption<'static> = option("recon", "");
pub(crate) const SCORE_ORDER_ANY: NamedOption<'static> = option("score-order", "any");
pub(crate) const QWEN3_ENCODER: NamedOption<'static> = option("text-encoder", "Qwen3-Embedding-0.6B");
pub(crate) const TEXT_INSTRUCTION: NamedOption<'static> = option("text-instruction", "");
