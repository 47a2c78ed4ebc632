//! Presets of `score`: the protocols that a run can follow.

mod released;

pub use released::{RELEASED, ReleasedCode};

use crate::{Error, ScoreRequest};
use itertools::Itertools;
use neurogauge_core::option_words::option;
use neurogauge_metrics::decoding::basic_h::BasicPreset;
use neurogauge_metrics::decoding::objects::Preset;
use neurogauge_models::ImagePreset;
use serde::{Deserialize, Serialize};

/// The list of the eight metrics of NSD's tables.
const FIELDS_METRICS: &str = "nsd8";

/// The protocol that a run follows; at most one of each kind (Object F1 and SEED, images, BASIC-H).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScorePreset {
    /// SEED as its authors released it: Object F1, and EffNet's images.
    #[serde(alias = "seed")]
    Official,
    /// Object F1 as described in the SEED paper.
    Paper,
    /// Object F1 as the integral of the SEED paper.
    Exact,
    Nsd8Mindeye2,
    Nsd8Native,
    Published,
    Basic,
    Capture,
    /// Images, pixels and identification as in MindEye1's released evaluation.
    Mindeye1,
    /// Images, pixels and identification as in MindEye2's.
    Mindeye2,
    /// Images, pixels and identification as in ATM's.
    Atm,
    /// Images, pixels and identification as in MindBridge's.
    Mindbridge,
    /// Images, pixels and identification as in NeuroPictor's.
    Neuropictor,
    /// Images, pixels and identification as in Brain-Diffuser's.
    BrainDiffuser,
    /// Images, pixels and identification as in MIRAGE's (NSD-Imagery).
    Mirage,
    /// Frames as in MinD-Video's.
    Mindvideo,
    Neurons,
    /// Frames as in CineBrain's, as far as its code shows them.
    Cinebrain,
}

/// The options that a preset sets.
enum Decides {
    Objects(Preset),
    Images(ImagePreset),
    BasicH(BasicPreset),
    Code(ScorePreset),
}

impl ScorePreset {
    /// The released code that this preset follows.
    pub fn code(self) -> Option<&'static ReleasedCode> {
        RELEASED.iter().find(|code| code.preset == Some(self))
    }

    fn decides(self) -> Decides {
        match self {
            ScorePreset::Official => Decides::Objects(Preset::Official),
            ScorePreset::Paper => Decides::Objects(Preset::Paper),
            ScorePreset::Exact => Decides::Objects(Preset::Exact),
            ScorePreset::Nsd8Mindeye2 => Decides::Images(ImagePreset::Nsd8Mindeye2),
            ScorePreset::Nsd8Native => Decides::Images(ImagePreset::Nsd8Native),
            ScorePreset::Published => Decides::Images(ImagePreset::Published),
            ScorePreset::Basic => Decides::BasicH(BasicPreset::Basic),
            ScorePreset::Capture => Decides::BasicH(BasicPreset::Capture),
            code => Decides::Code(code),
        }
    }
}

impl ScoreRequest {
    /// Sets the options of the presets; single options that are set later win. If `nsd8` is requested without a preset of
    /// images, pixels are compared as by MindEye2, like the models' images.
    ///
    /// # Errors
    /// [`Error::Usage`] for two presets of one kind.
    ///
    /// ```
    /// use neurogauge::{ScorePreset, ScoreRequest};
    /// let mut request = ScoreRequest::default();
    /// request.apply_presets(&[ScorePreset::Nsd8Mindeye2])?;
    /// assert_eq!(request.options.pixels.first_size_px, Some(256));
    /// assert!(request.apply_presets(&[ScorePreset::Paper, ScorePreset::Exact]).is_err());
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn apply_presets(&mut self, presets: &[ScorePreset]) -> Result<(), Error> {
        let (mut objects, mut images, mut basic_h, mut released) = (None, None, None, None);
        for preset in presets {
            let is_second = match preset.decides() {
                Decides::Objects(preset) => objects.replace(preset).is_some(),
                Decides::Images(preset) => images.replace(preset).is_some() || released.is_some(),
                Decides::Code(code) => released.replace(code).is_some() || images.is_some(),
                Decides::BasicH(preset) => basic_h.replace(preset).is_some(),
            };
            if is_second {
                return Err(Error::Usage(format!(
                    "{}: one of official, paper, exact (Object F1), one of nsd8-mindeye2, nsd8-native, published, {} (images) \
                     and one of basic, capture (BASIC-H), comma-separated, not two of a kind",
                    option("preset", ""),
                    released::of_images().join(", ")
                )));
            }
        }
        self.options.objects.preset = objects.unwrap_or(self.options.objects.preset);
        self.options.basic_h.preset = basic_h.unwrap_or(self.options.basic_h.preset);
        if images.is_some() || released.is_some() {
            // SEED's preset applies to every model of the run, unless SEED's preprocessing is requested too.
            let is_seeds = objects == Some(Preset::Official);
            self.perception.seed = is_seeds.then_some(ImagePreset::SEED);
        }
        let are_fields = self.metrics.iter().flatten().any(|id| id == FIELDS_METRICS);
        if are_fields && images.is_none() && released.is_none() {
            // The models' images are MindEye2's without a preset; so that its table is of one convention, pixels follow.
            self.options.pixels = released::through_256();
        }
        if let Some(code) = released {
            released::apply(self, code);
        }
        if let Some(preset) = images {
            self.perception.preset = preset;
            let pixels = &mut self.options.pixels;
            match preset {
                ImagePreset::Nsd8Mindeye2 => pixels.first_size_px = Some(256),
                ImagePreset::Nsd8Native => pixels.antialias = true,
                _ => {}
            }
        }
        Ok(())
    }
}
