//! Tests of `generation::ends`.

use neurogauge_kernels::generation::*;

#[test]
fn one_end_or_several_or_none() {
    let ends = |text| serde_json::from_str::<Ends>(text).unwrap().ids();
    assert_eq!(ends("102"), [102]);
    assert_eq!(ends("[3, 4]"), [3, 4]);
    assert!(ends("null").is_empty());
    assert!(serde_json::from_str::<Ends>("\"2\"").is_err());
}
