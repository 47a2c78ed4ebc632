//! Image models by id.

mod ids;
#[cfg(test)]
mod tests;

use crate::architectures::dreamsim::{DreamSim, Form};
use crate::architectures::videomae::TUBELET_FRAMES;
use crate::architectures::{build, has_no_use, recognised, renamed, synthetic_model};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::model_files::{Local, ModelKind, Weights, base_id, beside};
use crate::network::VisionModel;
use crate::observers::placeholders::MeanColours;
use crate::registry::{Architecture, ModelEntry};
use crate::{Arithmetic, DeviceChoice, ImageModel, LayerRequest, ModelError, WeightPrecision};
use ids::untrained;
use std::path::{Path, PathBuf};

/// The id under which [`MeanColours`] is found.
pub const PLACEHOLDER_IMAGE_MODEL: &str = "placeholder";

/// Image models as a kind of models: they turn images into feature vectors.
#[derive(Debug, Clone, Copy)]
pub enum ImageFeatures {}

/// An image model whose weights were found and are not loaded yet.
///
/// Ids: those of the registry's image models; `<id>-untrained-<seed>`, the weights that PyTorch's `manual_seed(seed)`
/// and torchvision's constructor give (followed by `-inverse-erf`, truncated normals are drawn as in PyTorch up to
/// 2.11); `placeholder`.
///
/// A user's own checkpoint may be timm's or transformers' if they have the same network. A `config.json` beside it must
/// not contradict what is computed here. Layer names and preprocessing are those of the published model.
///
/// ```
/// use neurogauge_models::{LocalImageModel, PLACEHOLDER_IMAGE_MODEL, WeightOptions};
/// let options = WeightOptions::default();
/// let found = LocalImageModel::locate(PLACEHOLDER_IMAGE_MODEL, &options)?.unwrap();
/// assert_eq!(found.identity().id, "mean-colours");
/// assert_eq!(found.load()?.layers(), ["grid16", "grid4"]);
///
/// let untrained = LocalImageModel::locate("resnet18-untrained-42", &options)?.unwrap();
/// assert!(untrained.load()?.layers().contains(&"layer4"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalImageModel = Local<ImageFeatures>;

impl ModelKind for ImageFeatures {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_IMAGE_MODEL, MeanColours::ID]);
    const ID_SAYS_DEVICE: bool = false;
    const OTHER_IDS: &'static str = "; and MODEL-untrained-SEED for random weights";

    fn includes(architecture: Architecture) -> bool {
        architecture.is_of_image_features()
    }

    fn further_files(entry: &ModelEntry, weights: &Path) -> Result<Vec<PathBuf>, ModelError> {
        match Form::find(entry.id) {
            Some(form) => form.further_files(weights),
            None => Ok(beside(weights, entry.architecture.settings())),
        }
    }

    fn untrained(id: &str) -> Result<Option<LocalImageModel>, ModelError> {
        untrained(id)
    }
}

impl LocalImageModel {
    /// Is there a model with this id (random weights included)?
    pub fn knows(id: &str) -> bool {
        Self::ids().contains(&id) || matches!(untrained(id), Ok(Some(_)))
    }

    /// Does this model process the frames of a clip together? Then its input is one image: the prepared frames, stacked
    /// vertically.
    ///
    /// ```
    /// use neurogauge_models::LocalImageModel;
    /// assert!(LocalImageModel::is_of_clips("videomae_vit_b_16"));
    /// assert!(!LocalImageModel::is_of_clips("vit_b_16"));
    /// ```
    pub fn is_of_clips(id: &str) -> bool {
        Self::frames_together(id) > 1
    }

    /// The number of frames in a clip must be a multiple of this for this model; 1 for models of images.
    ///
    /// ```
    /// use neurogauge_models::LocalImageModel;
    /// assert_eq!(LocalImageModel::frames_together("videomae_vit_b_16"), 2);
    /// ```
    pub fn frames_together(id: &str) -> usize {
        match Self::entry(base_id(id)) {
            Ok(entry) if entry.architecture.is_of_clips() => TUBELET_FRAMES,
            _ => 1,
        }
    }

