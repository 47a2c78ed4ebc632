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
