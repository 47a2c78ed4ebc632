//! Object F1 of named categories against sets in Python (`reference/vlm_objects.py`).

use crate::support::*;

#[derive(Deserialize)]
struct Case {
    gt: String,
    recon: String,
    names: VlmNames,
    preset: Preset,
    f1: Option<f64>,
}

#[test]
fn named_categories_score_as_sets_do() {
    let cases: Vec<Case> = golden("vlm_objects");
    let split = |text: &str| CategoryNames(text.split(',').map(str::to_owned).collect());
    let (mut n_undefined, mut n_between) = (0, 0);
    for case in &cases {
        let found = vlm_object_f1(&split(&case.gt), &split(&case.recon), case.names, case.preset);
        match case.f1 {
            None => {
                assert!(matches!(found, Err(Undefined::NoCategories(_))));
                n_undefined += 1;
            }
            Some(f1) => {
                let found = found.unwrap();
                assert!((found - f1).abs() < 1e-15, "{:?} {:?}", case.gt, case.recon);
                n_between += usize::from(f1 > 0.0 && f1 < 1.0);
            }
        }
    }
    assert!(n_undefined > 4 && n_between > 40, "{n_undefined} {n_between}");
}

fn of(names: &str) -> CategoryNames {
    CategoryNames(names.split(',').map(str::to_owned).collect())
}

#[test]
fn what_is_the_same_name_is_an_option() {
    let (gt, recon) = (of("Traffic_Light,dog."), of(" traffic  light , DOG"));
    let f1 = |names| vlm_object_f1(&gt, &recon, names, Preset::Paper);
    assert_eq!(f1(VlmNames::Normalised), Ok(1.0));
    assert_eq!(f1(VlmNames::AsWritten), Ok(0.0));
}

#[test]
fn a_side_without_categories_is_the_preset_s_business() {
    let (something, nothing) = (of("dog, cat"), of(" , . ,"));
    let f1 = |gt: &CategoryNames, recon: &CategoryNames, preset| vlm_object_f1(gt, recon, VlmNames::Normalised, preset);
    for preset in [Preset::Paper, Preset::Exact] {
        let empty = |side| Err(Undefined::NoCategories(side));
        assert_eq!(f1(&nothing, &something, preset), empty(Side::Gt));
        assert_eq!(f1(&something, &nothing, preset), empty(Side::Recon));
    }
    assert_eq!(f1(&nothing, &nothing, Preset::Official), Ok(1.0));
    assert_eq!(f1(&something, &nothing, Preset::Official), Ok(0.0));
}
