//! The kinds of objects that can be drawn.

/// A colour with its everyday name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Its form in captions.
    pub name: &'static str,
    /// Red, green, blue.
    pub rgb: [u8; 3],
}

const fn colour(name: &'static str, rgb: [u8; 3]) -> Colour {
    Colour { name, rgb }
}

const RED: Colour = colour("red", [206, 52, 46]);
const ORANGE: Colour = colour("orange", [228, 134, 48]);
const YELLOW: Colour = colour("yellow", [240, 196, 54]);
const GREEN: Colour = colour("green", [62, 140, 84]);
const BLUE: Colour = colour("blue", [52, 104, 186]);
const PURPLE: Colour = colour("purple", [128, 84, 164]);
const PINK: Colour = colour("pink", [236, 138, 172]);
const BROWN: Colour = colour("brown", [140, 92, 54]);
const TAN: Colour = colour("tan", [206, 160, 104]);
const BLACK: Colour = colour("black", [58, 56, 60]);
const GREY: Colour = colour("gray", [140, 144, 152]);
const WHITE: Colour = colour("white", [244, 242, 236]);
const CHEESE: Colour = colour("cheese", [246, 206, 104]);

/// The kind of an object. The names are COCO's categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Person,
    Dog,
    Cat,
    Sheep,
    Elephant,
    Car,
    Bus,
    Boat,
    Airplane,
    Kite,
    SportsBall,
    Umbrella,
    Chair,
    Couch,
    Clock,
    Vase,
    Pizza,
    Donut,
}

/// What there is to know about a kind.
pub(super) struct Facts {
    pub(super) category: &'static str,
    pub(super) supercategory: &'static str,
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    /// What it is doing, in captions.
    pub(super) doing: &'static str,
    /// Width and height in px at medium size.
    pub(super) size_px: (f64, f64),
    pub(super) colours: &'static [Colour],
}

impl Kind {
    pub const ALL: [Kind; 18] = [
        Kind::Person,
        Kind::Dog,
        Kind::Cat,
        Kind::Sheep,
        Kind::Elephant,
        Kind::Car,
        Kind::Bus,
        Kind::Boat,
        Kind::Airplane,
        Kind::Kite,
        Kind::SportsBall,
        Kind::Umbrella,
        Kind::Chair,
        Kind::Couch,
        Kind::Clock,
        Kind::Vase,
        Kind::Pizza,
        Kind::Donut,
    ];

    /// COCO's name.
    pub fn category(self) -> &'static str {
        self.facts().category
    }

    /// COCO's supercategory.
    pub fn supercategory(self) -> &'static str {
        self.facts().supercategory
    }

    /// The other kinds of its supercategory.
    pub(super) fn siblings(self) -> Vec<Kind> {
        let others = Kind::ALL.into_iter().filter(|other| *other != self);
        others.filter(|other| other.supercategory() == self.supercategory()).collect()
    }

    #[rustfmt::skip] // One line for each kind.
    pub(super) fn facts(self) -> Facts {
        match self {
            Kind::Person => facts("person", "person", ("person", "people"), "standing", (44.0, 116.0), &[RED, BLUE, GREEN, YELLOW, PURPLE]),
            Kind::Dog => facts("dog", "animal", ("dog", "dogs"), "standing", (92.0, 72.0), &[BROWN, TAN, BLACK]),
            Kind::Cat => facts("cat", "animal", ("cat", "cats"), "sitting", (66.0, 74.0), &[ORANGE, GREY, BLACK]),
            Kind::Sheep => facts("sheep", "animal", ("sheep", "sheep"), "grazing", (88.0, 68.0), &[WHITE]),
            Kind::Elephant => facts("elephant", "animal", ("elephant", "elephants"), "walking", (136.0, 108.0), &[GREY]),
            Kind::Car => facts("car", "vehicle", ("car", "cars"), "parked", (116.0, 54.0), &[RED, BLUE, YELLOW, GREEN]),
            Kind::Bus => facts("bus", "vehicle", ("bus", "buses"), "driving", (152.0, 92.0), &[RED, YELLOW, BLUE]),
            Kind::Boat => facts("boat", "vehicle", ("boat", "boats"), "sailing", (104.0, 116.0), &[WHITE, RED, BLUE]),
            Kind::Airplane => facts("airplane", "vehicle", ("airplane", "airplanes"), "flying", (148.0, 62.0), &[WHITE, RED, YELLOW]),
            Kind::Kite => facts("kite", "sports", ("kite", "kites"), "flying", (60.0, 96.0), &[RED, BLUE, YELLOW, PURPLE]),
            Kind::SportsBall => facts("sports ball", "sports", ("ball", "balls"), "lying", (36.0, 36.0), &[WHITE, ORANGE]),
            Kind::Umbrella => facts("umbrella", "accessory", ("umbrella", "umbrellas"), "standing", (120.0, 116.0), &[RED, BLUE, GREEN]),
            Kind::Chair => facts("chair", "furniture", ("chair", "chairs"), "standing", (60.0, 104.0), &[BROWN, GREEN, RED]),
            Kind::Couch => facts("couch", "furniture", ("couch", "couches"), "standing", (150.0, 82.0), &[BLUE, GREEN, GREY, RED]),
            Kind::Clock => facts("clock", "indoor", ("clock", "clocks"), "hanging", (56.0, 56.0), &[BLACK, BROWN, RED]),
            Kind::Vase => facts("vase", "indoor", ("vase", "vases"), "standing", (52.0, 92.0), &[BLUE, WHITE, PURPLE]),
            Kind::Pizza => facts("pizza", "food", ("pizza", "pizzas"), "lying", (128.0, 86.0), &[CHEESE]),
            Kind::Donut => facts("donut", "food", ("donut", "donuts"), "lying", (80.0, 56.0), &[PINK, BROWN, WHITE]),
        }
    }
}

const fn facts(
    category: &'static str,
    supercategory: &'static str,
    (singular, plural): (&'static str, &'static str),
    doing: &'static str,
    size_px: (f64, f64),
    colours: &'static [Colour],
) -> Facts {
    Facts {
        category,
        supercategory,
        singular,
        plural,
        doing,
        size_px,
        colours,
    }
}
