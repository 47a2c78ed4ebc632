//! The architectures that checkpoints are loaded by.

use serde::Deserialize;
use std::fmt;

/// sentence-transformers' files with the maximum number of tokens of a text, and with the pooling.
pub(crate) const LIMIT: &str = "sentence_bert_config.json";
pub(crate) const POOLING: &str = "1_Pooling/config.json";
/// All files beside the weights of a sentence-transformer that affect its results.
const BESIDE: [&str; 4] = ["config.json", "tokenizer.json", LIMIT, POOLING];

/// The architecture that loads a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Architecture {
    MiniLm,
    MpNet,
    Qwen3Embedding,
    ClipText,
    AlexNet,
    InceptionV3,
    EfficientNetB1,
    ResNet18,
    ResNet50,
    Vgg16,
    VitB16,
    ConvNextTiny,
    SwinT,
    ClipVitL14,
    ClipVitB16,
    ClipVitB32,
    ClipRn50,
    DfnClipVitL14,
    SigLip2,
    MobileClip2,
    PerceptionEncoder,
    DinoV2,
    DinoV3,
    VideoMae,
    DreamSim,
    Git,
    Blip2,
    Qwen25Vl,
    ClipFlanT5,
    GroundingDino,
    YoloWorld,
    Sam2,
    T5,
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Architecture {
    /// Does it turn images into features?
    pub fn is_of_image_features(self) -> bool {
        !(self.is_of_sentences()
            || self.is_of_captions()
            || matches!(
                self,
                Architecture::GroundingDino
                    | Architecture::YoloWorld
                    | Architecture::Sam2
                    | Architecture::T5
                    | Architecture::Qwen25Vl
                    | Architecture::ClipFlanT5
            ))
    }

    /// Does it turn sentences into vectors?
    pub fn is_of_sentences(self) -> bool {
        matches!(
            self,
            Architecture::MiniLm | Architecture::MpNet | Architecture::Qwen3Embedding | Architecture::ClipText
        )
    }

    /// Does it process the frames of a clip together?
    pub fn is_of_clips(self) -> bool {
        self == Architecture::VideoMae
    }

    /// Was it trained to read a text after an instruction (`text-instruction`)?
    pub fn reads_instructions(self) -> bool {
        self == Architecture::Qwen3Embedding
    }

    /// Does it describe images in sentences?
    pub fn is_of_captions(self) -> bool {
        matches!(self, Architecture::Git | Architecture::Blip2)
    }

    /// The files beside a checkpoint that affect its results: settings and the tokenizer.
    pub(crate) fn settings(self) -> &'static [&'static str] {
        match self {
            Architecture::MiniLm | Architecture::MpNet | Architecture::Qwen3Embedding => &BESIDE,
            Architecture::Git => &["config.json", "tokenizer.json", "tokenizer_config.json"],
            Architecture::Qwen25Vl => {
                &["config.json", "tokenizer.json", "preprocessor_config.json", "generation_config.json"]
            }
            Architecture::YoloWorld => &["tokenizer.json"],
            Architecture::ClipText
            | Architecture::Blip2
            | Architecture::ClipFlanT5
            | Architecture::GroundingDino
            | Architecture::T5 => &["config.json", "tokenizer.json"],
            // `config.json` sets the activation.
            Architecture::ClipVitL14
            | Architecture::ClipVitB16
            | Architecture::ClipVitB32
            | Architecture::DfnClipVitL14 => &["config.json"],
            _ => &[],
        }
    }

    /// The architecture's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::MiniLm => "MiniLM (BERT)",
            Architecture::MpNet => "MPNet",
            Architecture::Qwen3Embedding => "Qwen3 Embedding",
            Architecture::ClipText => "CLIP text tower",
            Architecture::AlexNet => "AlexNet",
            Architecture::InceptionV3 => "Inception v3",
            Architecture::EfficientNetB1 => "EfficientNet-B1",
            Architecture::ResNet18 => "ResNet-18",
            Architecture::ResNet50 => "ResNet-50",
            Architecture::Vgg16 => "VGG-16",
            Architecture::VitB16 => "ViT-B/16",
            Architecture::ConvNextTiny => "ConvNeXt-T",
            Architecture::SwinT => "Swin-T",
            Architecture::ClipVitL14 => "CLIP ViT-L/14",
            Architecture::ClipVitB16 => "CLIP ViT-B/16",
            Architecture::ClipVitB32 => "CLIP ViT-B/32",
            Architecture::ClipRn50 => "CLIP ResNet-50",
            Architecture::DfnClipVitL14 => "DFN CLIP ViT-L/14",
            Architecture::SigLip2 => "SigLIP 2",
            Architecture::MobileClip2 => "MobileCLIP2",
            Architecture::PerceptionEncoder => "Perception Encoder",
            Architecture::DinoV2 => "DINOv2",
            Architecture::DinoV3 => "DINOv3",
            Architecture::VideoMae => "VideoMAE ViT-B/16",
            Architecture::DreamSim => "DreamSim",
            Architecture::Git => "GIT",
            Architecture::Blip2 => "BLIP-2 (OPT)",
            Architecture::Qwen25Vl => "Qwen2.5-VL",
            Architecture::ClipFlanT5 => "CLIP-FlanT5",
            Architecture::GroundingDino => "Grounding DINO",
            Architecture::YoloWorld => "YOLO-World",
            Architecture::Sam2 => "SAM 2",
            Architecture::T5 => "T5",
        }
    }
}
