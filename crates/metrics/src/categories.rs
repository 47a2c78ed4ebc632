//! Properties of a detector's categories: their supercategory, and whether they are salient or inconspicuous.

use neurogauge_core::LabelList;

/// COCO's 12 supercategories and their categories, with SEED's *man* and *woman* under *person*.
#[rustfmt::skip]
pub const SUPERCATEGORIES: [(&str, &[&str]); 12] = [
    ("person", &["person", "man", "woman"]),
    ("vehicle", &["bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat"]),
    ("outdoor", &["traffic light", "fire hydrant", "stop sign", "parking meter", "bench"]),
    ("animal", &[
        "bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe",
    ]),
    ("accessory", &["backpack", "umbrella", "handbag", "tie", "suitcase"]),
    ("sports", &[
        "frisbee", "skis", "snowboard", "sports ball", "kite", "baseball bat", "baseball glove",
        "skateboard", "surfboard", "tennis racket",
    ]),
    ("kitchen", &["bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl"]),
    ("food", &[
        "banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut",
        "cake",
    ]),
    ("furniture", &["chair", "couch", "potted plant", "bed", "dining table", "toilet"]),
    ("electronic", &["tv", "laptop", "mouse", "remote", "keyboard", "cell phone"]),
    ("appliance", &["microwave", "oven", "toaster", "sink", "refrigerator"]),
    ("indoor", &[
        "book", "clock", "vase", "scissors", "teddy bear", "hair drier", "toothbrush",
    ]),
];

/// The 30 salient categories of the SEED paper's appendix B.1; the other 52 are inconspicuous.
#[rustfmt::skip]
const SALIENT: [&str; 30] = [
    "person", "man", "woman", "bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear",
    "zebra", "giraffe", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat",
    "bench", "chair", "couch", "bed", "dining table", "toilet", "sink", "refrigerator", "clock",
];

/// The COCO supercategory of one of SEED's 82 categories; `None` for any other name. Underscores count as spaces.
///
/// ```
/// use neurogauge_metrics::categories::supercategory;
/// assert_eq!(supercategory("dog"), Some("animal"));
/// assert_eq!(supercategory("traffic_light"), Some("outdoor"));
/// assert_eq!(supercategory("unicorn"), None);
/// ```
pub fn supercategory(name: &str) -> Option<&'static str> {
    let (supercategory, _) =
        SUPERCATEGORIES.iter().find(|(_, members)| members.iter().any(|member| same_name(member, name)))?;
    Some(supercategory)
}

/// Is it one of the 30 salient categories? `None` for a name that is not among the 82.
///
/// ```
/// use neurogauge_metrics::categories::is_salient;
/// assert_eq!(is_salient("dog"), Some(true));
/// assert_eq!(is_salient("cell phone"), Some(false));
/// assert_eq!(is_salient("unicorn"), None);
/// ```
pub fn is_salient(name: &str) -> Option<bool> {
    supercategory(name)?;
    Some(SALIENT.iter().any(|salient| same_name(salient, name)))
}

fn same_name(known: &str, name: &str) -> bool {
    known.bytes().eq(name.bytes().map(|byte: u8| if byte == b'_' { b' ' } else { byte }))
}

/// The properties of categories by index into a label list, for use on detections.
///
/// If the list has its own supercategories or salient categories ([`LabelGroups`](neurogauge_core::LabelGroups)), these
/// replace COCO's. A category outside all supercategories forms its own (shared by equal names). A category that is
/// neither listed as salient nor among SEED's 30 is not salient.
///
/// ```
/// use neurogauge_core::{LabelGroups, LabelList};
/// use neurogauge_metrics::categories::Taxonomy;
/// let taxonomy = Taxonomy::new(&LabelList::new("pets", ["dog", "cat", "unicorn"]));
/// assert_eq!(taxonomy.supercategory(0), taxonomy.supercategory(1));
/// assert_ne!(taxonomy.supercategory(1), taxonomy.supercategory(2));
/// assert_eq!(taxonomy.n_salient(), 2);
/// let groups = LabelGroups {
///     supercategories: Some([("mythical".to_owned(), vec!["unicorn".to_owned(), "dragon".to_owned()])].into()),
///     salient: Some(vec!["dragon".to_owned()]),
/// };
/// let taxonomy = Taxonomy::new(&LabelList::new("beasts", ["unicorn", "dragon", "dog"]).grouped(groups));
/// assert_eq!(taxonomy.supercategory(0), taxonomy.supercategory(1));
/// assert_ne!(taxonomy.supercategory(1), taxonomy.supercategory(2));
/// assert_eq!(taxonomy.n_salient(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taxonomy {
    names: Vec<String>,
    supercategories: Vec<usize>,
    salient: Vec<bool>,
    n_groups: usize,
}

impl Taxonomy {
    pub fn new(labels: &LabelList) -> Self {
        let names = labels.names();
        let groups = labels.groups();
        let of_group = |name: &String| match &groups.supercategories {
            Some(own) => own.values().position(|members| members.contains(name)),
            None => {
                let known = supercategory(name)?;
                SUPERCATEGORIES.iter().position(|(id, _)| *id == known)
            }
        };
        let n_groups = groups.supercategories.as_ref().map_or_else(|| SUPERCATEGORIES.len(), |own| own.len());
        let place = |name: &String| names.iter().position(|other| other == name);
        let supercategories = names
            .iter()
            .enumerate()
            .map(|(index, name)| of_group(name).unwrap_or_else(|| n_groups + place(name).unwrap_or(index)));
        let salient = names.iter().map(|name| match &groups.salient {
            Some(own) => own.contains(name),
            None => is_salient(name) == Some(true),
        });
        Taxonomy {
            supercategories: supercategories.collect(),
            salient: salient.collect(),
            names: names.to_vec(),
            n_groups,
        }
    }

    /// The name of a category, or its number if it is outside the list.
    pub fn name(&self, category: usize) -> String {
        self.names.get(category).map_or_else(|| format!("category {category}"), |name| name.clone())
    }

    pub fn n_categories(&self) -> usize {
        self.supercategories.len()
    }

    pub fn n_salient(&self) -> usize {
        self.salient.iter().filter(|&&salient| salient).count()
    }

    /// A number shared by the categories of one supercategory; `None` outside the list.
    pub fn supercategory(&self, category: usize) -> Option<usize> {
        self.supercategories.get(category).copied()
    }

    /// Is the category salient? `None` outside the list.
    pub fn is_salient(&self, category: usize) -> Option<bool> {
        self.salient.get(category).copied()
    }

    /// One more than the largest number that [`supercategory`](Self::supercategory) returns.
    pub(crate) fn n_supercategory_slots(&self) -> usize {
        self.n_groups + self.n_categories()
    }
}
