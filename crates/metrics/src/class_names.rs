//! Names of a classifier's classes.

/// The synsets of ILSVRC 2012 and the first lemma of each in WordNet 3.0, in the order of the synsets, which is that of
/// torchvision's outputs.
const IMAGENET: &str = include_str!("imagenet_classes.txt");

/// The name of a class: for 1000 classes, ImageNet's name and the class's number (two names, "crane" and "maillot",
/// occur twice), otherwise only the number.
///
/// `n_classes` is the classifier's number of classes, which count from 0.
///
/// ```
/// use neurogauge_metrics::class_names::class_name;
/// assert_eq!(class_name(1, 1000), "goldfish (1)");
/// assert_eq!(class_name(134, 1000), "crane (134)");
/// assert_eq!(class_name(1, 10), "class 1");
/// ```
pub fn class_name(class: usize, n_classes: usize) -> String {
    let line = (n_classes == 1000).then(|| IMAGENET.lines().nth(class));
    let name = line.flatten().and_then(|line| line.split_once(' '));
    name.map_or_else(|| format!("class {class}"), |(_, name)| format!("{name} ({class})"))
}
