//! Figures of `neurogauge align`, and a run without them.

use crate::support::alignments::{ALIGN, Arrays, DRAW};
use crate::support::*;

#[test]
fn figures_are_drawn_unless_they_are_not_wanted() {
    let mut arrays = Arrays::new();
    arrays.trials.remove("b");
    arrays.write();
    let dir = &arrays.dir;
    let ran = dir.succeed(DRAW);
    assert!(!ran.stderr.contains("warning"), "{ran}");
    for name in ["accuracy_profile", "recovery_curves", "reference", "source_diagnostics"] {
        contains(&dir.read(format!("run/figures/{name}.svg")), &["<svg"]);
        assert!(dir.bytes(format!("run/figures/{name}.png")).starts_with(b"\x89PNG"));
    }
    // One source and its null, without a source for comparison.
    let curves = dir.read("run/figures/recovery_curves.svg");
    assert!(curves.contains("null, mean ± SD"), "{curves}");
    assert!(!curves.contains("other subjects"), "{curves}");

    dir.write("run/figures/mine.svg", "mine");
    dir.succeed(ALIGN);
    assert_eq!(dir.names("run/figures"), ["mine.svg"]);
}
