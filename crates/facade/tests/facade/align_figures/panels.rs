//! Panels, curves and labels.

use super::alignments::{FIRST, SECOND, THIRD, align, count, names, strokes, svg, two_architectures};
use neurogauge::align::Alignment;
use neurogauge::report::figures::FigureOptions;
use neurogauge::{NamedPicture, Report};
use std::fs;

#[test]
fn two_architectures_and_regions() {
    let dir = tempfile::tempdir().unwrap();
    let alignment = two_architectures(dir.path());
    let drawn = alignment.figures().unwrap();
    let (pictures, findings) = (drawn.pictures, drawn.findings);
    assert!(findings.is_empty(), "{findings:?}");

    let curves = &svg(&pictures, "recovery_curves");
    for colour in [FIRST, SECOND, THIRD] {
        assert_eq!(strokes(curves, colour), 2 + 1, "{colour}");
    }
    let once = [
        "A",
        "B",
        "other subjects",
        "pretrained",
        "untrained",
        "other subjects, quartiles",
        "null of pretrained, mean ± SD",
        "null of untrained, mean ± SD",
    ];
    for label in once {
        assert_eq!(count(curves, label), 1, "{label}");
    }

    let grid = &svg(&pictures, "roi_by_architecture");
    assert_eq!(strokes(grid, FIRST), 4 + 1);
    for title in ["V1v, A", "V1v, B", "hV4, A", "hV4, B"] {
        assert_eq!(count(grid, title), 1, "{title}");
    }

    // The other subjects, and one source.
    let map = &svg(&pictures, "regions");
    for (label, n) in [("V1v", 2), ("hV4", 2), ("other subjects", 1)] {
        assert_eq!(count(map, label), n, "{label}");
    }

    let scatter = &svg(&pictures, "accuracy_profile");
    assert_eq!(count(scatter, "ProfileMean(5)"), 1);
    for title in ["above chance", "as measured"] {
        assert_eq!(count(scatter, title), 1, "{title}");
    }
    // Other subjects are discs: two donors for each of six units in each panel, and one in the legend.
    assert_eq!(scatter.matches("<circle").count(), 2 * 12 + 1);

    let references = &svg(&pictures, "reference");
    for label in ["weight", "coverage", "purity"] {
        assert_eq!(count(references, label), 1, "{label}");
    }
    let sources = &svg(&pictures, "source_diagnostics");
    for name in ["other subjects", "a", "a 0", "a 1", "b", "b 0"] {
        assert_eq!(count(sources, name), 1, "{name}");
    }
    // Six rows in three panels.
    assert_eq!(sources.matches("<circle").count(), 18);
    controls_stand_beside_the_sources(&pictures);
    a_grid_of_too_many_panels_is_left_out(alignment);
}

fn controls_stand_beside_the_sources(pictures: &[NamedPicture]) {
    let controls = &svg(pictures, "controls");
    let rows = [
        "other subjects",
        "pretrained models",
        "untrained models",
        "target PCA, rank 1",
        "target PCA, rank 2",
        "target PCA, consensus rank",
        "random directions",
    ];
    for row in rows {
        assert_eq!(count(controls, row), 1, "{row}");
    }
    // Two panels with all rows, and one with the accuracies of the sources.
    assert_eq!(controls.matches("<circle").count(), 7 + 7 + 3);

    let rules = &svg(pictures, "rank_rules");
    for label in ["selected rank", "rank 2", "rank 3", "BrainRefScore"] {
        assert_eq!(count(rules, label), 1, "{label}");
    }
    let directions = &svg(pictures, "directions");
    for colour in [FIRST, SECOND, THIRD] {
        assert_eq!(strokes(directions, colour), 2 + 1, "{colour}");
    }
    // Controls that were not requested have no figure.
    assert!(pictures.iter().all(|picture| picture.name != "readouts"));
}

#[test]
fn one_unit_and_one_source_make_plain_figures() {
    let dir = tempfile::tempdir().unwrap();
    let alignment = align(1, &["V1v"], &[("alone", None, None)], 0, dir.path());
    fs::create_dir_all(dir.path().join("figures")).unwrap();
    for name in ["readouts.svg", "mine.svg"] {
        fs::write(dir.path().join("figures").join(name), b"old").unwrap();
    }
    assert_eq!(alignment.write_figures(dir.path(), &FigureOptions::default()).unwrap(), []);
    let figures = [
        "accuracy_profile",
        "controls",
        "directions",
        "rank_rules",
        "recovery_curves",
        "reference",
        "source_diagnostics",
    ];
    let files = figures.iter().flat_map(|name| ["png", "svg"].map(|e| format!("{name}.{e}")));
    let mine = || ["mine.svg".to_owned()];
    assert_eq!(names(dir.path()), files.chain(mine()).collect());

    let pictures = alignment.figures().unwrap().pictures;
    let curves = &svg(&pictures, "recovery_curves");
    assert_eq!(count(curves, "alone"), 1);
    assert_eq!(strokes(curves, FIRST), 1 + 1);
    assert_eq!(strokes(curves, SECOND), 0);
    // There is neither a human band nor a null.
    assert_eq!(curves.matches("<polygon").count(), 0);
    assert!(!curves.contains("quartiles") && !curves.contains("Null"));

    alignment.remove_figures(dir.path()).unwrap();
    assert_eq!(names(dir.path()), mine().into_iter().collect());
}

fn a_grid_of_too_many_panels_is_left_out(mut alignment: Alignment) {
    // 31 regions and two architectures.
    let (units, entries) = (alignment.run.units.clone(), alignment.unit_scores.clone());
    for region in 0..29 {
        let roi = format!("region {region}");
        let mut unit = units[0].clone();
        unit.unit.roi.clone_from(&roi);
        let own = entries.iter().filter(|entry| entry.unit == units[0].unit);
        alignment.unit_scores.extend(own.cloned().map(|mut entry| {
            entry.unit.roi.clone_from(&roi);
            entry
        }));
        alignment.run.units.push(unit);
    }
    let drawn = alignment.figures().unwrap();
    let (pictures, findings) = (drawn.pictures, drawn.findings);
    assert!(pictures.iter().all(|picture| picture.name != "roi_by_architecture"));
    assert_eq!(findings.len(), 1);
    let text = findings[0].to_string();
    assert!(text.contains("roi_by_architecture: 62 panels"), "{text}");
}
