//! The parts of LPIPS: linear heads that the user provides, and their network's weights.

use crate::observers::features::Models;
use crate::settings::RunSettings;
use crate::{Error, Progress};
use neurogauge_core::option_words::option;
use neurogauge_core::{Image, ModelIdentity, Sides};
use neurogauge_metrics::MetricError;
use neurogauge_models::{DeviceChoice, KernelError, LocalImageModel, Lpips, LpipsHeads, LpipsNet, ModelError};
use std::path::{Path, PathBuf};

/// A network that can compare images, not yet loaded.
#[derive(Debug, Clone)]
pub(crate) struct LpipsRecipe {
    pub(crate) backbone: LocalImageModel,
    pub(crate) heads: LpipsHeads,
    pub(crate) device: DeviceChoice,
}

impl LpipsRecipe {
    /// The identities of the network's weights and of the heads.
    pub(crate) fn identities(&self) -> [&ModelIdentity; 2] {
        [self.backbone.identity(), self.heads.identity()]
    }

    pub(crate) fn load(&self) -> Result<LoadedLpips, Error> {
        let lpips = Lpips::load(&self.backbone, self.heads.clone(), self.device)?;
        Ok(LoadedLpips(lpips))
    }
}

/// LPIPS in memory, which compares images in memory.
///
/// ```
/// use neurogauge::LoadedLpips;
/// use neurogauge::core::{Image, Sides};
/// let lpips = LoadedLpips::stand_in()?;
/// let [black, white] = [0.0, 1.0].map(|v| Image::new(64, 64, vec![v; 64 * 64 * 3]).unwrap());
/// let distance = lpips.distance(("first", "images".as_ref()), &Sides::new(black, white), None)?;
/// assert!((distance - 0.54633564).abs() < 1e-5);
/// # Ok::<(), neurogauge::Error>(())
/// ```
pub struct LoadedLpips(Lpips);

impl LoadedLpips {
    /// Reads a file of linear heads, and finds and reads the weights of their network; missing weights are downloaded
    /// if the settings allow it.
    ///
    /// # Errors
    /// The heads are invalid; weights are missing or do not fit; this build or machine does not have the device.
    pub fn load(heads: &Path, settings: &RunSettings, progress: &dyn Progress) -> Result<Self, Error> {
        settings.models.device.check()?;
        let heads = LpipsHeads::open(heads)?;
        let net = heads.net();
        let recipe = recipe(&heads, &mut Models::new(settings, progress), true)?;
        let lacking = || Error::Usage(format!("{} needs the weights of {}", net.metric(), net.backbone()));
        recipe.ok_or_else(lacking)?.load()
    }

    /// AlexNet and heads with meaningless weights, to test that a pipeline runs.
    ///
    /// # Errors
    /// No error is known.
    pub fn stand_in() -> Result<Self, Error> {
        let heads = LpipsHeads::synthetic(LpipsNet::Alex, 0)?;
        Ok(LoadedLpips(Lpips::synthetic(heads, 0)?))
    }

    /// The id of the metric, which depends on the network.
    pub fn metric(&self) -> &'static str {
        self.0.heads().net().metric()
    }

    /// The distance of the two images of a pair, within the pixels `inside` if these are given. `pair` and `images` are
    /// their names in messages.
    ///
    /// # Errors
    /// The images differ in size, or the network cannot process their size; a pixel or a distance is not finite.
    pub fn distance(
        &self,
        (pair, images): (&str, &Path),
        both: &Sides<Image<f32>>,
        inside: Option<&[bool]>,
    ) -> Result<f64, Error> {
        match self.0.compare_within(&both.gt, &both.recon, inside) {
            Ok(distance) => Ok(distance.total()),
            Err(source) => Err(self.blame(source, pair, images)),
        }
    }

    fn blame(&self, source: ModelError, pair: &str, images: &Path) -> Error {
        match source {
            ModelError::PairSizes { gt_px, recon_px, .. } => Error::Metric {
                pair: pair.to_owned(),
                metric: self.metric(),
                source: MetricError::image_sizes(gt_px, recon_px),
            },
            ModelError::Kernel(KernelError::Engine { .. }) => Error::Model(source),
            source => Error::Image {
                stem: pair.to_owned(),
                path: images.to_owned(),
                source,
            },
        }
    }
}

pub(crate) fn open_heads(paths: &[PathBuf]) -> Result<Vec<LpipsHeads>, Error> {
    let mut all: Vec<LpipsHeads> = Vec::new();
    for path in paths {
        let heads = LpipsHeads::open(path)?;
        if all.iter().any(|other| other.net() == heads.net()) {
            let path = path.display().to_string();
            return Err(Error::Usage(format!(
                "{}: the second file for {}; give one for each network",
                option("lpips-heads", &path),
                heads.net().metric()
            )));
        }
        all.push(heads);
    }
    Ok(all)
}

/// How these heads compare images; `None` if their network's weights are not on this machine.
pub(crate) fn recipe(
    heads: &LpipsHeads,
    models: &mut Models<'_>,
    was_asked_for: bool,
) -> Result<Option<LpipsRecipe>, Error> {
    let backbone = models.find(heads.net().backbone(), was_asked_for)?;
    Ok(backbone.map(|backbone| LpipsRecipe {
        device: models.device_of(backbone.identity()),
        backbone,
        heads: heads.clone(),
    }))
}

/// The file with the heads of a metric, and its publisher.
pub(crate) fn where_heads_are(metric: &str) -> String {
    let net = LpipsNet::ALL.into_iter().find(|net| net.metric() == metric);
    net.map_or_else(String::new, |net| {
        format!(
            ": the network is {}, and FILE is {} of the Python package lpips, whose wheel (PyPI, version \
             0.1.4) carries it",
            net.backbone(),
            net.published_heads()
        )
    })
}
