//! Where the boxes of regions stand.

use super::kinds::attribute;
use neurogauge_report::figures::{RegionMap, RegionPanel};

/// The column and row of each region's box, from the picture. Boxes are 72 wide and 38 high, the hemispheres are 18 apart,
/// and the title stands above the first row at its left edge.
fn boxes(regions: &[(&str, &str)]) -> Vec<(usize, usize)> {
    let regions = regions.iter().map(|(side, name)| ((*side).to_owned(), (*name).to_owned(), Some(0.5)));
    let panel = RegionPanel {
        title: "T".to_owned(),
        regions: regions.collect(),
    };
    let map = RegionMap {
        panels: vec![panel],
        ..RegionMap::default()
    };
    let svg = map.draw().unwrap().svg();
    let title = svg.lines().find(|line| line.starts_with("<text ")).unwrap();
    let [left, top] = ["x", "y"].map(|name| attribute(title, name).unwrap().parse::<f64>().unwrap());
    let corners = svg.lines().filter(|line| line.starts_with("<polygon ")).map(|line| {
        let (x, y) = attribute(line, "points").unwrap().split(' ').next().unwrap().split_once(',').unwrap();
        (x.parse::<f64>().unwrap() - left, y.parse::<f64>().unwrap() - top)
    });
    corners.map(|(x, y)| ((x / 72.0) as usize, (y / 38.0) as usize)).collect()
}

#[test]
fn hemispheres_meet_at_the_back_of_the_head() {
    // Left: V4 and V1, then right: V1 and V4.
    assert_eq!(boxes(&[("lh", "V1"), ("lh", "hV4"), ("rh", "V1"), ("rh", "hV4")]), [(1, 0), (0, 1), (2, 0), (3, 1)]);
    assert_eq!(boxes(&[("", "V1"), ("", "V4")]), [(0, 0), (1, 1)]);
}

#[test]
fn regions_without_a_place_stand_below() {
    assert_eq!(
        boxes(&[("", "V1"), ("", "V2"), ("", "early"), ("", "a"), ("", "b")]),
        [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
    );
    assert_eq!(boxes(&[("", "a"), ("", "b")]), [(0, 0), (1, 0)]);
}
