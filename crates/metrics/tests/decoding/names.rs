//! Names of categories and of classes.

use crate::support::*;
use neurogauge_metrics::categories::{SUPERCATEGORIES, is_salient, supercategory};
use neurogauge_metrics::class_names::class_name;

const IMAGENET: &str = include_str!("../../src/imagenet_classes.txt");

#[test]
fn every_one_of_the_82_has_a_supercategory_and_30_are_salient() {
    let labels = LabelList::coco_gender();
    let known: BTreeSet<_> = labels.names().iter().filter_map(|name| supercategory(name)).collect();
    assert_eq!(known.len(), 12);
    let listed = SUPERCATEGORIES.iter().map(|(_, members)| members.len());
    assert_eq!(listed.sum::<usize>(), 82);
    let salient: Vec<_> = labels.names().iter().map(|n| is_salient(n)).collect();
    assert_eq!(salient.iter().filter(|s| **s == Some(true)).count(), 30);
    assert_eq!(salient.iter().filter(|s| **s == Some(false)).count(), 52);
    assert_eq!(salient.len(), 82);
}

#[test]
fn a_taxonomy_follows_its_list() {
    let taxonomy = Taxonomy::new(&LabelList::coco());
    assert_eq!((taxonomy.n_categories(), taxonomy.n_salient()), (80, 28));
    assert_eq!(taxonomy.supercategory(80), None);
    assert_eq!(taxonomy.is_salient(80), None);
    let gender = Taxonomy::new(&LabelList::coco_gender());
    assert_eq!(gender.supercategory(0), gender.supercategory(2));
    let own = Taxonomy::new(&LabelList::new("own", ["church", "hat", "church"]));
    assert_eq!(own.supercategory(0), own.supercategory(2));
    assert_ne!(own.supercategory(0), own.supercategory(1));
}

#[test]
fn there_are_a_thousand_in_the_order_of_their_synsets() {
    let synsets: Vec<&str> = IMAGENET.lines().filter_map(|line| Some(line.split_once(' ')?.0)).collect();
    assert_eq!(synsets.len(), 1000);
    assert!(synsets.is_sorted_by(|a, b| a < b));
    assert_eq!(class_name(999, 1000), "toilet tissue (999)");
    assert_eq!(class_name(1000, 1000), "class 1000");
}
