//! What may be found in front of a background, and where.

use super::kind::Kind;
use super::scene::Background;

/// Lower edges of standing objects are within the rows `floor`, of hanging or flying ones within the rows `air`, px;
/// centres are within the fraction `across` of the width.
pub(super) struct Stage {
    pub(super) standing: &'static [Kind],
    pub(super) floor: (f64, f64),
    pub(super) hanging: &'static [Kind],
    pub(super) air: (f64, f64),
    pub(super) across: (f64, f64),
}

impl Stage {
    pub(super) fn of(background: Background) -> Self {
        use Kind::{
            Airplane, Boat, Bus, Car, Cat, Chair, Clock, Couch, Dog, Donut, Elephant, Kite, Person, Pizza, Sheep,
            SportsBall, Umbrella, Vase,
        };
        match background {
            Background::Meadow => Stage {
                standing: &[Dog, Sheep, Elephant, Person],
                floor: (190.0, 246.0),
                hanging: &[Kite],
                air: (86.0, 104.0),
                across: (0.15, 0.85),
            },
            Background::Street => Stage {
                standing: &[Car, Bus, Person],
                floor: (204.0, 246.0),
                hanging: &[],
                air: (0.0, 0.0),
                across: (0.0, 0.0),
            },
            Background::Sea => Stage {
                standing: &[Boat],
                floor: (172.0, 236.0),
                hanging: &[Airplane],
                air: (60.0, 84.0),
                across: (0.2, 0.8),
            },
            Background::Room => Stage {
                standing: &[Chair, Couch, Cat, Dog],
                floor: (210.0, 248.0),
                hanging: &[Clock],
                air: (66.0, 80.0),
                across: (0.47, 0.53),
            },
            Background::Snow => Stage {
                standing: &[Person, Dog],
                floor: (200.0, 246.0),
                hanging: &[],
                air: (0.0, 0.0),
                across: (0.0, 0.0),
            },
            Background::Beach => Stage {
                standing: &[Umbrella, Person, SportsBall, Dog],
                floor: (196.0, 246.0),
                hanging: &[Kite],
                air: (86.0, 104.0),
                across: (0.15, 0.85),
            },
            Background::Table => Stage {
                standing: &[Pizza, Donut, Vase],
                floor: (180.0, 244.0),
                hanging: &[],
                air: (0.0, 0.0),
                across: (0.0, 0.0),
            },
            Background::Sky => Stage {
                standing: &[],
                floor: (0.0, 0.0),
                hanging: &[Airplane, Kite],
                air: (130.0, 220.0),
                across: (0.42, 0.58),
            },
        }
    }
}
