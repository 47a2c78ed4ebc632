//! Any number of threads draws the same files.

use super::alignments::{names, two_architectures};
use neurogauge::Report;
use neurogauge::report::figures::FigureOptions;
use std::fs;
use std::path::Path;

#[test]
fn the_same_files_by_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let run = |n_threads: usize| {
        let folder = dir.path().join(n_threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let findings = pool.build().unwrap().install(|| {
            let alignment = two_architectures(&folder);
            alignment.write_figures(&folder, &FigureOptions::default()).unwrap()
        });
        assert!(findings.is_empty(), "{findings:?}");
        folder
    };
    let (one, four) = (run(1), run(4));
    assert_eq!(names(&one), names(&four));
    for figure in ["accuracy_profile", "recovery_curves", "reference"] {
        for ending in ["png", "svg"] {
            assert!(names(&one).contains(&format!("{figure}.{ending}")));
        }
    }
    for name in names(&one) {
        let read = |folder: &Path| fs::read(folder.join("figures").join(&name)).unwrap();
        assert!(read(&one) == read(&four), "{name}");
    }
}
