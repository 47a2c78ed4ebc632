//! The numbers of the published metric.

/// Number of layers that are compared.
pub const LPIPS_LAYERS: usize = 5;

/// Converts pixels in [-1, 1] to the networks' training statistics: `(x - SHIFT) / SCALE`.
pub(super) const SHIFT: [f32; 3] = [-0.030, -0.088, -0.188];
pub(super) const SCALE: [f32; 3] = [0.458, 0.448, 0.450];

/// The networks that LPIPS is offered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LpipsNet {
    /// AlexNet, behind each of its rectified convolutions.
    Alex,
    /// VGG-16, behind the last rectified convolution of each stage.
    Vgg,
}

impl LpipsNet {
    pub const ALL: [LpipsNet; 2] = [LpipsNet::Alex, LpipsNet::Vgg];

    /// The id of the metric.
    pub fn metric(self) -> &'static str {
        match self {
            LpipsNet::Alex => "lpips_alex",
            LpipsNet::Vgg => "lpips_vgg",
        }
    }

    /// The id of the image model that it looks with.
    pub fn backbone(self) -> &'static str {
        match self {
            LpipsNet::Alex => "alexnet",
            LpipsNet::Vgg => "vgg16",
        }
    }

    /// Where the linear heads are published: a file of the Python package `lpips` (0.1.4).
    pub fn published_heads(self) -> &'static str {
        match self {
            LpipsNet::Alex => "lpips/weights/v0.1/alex.pth",
            LpipsNet::Vgg => "lpips/weights/v0.1/vgg.pth",
        }
    }

    /// SHA-256 of that file.
    pub(super) fn published_sha256(self) -> &'static str {
        match self {
            LpipsNet::Alex => "df73285e35b22355a2df87cdb6b70b343713b667eddbda73e1977e0c860835c0",
            LpipsNet::Vgg => "a78928a0af1e5f0fcb1f3b9e8f8c3a2a5a3de244d830ad5c1feddc79b8432868",
        }
    }

    /// The layers that are compared, under the reference library's names.
    pub(super) fn layers(self) -> [&'static str; LPIPS_LAYERS] {
        match self {
            LpipsNet::Alex => ["features.1", "features.4", "features.7", "features.9", "features.11"],
            LpipsNet::Vgg => ["features.3", "features.8", "features.15", "features.22", "features.29"],
        }
    }

    /// Their numbers of channels.
    pub(super) fn channels(self) -> [usize; LPIPS_LAYERS] {
        match self {
            LpipsNet::Alex => [64, 192, 384, 256, 256],
            LpipsNet::Vgg => [64, 128, 256, 512, 512],
        }
    }
}
