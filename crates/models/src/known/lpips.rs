//! LPIPS with the image model that its heads belong to.

use super::image_features::LocalImageModel;
use crate::{DeviceChoice, Lpips, LpipsHeads, ModelError};

impl Lpips {
    /// Loads the heads' network ([`LpipsNet::backbone`](crate::LpipsNet::backbone)) onto a device. The comparison runs
    /// on the CPU.
    ///
    /// # Errors A model that the heads do not belong to; the errors of [`LocalImageModel::load`] and
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
