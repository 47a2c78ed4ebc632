//! Boxes of the words in every kind of figure: the picture's edge cuts none, and none overlap.

use super::files::all;
use super::kinds::{attribute, bars, curves, heatmap, intervals, scatter, specifications};
use neurogauge_core::Image;
use neurogauge_report::figures::*;
use ttf_parser::Face;

/// Heights above and depths below the baseline, relative to the size: of capitals and of letters such as g.
const ABOVE: f64 = 0.73;
const BELOW: f64 = 0.2;
/// Boxes that touch do not overlap.
const TOLERANCE: f64 = 1.0;

/// Words and their bounding box: left, top, right, bottom.
#[derive(Debug)]
struct Words {
    text: String,
    at: [f64; 4],
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).unwrap().parse().unwrap()
}

/// All words of a document, with widths from the font's own advances.
fn words(svg: &str) -> Vec<Words> {
    let faces = [dejavu::sans::regular(), dejavu::sans::bold()].map(|bytes| Face::parse(bytes, 0).unwrap());
    let mut lines = svg.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !line.starts_with("<text ") {
            continue;
        }
        let text = lines.next().unwrap();
        let unescaped = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        let face = &faces[usize::from(attribute(line, "font-weight") == Some("bold"))];
        let size = number(line, "font-size");
        let advance = |letter: char| {
            let glyph = face.glyph_index(letter).unwrap_or_default();
            f64::from(face.glyph_hor_advance(glyph).unwrap()) / f64::from(face.units_per_em())
        };
        let width = size * unescaped.chars().map(advance).sum::<f64>();
        let (x, y, dy) = (number(line, "x"), number(line, "y"), number(line, "dy"));
        let start = match attribute(line, "text-anchor").unwrap() {
            "start" => 0.0,
            "middle" => -width / 2.0,
            _ => -width,
        };
        let (above, below) = (dy - ABOVE * size, dy + BELOW * size);
        let at = match attribute(line, "transform") {
            Some(turned) => {
                assert!(turned.starts_with("rotate(270 "), "{line}");
                [x + above, y - start - width, x + below, y - start]
            }
            None => [x + start, y + above, x + start + width, y + below],
        };
        found.push(Words { text: unescaped, at });
    }
    found
}

/// Faults of the words in a document.
fn faults(svg: &str) -> Vec<String> {
    let sides: Vec<f64> = attribute(svg, "viewBox").unwrap().split(' ').map(|side| side.parse().unwrap()).collect();
    let words = words(svg);
    let mut faults = Vec::new();
    for (place, one) in words.iter().enumerate() {
        let [left, top, right, bottom] = one.at;
        if left < -TOLERANCE || top < -TOLERANCE || right > sides[2] + TOLERANCE || bottom > sides[3] + TOLERANCE {
            faults.push(format!("{:?} is cut: {:?} of {sides:?}", one.text, one.at));
        }
        for other in &words[place + 1..] {
            let x = right.min(other.at[2]) - left.max(other.at[0]);
            let y = bottom.min(other.at[3]) - top.max(other.at[1]);
            if x > TOLERANCE && y > TOLERANCE {
                faults.push(format!("{:?} is over {:?}", one.text, other.text));
            }
        }
    }
    faults
}

fn long(n: usize) -> Vec<String> {
    let name = |place| format!("a system whose name is rather long, of 2026, number {place}");
    (0..n).map(name).collect()
}

