//! The categories that a detector was asked for.

/// An ordered list of category names; a detection's label is an index into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelList {
    id: String,
    names: Vec<String>,
}

impl LabelList {
    /// A list of the user's own. Underscores in names become spaces.
    pub fn new(id: impl Into<String>, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let names = names
            .into_iter()
            .map(|name| normalise(name.as_ref()))
            .collect();
        LabelList {
            id: id.into(),
            names,
        }
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

    /// A built-in list by its id.
    pub fn builtin(id: &str) -> Option<Self> {
        match id {
            "coco" => Some(LabelList::coco()),
            "coco_gender" => Some(LabelList::coco_gender()),
            _ => None,
        }
    }

    /// Id of the list, kept in `run.json`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Names, in the order of the label indices.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The index of a name (underscores and spaces are the same).
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let name = normalise(name);
        self.names.iter().position(|known| *known == name)
    }
}

fn normalise(name: &str) -> String {
    name.trim().replace('_', " ")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_list_has_82_names_and_starts_with_people() {
        let list = LabelList::coco_gender();
        assert_eq!(list.names().len(), 82);
        assert_eq!(&list.names()[..4], ["person", "man", "woman", "bicycle"]);
        assert_eq!(list.index_of("traffic_light"), Some(11));
        assert_eq!(list.index_of("unicorn"), None);
    }
}
