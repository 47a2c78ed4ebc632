//! Choices among a few words.

use super::*;

macro_rules! mirrored {
    ($name:ident => $target:ty { $($(#[$of_variant:meta])* $variant:ident),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub(crate) enum $name { $($(#[$of_variant])* $variant),+ }
        impl From<$name> for $target {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => <$target>::$variant),+ }
            }
        }
    };
}

use neurogauge::align::{Balance, NullP, SimulatedSize, UnitInterval};
use neurogauge::core::image::{Arithmetic, Filter};
use neurogauge::core::pair::PairsOf;
use neurogauge::formats::detections::BoxUnits;
use neurogauge::metrics::Proportions;
use neurogauge::metrics::decoding::basic_h::{Assignment, Containment, NegativeCosines, SoftMatching};
use neurogauge::metrics::decoding::basic_l::{
    BinaryBackground, CategoriesFrom, EmptySide, InstanceMatching, InstanceNames, MaskResize,
};
use neurogauge::metrics::decoding::cap_sim::References;
use neurogauge::metrics::decoding::identification::{Copies, IdentificationDirection, Ties};
use neurogauge::metrics::decoding::near_miss::{CategorySet, ReconCategories};
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::metrics::decoding::point_clouds::{ChamferForm, PointScale};
use neurogauge::metrics::decoding::ssim_flavours::SsimFlavour;
use neurogauge::metrics::decoding::vlm_objects::VlmNames;
use neurogauge::models::ImagePreset;
use neurogauge::models::detection::PromptNames;
use neurogauge::stats::{PairedTest, Similarity};
use neurogauge::{HolmFamily, MaskPrompts, ScorePreset};

mirrored!(ChamferArg => ChamferForm { Squared, Euclidean });
mirrored!(PointScaleArg => PointScale { AsIs, UnitSphere });
mirrored!(HolmArg => HolmFamily { Metric, All });
mirrored!(PairedTestArg => PairedTest { SignFlip, Studentized });
mirrored!(PairsArg => PairsOf { All, Shared });
mirrored!(MaskPromptsArg => MaskPrompts { Own, Stimulus });
mirrored!(DirectionArg => IdentificationDirection { Reconstruction, Stimulus });
mirrored!(CopiesArg => Copies { LeaveOut, Keep });
mirrored!(TiesArg => Ties { Lose, Half, Win });
mirrored!(SimilarityArg => Similarity { Correlation, Cosine, Euclidean });
mirrored!(ImagePresetArg => ImagePreset { Nsd8Mindeye2, Nsd8Native, Published, Timm, BrainDiffuser });
mirrored!(PresetArg => ScorePreset { #[value(alias = "seed")] #[serde(alias = "seed")] Official, Paper, Exact, Nsd8Mindeye2, Nsd8Native, Published, Basic, Capture, Mindeye1, Mindeye2, Atm, Mindbridge, Neuropictor, BrainDiffuser, Mirage, Mindvideo, Neurons, Cinebrain });
mirrored!(BoxUnitsArg => BoxUnits { Pixels, Shares });
mirrored!(VariantArg => Variant { Existence, Size, Location, Number });
mirrored!(PromptNamesArg => PromptNames { Spaces, Underscores });
mirrored!(VlmNamesArg => VlmNames { Normalised, AsWritten });
mirrored!(ReferencesArg => References { Mean, Max, First });
mirrored!(ProportionsArg => Proportions { Kept, Squashed });
mirrored!(FilterArg => Filter { Bilinear, Bicubic });
mirrored!(ArithmeticArg => Arithmetic { Float, EightBit });
mirrored!(SsimArg => SsimFlavour { Grey, Columns, Colour });
mirrored!(CategoriesArg => CategorySet { Salient, All });
mirrored!(ContainmentArg => Containment { WholeWords, Substring, Off });
mirrored!(AssignmentArg => Assignment { Optimal, Greedy });
mirrored!(SoftMatchingArg => SoftMatching { PerSideMaximum, OneToOne, Off });
mirrored!(NegativeCosinesArg => NegativeCosines { Zero, Kept });
mirrored!(CategoriesFromArg => CategoriesFrom { Both, Reference });
mirrored!(InstanceMatchingArg => InstanceMatching { Optimal, Greedy });
mirrored!(InstanceNamesArg => InstanceNames { Objects, All });
mirrored!(BinaryBackgroundArg => BinaryBackground { Elements, Complement });
mirrored!(EmptySideArg => EmptySide { Undefined, Zero });
mirrored!(MaskResizeArg => MaskResize { Refuse, Nearest });
mirrored!(SimulateArg => SimulatedSize { Miniature, Small, Nsd });
mirrored!(UnitIntervalArg => UnitInterval { T, Percentile });
mirrored!(NullPArg => NullP { Draws, T });
mirrored!(BalanceArg => Balance { None, Sessions, SessionsAndRuns });
mirrored!(ReconCategoriesArg => ReconCategories { Same, All });

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImageModelsArg {
    Own,
    #[value(name = "placeholder", alias = "stand-in")]
    #[serde(rename = "placeholder", alias = "stand-in")]
    Placeholder,
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScoreOrder {
    AsListed,
    Any,
}

mirrored! {
    OddFramesArg => neurogauge::OddFrames { Error, DropLast }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Switch {
    On,
    Off,
}

/// How a table is printed that has these forms only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableOrJson {
    #[default]
    Table,
    Json,
}
