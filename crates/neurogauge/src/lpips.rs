//! What a run needs to compute LPIPS: linear heads that the user gives, and the weights of their network.

use crate::Error;
use crate::perceive::{Models, Plan};
use neurogauge_core::ModelIdentity;
use neurogauge_models::{DeviceChoice, LocalImageModel, LpipsHeads, LpipsNet};
use std::path::PathBuf;

/// A network that can compare images, not yet loaded.
#[derive(Debug, Clone)]
pub(crate) struct LpipsPlan {
    pub(crate) backbone: LocalImageModel,
    pub(crate) heads: LpipsHeads,
    /// Where the network runs.
    pub(crate) device: DeviceChoice,
}

impl LpipsPlan {
    /// What was learned, of the network and of the heads.
    pub(crate) fn identities(&self) -> [&ModelIdentity; 2] {
        [self.backbone.identity(), self.heads.identity()]
    }
}

/// Reads the files of `--lpips-heads`.
pub(crate) fn open_heads(paths: &[PathBuf]) -> Result<Vec<LpipsHeads>, Error> {
    let mut all: Vec<LpipsHeads> = Vec::new();
    for path in paths {
        let heads = LpipsHeads::open(path)?;
        if all.iter().any(|other| other.net() == heads.net()) {
            return Err(Error::Usage(format!(
                "--lpips-heads {}: the second file for {}; give one for each network",
                path.display(),
                heads.net().metric()
            )));
        }
        all.push(heads);
    }
    Ok(all)
}

/// How a metric's network comes about.
pub(crate) fn plan(
    metric: &str,
    heads: &[LpipsHeads],
    models: &mut Models<'_>,
    was_asked_for: bool,
) -> Result<Plan, Error> {
    let Some(heads) = heads.iter().find(|heads| heads.net().metric() == metric) else {
        return Ok(Plan::Unknown);
    };
    let id = heads.net().backbone();
    Ok(match models.find(id, was_asked_for)? {
        None => Plan::WithoutWeights(id.to_owned()),
        Some(backbone) => Plan::Lpips(LpipsPlan {
            device: models.device_of(backbone.identity()),
            backbone,
            heads: heads.clone(),
        }),
    })
}

/// Which file the heads of a metric are, and who publishes it.
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
