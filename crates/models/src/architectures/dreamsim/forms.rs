//! The published forms of DreamSim: their transformers and the names of their files.

use crate::architectures::vit::{TIMM_PRE_NORM, TowerNames};
use crate::observers::preprocess::{CLIP, IMAGENET, Statistics};
use neurogauge_kernels::blocks::Activation;

#[derive(Debug)]
pub(crate) struct Form {
    /// The id in the list of models.
    pub(crate) id: &'static str,
    pub(super) branches: &'static [Branch],
}

#[derive(Debug)]
pub(super) struct Branch {
    pub(super) family: Family,
    /// Side of a patch, used if the checkpoint does not tell it.
    pub(super) patch_px: usize,
    /// Possible paths of the checkpoint in the package's folder.
    pub(super) files: &'static [&'static str],
}

/// The kind of a transformer, which decides what is read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// DINO: the class token after the last block, before the last norm.
    Dino,
    /// OpenAI's CLIP: the projected embedding.
    Clip,
    /// OpenCLIP, which uses another activation.
    OpenClip,
}

const DINO_16: Branch = Branch {
    family: Family::Dino,
    patch_px: 16,
    // torch hub downloads this file for the package.
    files: &["checkpoints/dino_vitbase16_pretrain.pth", "dino_vitbase16_pretrain.pth"],
};
const CLIP_16: Branch = Branch {
    family: Family::Clip,
    patch_px: 16,
    files: &["clip_vitb16_pretrain.pth.tar"],
};
const OPEN_CLIP_16: Branch = Branch {
    family: Family::OpenClip,
    patch_px: 16,
    files: &["open_clip_vitb16_pretrain.pth.tar"],
};
const CLIP_32: Branch = Branch {
    patch_px: 32,
    files: &["clip_vitb32_pretrain.pth.tar"],
    ..CLIP_16
};
const OPEN_CLIP_32: Branch = Branch {
    patch_px: 32,
    files: &["open_clip_vitb32_pretrain.pth.tar"],
    ..OPEN_CLIP_16
};

const FORMS: &[Form] = &[
    Form {
        id: "dreamsim",
        branches: &[DINO_16, CLIP_16, OPEN_CLIP_16],
    },
    Form {
        id: "dreamsim_dino_vit_b_16",
        branches: &[DINO_16],
    },
    Form {
        id: "dreamsim_clip_vit_b_32",
        branches: &[CLIP_32],
    },
    Form {
        id: "dreamsim_open_clip_vit_b_32",
        branches: &[OPEN_CLIP_32],
    },
];

impl Form {
    pub(crate) fn find(id: &str) -> Option<&'static Form> {
        FORMS.iter().find(|form| form.id == id)
    }
}

impl Family {
    /// timm's tensor names, with CLIP's first norm and a patch bias that CLIP itself does not have.
    pub(super) fn names(self) -> TowerNames {
        TowerNames {
            patches_have_bias: true,
            pre_norm: (self != Family::Dino).then_some("pos_drop"),
            ..TIMM_PRE_NORM
        }
    }

    pub(super) fn activation(self) -> Activation {
        match self {
            Family::Clip => Activation::QuickGelu,
            Family::Dino | Family::OpenClip => Activation::Gelu,
        }
    }

    pub(super) fn epsilon(self) -> f64 {
        match self {
            Family::Dino => 1e-6,
            Family::Clip | Family::OpenClip => 1e-5,
        }
    }

    /// The pixel statistics of the transformer's training images.
    pub(super) fn statistics(self) -> Statistics {
        match self {
            Family::Dino => IMAGENET,
            Family::Clip | Family::OpenClip => CLIP,
        }
    }
}
