//! The numbers of the published metric.

/// Number of layers that are compared.
pub const LPIPS_LAYERS: usize = 5;

/// Converts pixels in [-1, 1] to the networks' training statistics: `(x - SHIFT) / SCALE`.
pub(super) const SHIFT: [f32; 3] = [-0.030, -0.088, -0.188];
pub(super) const SCALE: [f32; 3] = [0.458, 0.448, 0.450];

/// The networks for which LPIPS heads are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LpipsNet {
    /// AlexNet, read after each of its rectified convolutions.
    Alex,
    /// VGG-16, read after the last rectified convolution of each stage.
    Vgg,
}

/// Published facts about a network.
pub(super) struct Facts {
    metric: &'static str,
    backbone: &'static str,
    heads: &'static str,
    /// SHA-256 of the file with the heads.
    pub(super) sha256: &'static str,
    /// The compared layers under the reference's names, with their numbers of channels.
    pub(super) layers: [(&'static str, usize); LPIPS_LAYERS],
}

const ALEX: Facts = Facts {
    metric: "lpips_alex",
    backbone: "alexnet",
    heads: "lpips/weights/v0.1/alex.pth",
    sha256: "df73285e35b22355a2df87cdb6b70b343713b667eddbda73e1977e0c860835c0",
    layers: [
        ("features.1", 64),
        ("features.4", 192),
        ("features.7", 384),
        ("features.9", 256),
        ("features.11", 256),
    ],
};

const VGG: Facts = Facts {
    metric: "lpips_vgg",
    backbone: "vgg16",
    heads: "lpips/weights/v0.1/vgg.pth",
    sha256: "a78928a0af1e5f0fcb1f3b9e8f8c3a2a5a3de244d830ad5c1feddc79b8432868",
    layers: [
        ("features.3", 64),
        ("features.8", 128),
        ("features.15", 256),
        ("features.22", 512),
        ("features.29", 512),
    ],
};

impl LpipsNet {
    pub const ALL: [LpipsNet; 2] = [LpipsNet::Alex, LpipsNet::Vgg];

    pub(super) fn facts(self) -> &'static Facts {
        match self {
            LpipsNet::Alex => &ALEX,
            LpipsNet::Vgg => &VGG,
        }
    }

    /// The metric's id.
    pub fn metric(self) -> &'static str {
        self.facts().metric
    }

    /// The id of the image model whose layers are compared.
    pub fn backbone(self) -> &'static str {
        self.facts().backbone
    }

    /// Where the linear heads are published: a file in the Python package `lpips` (0.1.4).
    pub fn published_heads(self) -> &'static str {
        self.facts().heads
    }

    /// The numbers of channels of the compared layers.
    pub(super) fn channels(self) -> [usize; LPIPS_LAYERS] {
        self.facts().layers.map(|(_, n_channels)| n_channels)
    }
}
