//! LPIPS with the image model that its heads belong to.

use super::image_features::LocalImageModel;
use crate::{DeviceChoice, Lpips, LpipsHeads, ModelError};

impl Lpips {
    /// The network of the heads ([`LpipsNet::backbone`](crate::LpipsNet::backbone)) with weights that are available, on
    /// a device. The comparison stays on the processor.
    ///
    /// # Errors
    /// Another model than the heads'; the weights' own ([`LocalImageModel::load`]); those of
    /// [`DeviceChoice::check`].
    pub fn load(backbone: &LocalImageModel, heads: LpipsHeads, device: DeviceChoice) -> Result<Lpips, ModelError> {
        device.check()?;
        let net = heads.net();
        let identity = backbone.identity().clone();
        match backbone.checkpoint()? {
            Some(weights) if weights.0 == net.backbone() => Lpips::of_checkpoint(identity, weights, heads, device),
            _ => Err(ModelError::other(format_args!(
                "{} looks with {}, and the model given for it is {}",
                net.metric(),
                net.backbone(),
                identity.id
            ))),
        }
    }
}
