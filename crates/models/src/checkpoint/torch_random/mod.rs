//! Untrained models: the weights that `torch.manual_seed(seed)` and a torchvision constructor give.
//!
//! Untrained models are the control for trained models of brains. This module makes the same untrained weights as torch
//! and torchvision, without either.
//!
//! - [`TorchGenerator`]: torch's stream of random numbers and its uniform and normal draws.
//! - [`Untrained`]: the models; each constructor is a list of its layers in order.
//! - [`TruncatedNormal`]: the only part that depends on torch's release.

mod convnext;
mod efficientnet;
mod inception;
mod initialiser;
mod plain;
mod resnet;
mod swin;
mod vit;

use initialiser::Initialiser;

pub use neurogauge_kernels::random::{TorchGenerator, TruncatedNormal};

/// A tensor of a state dict.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTensor {
    /// Its name in the reference library.
    pub name: String,
    /// Its shape, outputs first.
    pub shape: Vec<usize>,
    /// Its values, the last dimension running fastest.
    pub values: Vec<f32>,
}

/// A torchvision constructor whose random weights are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Untrained {
    AlexNet,
    ConvNextTiny,
    EfficientNetB1,
    /// With the auxiliary head and the default `init_weights`.
    InceptionV3,
    ResNet18,
    ResNet50,
    SwinTiny,
    Vgg16,
    VitB16,
}

type Constructor = fn(&mut Initialiser);

/// In the order of [`Untrained`], with the names in `torchvision.models`.
const CONSTRUCTORS: [(Untrained, &str, Constructor); 9] = [
    (Untrained::AlexNet, "alexnet", plain::alexnet),
    (Untrained::ConvNextTiny, "convnext_tiny", convnext::tiny),
    (Untrained::EfficientNetB1, "efficientnet_b1", efficientnet::b1),
    (Untrained::InceptionV3, "inception_v3", inception::v3),
    (Untrained::ResNet18, "resnet18", resnet::resnet18),
    (Untrained::ResNet50, "resnet50", resnet::resnet50),
    (Untrained::SwinTiny, "swin_t", swin::tiny),
    (Untrained::Vgg16, "vgg16", plain::vgg16),
    (Untrained::VitB16, "vit_b_16", vit::b16),
];

impl Untrained {
    pub fn all() -> impl Iterator<Item = Untrained> {
        CONSTRUCTORS.into_iter().map(|(constructor, ..)| constructor)
    }

    /// The constructor's name in `torchvision.models`.
    pub fn name(self) -> &'static str {
        CONSTRUCTORS[self as usize].1
    }

    /// The floating-point tensors of the state dict after `torch.manual_seed(seed)` and the
    /// constructor. (Its integers, batch counters and position tables, are not weights.)
    ///
    /// Reference: torch 2.15.0 with torchvision 0.29.2 on an x86 processor with AVX2, seeds 0, 1, 2 and 42: all bits of
    /// all tensors are equal. With [`TruncatedNormal::InverseErf`], against the same release with the earlier function
    /// patched in, the values that this function draws agree within a relative error of 2.4e-7, two roundings in single
    /// precision, and all others are equal.
    ///
    /// ```
    /// use neurogauge_models::torch_random::{TruncatedNormal, Untrained};
    /// let tensors = Untrained::ResNet18.tensors(0, TruncatedNormal::default());
    /// assert_eq!(tensors[0].name, "conv1.weight");
    /// assert_eq!(tensors[0].shape, [64, 3, 7, 7]);
    /// assert_eq!(tensors[0].values[0], 0.024109675);
    /// ```
    pub fn tensors(self, seed: u64, truncated_normal: TruncatedNormal) -> Vec<NamedTensor> {
        self.made_by(Initialiser::new(seed, truncated_normal)).finish()
    }

    /// Names and shapes of the same tensors, without drawing their values.
    ///
    /// ```
    /// use neurogauge_models::torch_random::Untrained;
    /// let shapes = Untrained::Vgg16.shapes();
    /// let n_weights: usize = shapes.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
    /// assert_eq!(n_weights, 138_357_544);
    /// ```
    pub fn shapes(self) -> Vec<(String, Vec<usize>)> {
        self.made_by(Initialiser::of_shapes()).into_shapes()
    }

    fn made_by(self, mut model: Initialiser) -> Initialiser {
        CONSTRUCTORS[self as usize].2(&mut model);
        model
    }
}