/// Every kind with few and with many items, and with long names.
fn cases() -> Vec<(String, Picture)> {
    let mut cases: Vec<(String, Picture)> = Vec::new();
    let mut add = |name: String, drawn: Result<Picture, neurogauge_report::ReportError>| {
        cases.push((name, drawn.unwrap()));
    };
    let values: Vec<Option<f64>> = (0..12).map(|i| Some(f64::from(i) - 4.0)).collect();
    for n in [1, 3, 12] {
        let mut figure = bars(&values[..n]);
        add(format!("bars of {n}"), figure.draw());
        figure.series = long(n);
        figure.groups = long(3);
        add(format!("bars of {n} long names"), figure.draw());
    }
    for n in [1, 5, 30] {
        let mut figure = heatmap(n, Some(-0.25));
        add(format!("heatmap of {n}"), figure.draw());
        (figure.rows, figure.columns) = (long(n), long(n));
        add(format!("heatmap of {n} long names"), figure.draw());
    }
    for points in [
        vec![],
        vec![(0.0, 0.0)],
        vec![(1e-6, 123_456.0), (2e-6, 654_321.0)],
        (0..40).map(|i| (f64::from(i).sin(), f64::from(i).cos())).collect(),
    ] {
        let n = points.len();
        let mut figure = scatter(&points);
        (figure.x_label, figure.y_label) = ("prediction accuracy".into(), long(1)[0].clone());
        figure.title = long(2).join(", ");
        figure.panels[0].note = "n = 40, Pearson r = 0.12, Spearman ρ = 0.34".into();
        add(format!("scatter of {n}"), figure.draw());
        for (i, point) in figure.panels[0].points.iter_mut().enumerate().step_by(3) {
            point.label = format!("point {i}");
        }
        figure.panels = vec![figure.panels[0].clone(); 4];
        add(format!("scatter of {n}, four panels, labels"), figure.draw());
        let points: Vec<(f64, Option<f64>)> = points.iter().map(|&(x, y)| (x, Some(y))).collect();
        let mut figure = curves(&points);
        figure.panels[0].title = "V1".into();
        let own = figure.panels[0].curves[0].clone();
        figure.panels[0].curves = (long(6).into_iter()).map(|label| Curve { label, ..own.clone() }).collect();
        figure.panels = vec![figure.panels[0].clone(); 5];
        (figure.x_label, figure.y_label) = ("direction".into(), "coverage".into());
        add(format!("curves of {n}"), figure.draw());
    }
    for n in [1, 4, 25] {
        let dots = (0..n).filter_map(|row| {
            let value = row as f64;
            Dot::estimate((row, 0), value / 7.0, Some((value / 8.0, value / 6.0)))
        });
        let mut figure = intervals(dots.collect());
        figure.rows = long(n);
        figure.series = long(1);
        figure.panels[0].title = "recovery beyond chance".into();
        figure.panels[0].levels = vec![Level::at(0.0, "no difference"), Level::at(0.02, "human threshold")];
        figure.panels = vec![figure.panels[0].clone(); 3];
        figure.caption = long(5).join(". ");
        add(format!("intervals of {n}"), figure.draw());
        let values: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut figure = specifications(&values);
        figure.series = long(2);
        figure.factors[0].options = long(2);
        add(format!("specifications of {n}"), figure.draw());
        let grey = Image::new(3, 2, vec![9; 18]).unwrap();
        let row = SheetRow {
            images: vec![Some(grey.clone()), None],
            lines: long(4),
        };
        let sheet = ContactSheet {
            title: long(2).join(", "),
            columns: long(2),
            rows: vec![row; n],
            caption: long(8).join(". "),
        };
        add(format!("sheet of {n}"), sheet.draw());
        let cell = GridCell {
            image: Some(grey),
            words: long(2).join("\n"),
        };
        let row = |name: String| GridRow {
            name,
            cells: vec![cell.clone(); n],
        };
        let grid = ImageGrid {
            columns: long(n),
            rows: long(3).into_iter().map(row).collect(),
            caption: long(3).join(". "),
            ..ImageGrid::default()
        };
        for transposed in [false, true] {
            let own = ImageGrid {
                transposed,
                ..grid.clone()
            };
            add(format!("grid of {n}, transposed: {transposed}"), own.draw());
        }
    }
    cases.extend(all().into_iter().map(|(name, picture)| (name.to_owned(), picture)));
    cases
}

/// Writes every figure in every format into the folder `NEUROGAUGE_FIGURES`, for viewing.
#[test]
fn figures_are_written_to_be_looked_at() {
    let Some(folder) = std::env::var_os("NEUROGAUGE_FIGURES").map(std::path::PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    for (name, picture) in cases() {
        for format in FigureFormat::ALL {
            let file = folder.join(format!("{name}.{}", format.ending()));
            std::fs::write(file, picture.file(format, &FigureStyle::default()).unwrap()).unwrap();
        }
    }
}

#[test]
fn no_words_are_cut_or_over_others() {
    let mut wrong = Vec::new();
    for (name, picture) in cases() {
        for width_mm in [None, Some(FigureStyle::SINGLE_COLUMN_MM), Some(FigureStyle::DOUBLE_COLUMN_MM)] {
            let style = FigureStyle {
                width_mm,
                ..FigureStyle::default()
            };
            // Another test checks that figures wider than a column are refused.
            let Ok(svg) = picture.file(FigureFormat::Svg, &style) else {
                assert!(width_mm.is_some(), "{name}");
                continue;
            };
            let svg = String::from_utf8(svg).unwrap();
            wrong.extend(faults(&svg).into_iter().map(|fault| format!("{name}, {width_mm:?}: {fault}")));
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn faults_of_words_are_found() {
    let text = |x: f64, words: &str| {
        format!(
            "<text x=\"{x}\" y=\"20\" dy=\"3\" text-anchor=\"start\" font-size=\"12\" fill=\"#000\">\n{words}\n</text>\n"
        )
    };
    let svg = |parts: &[String]| format!("<svg viewBox=\"0 0 100 40\">\n{}</svg>\n", parts.concat());
    assert_eq!(faults(&svg(&[text(0.0, "abc"), text(50.0, "def")])), [] as [&str; 0]);
    assert_eq!(faults(&svg(&[text(0.0, "abc"), text(10.0, "def")])).len(), 1);
    assert_eq!(faults(&svg(&[text(90.0, "abc")])).len(), 1);
    // Three letters of DejaVu Sans: advances of a, b and c are 1255, 1300 and 1126 of 2048.
    let [left, _, right, _] = words(&svg(&[text(0.0, "abc")]))[0].at;
    assert!((right - left - 12.0 * f64::from(1255 + 1300 + 1126) / 2048.0).abs() < 1e-9);
}
