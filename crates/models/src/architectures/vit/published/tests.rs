use super::super::rotation::Rotation;
use super::*;
use crate::goldens;
use std::collections::BTreeMap;

/// Checks the published depth. The goldens, which other tests prove equal to ours, have only two blocks.
#[test]
fn every_model_has_as_many_parameters_as_timm_counts() {
    for variant in VARIANTS {
        let golden = goldens::golden(&format!("timm_{}", variant.id));
        let tensors: BTreeMap<String, Vec<usize>> = serde_json::from_value(golden["tensors"].clone()).unwrap();
        let count = |counts: &dyn Fn(&str) -> bool| -> usize {
            let is_statistic = |name: &str| name.contains(".running_");
            let counted = tensors.iter().filter(|(name, _)| !is_statistic(name) && counts(name));
            counted.map(|(_, shape)| shape.iter().product::<usize>()).sum()
        };
        let of_block = count(&|name| name.starts_with("blocks.0."));
        let around = count(&|name| !name.starts_with("blocks."));
        let published = &golden["published"];
        assert_eq!(Some(variant.shape.n_blocks as u64), published["blocks"].as_u64());
        let found = around + variant.shape.n_blocks * of_block;
        assert_eq!(Some(found as u64), published["parameters"].as_u64(), "{}", variant.id);
    }
}

/// Rotates pairs by the papers' formulas, in f64.
#[test]
fn patches_turn_by_row_and_column_and_other_tokens_do_not() {
    let head_width = 8;
    let turned = |rotation: Rotation, place: usize, head: [f32; 8]| {
        let mut head = head;
        rotation.turns(1, (2, 3), head_width).turn(place, &mut head);
        head
    };
    let unit = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for rotation in [Rotation::PerceptionEncoder, Rotation::DinoV3] {
        assert_eq!(turned(rotation, 0, unit), unit);
    }
    // The last patch is in row 1 of 2 and column 2 of 3, counted from 0.
    let column = turned(Rotation::PerceptionEncoder, 6, unit);
    assert!((f64::from(column[0]) - 3_f64.cos()).abs() < 1e-6, "{column:?}");
    assert!((f64::from(column[1]) - 3_f64.sin()).abs() < 1e-6, "{column:?}");
    let row = turned(Rotation::DinoV3, 6, unit);
    let angle = std::f64::consts::PI;
    assert!((f64::from(row[0]) - angle.cos()).abs() < 1e-6, "{row:?}");
    assert!((f64::from(row[4]) - angle.sin()).abs() < 1e-6, "{row:?}");
    let slower = turned(Rotation::DinoV3, 6, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let angle = 2.0 * std::f64::consts::PI * (2.0 / 3.0) / 10.0;
    assert!((f64::from(slower[3]) - angle.cos()).abs() < 1e-6, "{slower:?}");
}
