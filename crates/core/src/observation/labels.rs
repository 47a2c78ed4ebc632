//! The categories of a detector.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An ordered list of category names; a detection's label is an index into it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelList {
    id: String,
    names: Vec<String>,
    groups: LabelGroups,
}

/// The user's groups of a list's categories. Groups that are not given are known for COCO's categories only.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelGroups {
    /// The categories of each supercategory; a category outside all of them forms its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supercategories: Option<BTreeMap<String, Vec<String>>>,
    /// The salient categories; all others count as inconspicuous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salient: Option<Vec<String>>,
}

impl LabelGroups {
    /// Are no groups given?
    pub fn is_empty(&self) -> bool {
        *self == LabelGroups::default()
    }
}

impl LabelList {
    /// Id of a list whose labels are numbers without names.
    pub const NUMBERS: &str = "numbers";

    /// A list of the user's own. Underscores in names become spaces.
    pub fn new(id: impl Into<String>, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let names = names.into_iter().map(|name| normalise(name.as_ref())).collect();
        LabelList {
            id: id.into(),
            names,
            groups: LabelGroups::default(),
        }
    }

    /// The list with these groups. Underscores in names become spaces.
    pub fn grouped(self, mut groups: LabelGroups) -> Self {
        let members = groups.supercategories.iter_mut().flatten();
        let names = members.flat_map(|(_, members)| members);
        for name in names.chain(groups.salient.iter_mut().flatten()) {
            *name = normalise(name);
        }
        LabelList { groups, ..self }
    }

    /// The 80 COCO categories in COCO's order (`coco`).
    pub fn coco() -> Self {
        LabelList::new("coco", COCO)
    }

    /// SEED's 82 categories (`coco_gender`): person, man, woman, then the rest of COCO in order.
    pub fn coco_gender() -> Self {
        let names = ["person", "man", "woman"].iter().chain(&COCO[1..]);
        LabelList::new("coco_gender", names)
    }

    /// The 51 names that SEED's released code uses for the test images of Generic Object Decoding (`god`): person, then
    /// 50 names; two of them occur twice, as in that code.
    pub fn god() -> Self {
        LabelList::new("god", GOD)
    }

    /// All built-in lists.
    pub fn all_builtin() -> [Self; 3] {
        [LabelList::coco_gender(), LabelList::coco(), LabelList::god()]
    }

    /// A built-in list by its id.
    pub fn builtin(id: &str) -> Option<Self> {
        LabelList::all_builtin().into_iter().find(|list| list.id == id)
    }

    /// The list with these names: a built-in one if it has the same names in the same order.
    pub fn of_names(names: &[String]) -> Self {
        let own = LabelList::new("names in the file", names);
        let mut known = LabelList::all_builtin().into_iter();
        known.find(|list| list.names == own.names).unwrap_or(own)
    }

    /// A list for labels without names, up to the highest number: `label 0`, `label 1`, ...
    pub fn of_numbers(highest: usize) -> Self {
        LabelList::new(LabelList::NUMBERS, (0..=highest).map(|number| format!("label {number}")))
    }

    /// Id of the list, kept in `run.json`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Names, in the order of the label indices.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The groups of the categories.
    pub fn groups(&self) -> &LabelGroups {
        &self.groups
    }

    /// The index of a name (underscores count as spaces).
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let name = normalise(name);
        self.names.iter().position(|known| *known == name)
    }
}

fn normalise(name: &str) -> String {
    name.trim().replace('_', " ")
}

#[rustfmt::skip]
const GOD: [&str; 51] = [
    "person", "goldfish", "great grey owl", "common iguana", "goose", "black swan", "conch", "Dungeness crab", "killer whale",
    "leopard", "wombat", "fly", "cabbage butterfly", "ibex", "Arabian camel", "bighorn", "airliner", "barrow", "beer glass",
    "croquet ball", "tractor", "cannon", "canoe", "coffeepot", "horse cart", "cowboy hat", "cowboy hat", "electric guitar",
    "fire engine", "football helmet", "grand piano", "stone wall", "hand blower", "harp", "iPod", "knot", "mailbox",
    "acoustic guitar", "microwave", "church", "hatchet", "coil", "space heater", "snowmobile", "sock", "church", "drum",
    "umbrella", "tape player", "washer", "crash helmet",
];

const COCO: [&str; 80] = [
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "airplane",
    "bus",
    "train",
    "truck",
    "boat",
    "traffic light",
    "fire hydrant",
    "stop sign",
    "parking meter",
    "bench",
    "bird",
    "cat",
    "dog",
    "horse",
    "sheep",
    "cow",
    "elephant",
    "bear",
    "zebra",
    "giraffe",
    "backpack",
    "umbrella",
    "handbag",
    "tie",
    "suitcase",
    "frisbee",
    "skis",
    "snowboard",
    "sports ball",
    "kite",
    "baseball bat",
    "baseball glove",
    "skateboard",
    "surfboard",
    "tennis racket",
    "bottle",
    "wine glass",
    "cup",
    "fork",
    "knife",
    "spoon",
    "bowl",
    "banana",
    "apple",
    "sandwich",
    "orange",
    "broccoli",
    "carrot",
    "hot dog",
    "pizza",
    "donut",
    "cake",
    "chair",
    "couch",
    "potted plant",
    "bed",
    "dining table",
    "toilet",
    "tv",
    "laptop",
    "mouse",
    "remote",
    "keyboard",
    "cell phone",
    "microwave",
    "oven",
    "toaster",
    "sink",
    "refrigerator",
    "book",
    "clock",
    "vase",
    "scissors",
    "teddy bear",
    "hair drier",
    "toothbrush",
];