    /// Does the registry's model `id` have these layers? Its network is built with other weights for this, so its own
    /// need not be on this machine.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; an unknown layer, with a list of all.
    ///
    /// ```
    /// use neurogauge_models::{LayerRequest, LocalImageModel};
    /// let check = |layer| LocalImageModel::check_layers("resnet18", &[LayerRequest::named("resnet18", layer)]);
    /// assert!(check("layer4.mean").is_ok());
    /// let error = check("lyer4").unwrap_err().to_string();
    /// assert!(error.contains("no layer \"lyer4\"; did you mean \"layer4\"?"), "{error}");
    /// ```
    pub fn check_layers(id: &str, layers: &[LayerRequest]) -> Result<(), ModelError> {
        let entry = Self::entry(id)?;
        let model = synthetic_model(entry.id, 0, &[])?.model;
        let known = model.layers();
        let is_unknown = |request: &&LayerRequest| !known.contains(&request.layer.as_str());
        match layers.iter().find(is_unknown) {
            None => Ok(()),
            Some(request) => Err(ModelError::unknown_layer(entry.architecture.name(), &request.layer, &known)),
        }
    }

    /// The id without what describes its weights (the user's own or random).
    pub fn base(id: &str) -> &str {
        base_id(id)
    }

    /// The seed of the random weights that an id asks for, if it does.
    ///
    /// ```
    /// use neurogauge_models::LocalImageModel;
    /// assert_eq!(LocalImageModel::seed("resnet18-untrained-42"), Some(42));
    /// assert_eq!(LocalImageModel::seed("resnet18"), None);
    /// ```
    pub fn seed(id: &str) -> Option<u64> {
        match untrained(id).ok()??.weights {
            Weights::Random { seed, .. } => Some(seed),
            Weights::None | Weights::File { .. } => None,
        }
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// A file that is cut short or not a checkpoint; a tensor that is absent, superfluous or of another
    /// shape.
    pub fn load(&self) -> Result<Box<dyn ImageModel>, ModelError> {
        self.load_on(DeviceChoice::Cpu)
    }

    /// Reads the weights onto a device. The placeholder model, which has no weights, runs on the CPU.
    ///
    /// # Errors
    /// As in [`load`](Self::load) and [`DeviceChoice::check`].
    pub fn load_on(&self, device: DeviceChoice) -> Result<Box<dyn ImageModel>, ModelError> {
        device.check()?;
        let precision = WeightPrecision::of(&self.identity);
        let arithmetic = Arithmetic { precision, device };
        if let Some((entry, path)) = self.file()
            && let Some(form) = Form::find(entry.id)
        {
            let (network, placement) = DreamSim::load(form, path, arithmetic)?;
            let identity = self.identity.clone();
            return Ok(Box::new(VisionModel::new(identity, network, placement)));
        }
        let Some((id, checkpoint)) = self.checkpoint()? else {
            return Ok(Box::new(MeanColours));
        };
        let mut checkpoint = checkpoint.computed(arithmetic)?;
        let model = build(id, &mut checkpoint, self.identity.clone())?;
        checkpoint.finish(|tensor| has_no_use(id, tensor))?;
        Ok(model)
    }

    /// The weights, and the id of the registry's model that they fit; `None` for the placeholder model.
    pub(crate) fn checkpoint(&self) -> Result<Option<(&'static str, Checkpoint)>, ModelError> {
        let precision = WeightPrecision::of(&self.identity);
        Ok(Some(match &self.weights {
            Weights::None => return Ok(None),
            Weights::File { entry, path } => {
                let checkpoint = Checkpoint::open(path, entry.architecture.name(), precision)?;
                let checkpoint = checkpoint.renamed(|tensor| renamed(entry.id, tensor))?;
                (entry.id, recognised(entry.id, checkpoint)?)
            }
            Weights::Random {
                entry,
                constructor,
                seed,
                truncated_normal,
            } => {
                let tensors = constructor.tensors(*seed, *truncated_normal).into_iter();
                let tensors = tensors.map(|tensor| (tensor.name, tensor.shape, tensor.values));
                let name = entry.architecture.name();
                let checkpoint = Checkpoint::from_tensors(tensors.collect(), name)?;
                (entry.id, checkpoint.rounded(precision))
            }
        }))
    }
}
