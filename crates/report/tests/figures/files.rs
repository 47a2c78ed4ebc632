//! Figures as files: formats, widths, letters, captions.

use super::kinds::{attribute, bars, curves, heatmap, intervals, refused, scatter, specifications};
use neurogauge_core::Image;
use neurogauge_report::figures::*;
use std::process::Command;

fn column(width_mm: f64) -> FigureStyle {
    FigureStyle {
        width_mm: Some(width_mm),
        font_size_pt: 7.0,
        caption: false,
    }
}

fn grid() -> ImageGrid {
    let image = |grey: u8| Image::new(3, 2, vec![grey; 18]).unwrap();
    let row = |name: &str, grey: u8, words: &str| GridRow {
        name: name.into(),
        cells: vec![
            GridCell {
                image: Some(image(grey)),
                words: words.into(),
            },
            GridCell::default(),
        ],
    };
    ImageGrid {
        title: "T".into(),
        columns: vec!["best".into(), String::new()],
        rows: vec![row("stimulus", 10, ""), row("a", 200, "0.41\na dog on a lawn")],
        caption: "Mixed letters: Aß τ ≤ ↑.".into(),
        ..ImageGrid::default()
    }
}

pub(crate) fn all() -> Vec<(&'static str, Picture)> {
    let dot = Dot {
        value: 0.5,
        interval: Some((0.4, 0.7)),
        ..Dot::default()
    };
    let mut strip = intervals(vec![dot]);
    strip.panels[0].points = (0..50).map(|i| (i % 2, f64::from(i as u32))).collect();
    vec![
        ("bars", bars(&[Some(1.0), None, Some(0.5)]).draw().unwrap()),
        ("curves", curves(&[(1.0, Some(2.0)), (2.0, Some(1.0))]).draw().unwrap()),
        ("grid", grid().draw().unwrap()),
        ("heatmap", heatmap(9, Some(0.25)).draw().unwrap()),
        ("intervals", strip.draw().unwrap()),
        ("scatter", scatter(&[(0.0, 1.0), (2.0, 3.0)]).draw().unwrap()),
        ("specifications", specifications(&[0.1, 0.3, 0.7]).draw().unwrap()),
    ]
}

fn holds(file: &[u8], words: &str) -> bool {
    file.windows(words.len()).any(|part| part == words.as_bytes())
}

#[test]
fn every_kind_is_drawn_in_every_format_and_at_columns_of_journals() {
    for (name, picture) in all() {
        for style in [FigureStyle::default(), column(89.0), column(183.0)] {
            for format in FigureFormat::ALL {
                let file = picture.file(format, &style).unwrap();
                assert_eq!(file, picture.file(format, &style).unwrap(), "{name} {format:?}");
                let begin: &[u8] = match format {
                    FigureFormat::Svg => b"<svg ",
                    FigureFormat::Png => b"\x89PNG\r\n\x1a\n",
                    FigureFormat::Pdf => b"%PDF-",
                };
                assert!(file.starts_with(begin), "{name} {format:?}");
            }
        }
    }
}

#[test]
fn a_pdf_embeds_its_fonts_and_knows_no_day() {
    for (name, picture) in all() {
        let pdf = picture.file(FigureFormat::Pdf, &column(89.0)).unwrap();
        for words in ["/FontFile2", "+DejaVuSans", "/ToUnicode", "/Identity-H"] {
            assert!(holds(&pdf, words), "{name}: {words}");
        }
        for words in ["CreationDate", "ModDate"] {
            assert!(!holds(&pdf, words), "{name}: {words}");
        }
        // 89 mm are 252.283 points.
        assert!(holds(&pdf, "/MediaBox [0 0 252.283"), "{name}");
    }
    let pdf = grid().draw().unwrap().file(FigureFormat::Pdf, &column(89.0)).unwrap();
    assert!(holds(&pdf, "/Subtype/Image") || holds(&pdf, "/Subtype /Image"));
}

#[test]
fn a_pdf_embeds_every_picture_once() {
    let image = |grey: u8| Some(Image::new(3, 2, vec![grey; 18]).unwrap());
    let n_embedded = |picture: Picture| {
        let pdf = picture.file(FigureFormat::Pdf, &FigureStyle::default());
        let pdf = String::from_utf8_lossy(&pdf.unwrap()).replace("/Subtype /Image", "/Subtype/Image");
        pdf.matches("/Subtype/Image").count()
    };
    // Six cells with three different images, one of them four times.
    let greys = [[10, 10, 10], [10, 90, 200]];
    let cells = |greys: [u8; 3]| greys.map(image);
    let grid = ImageGrid {
        columns: vec![String::new(); 3],
        rows: greys
            .map(cells)
            .map(|images| GridRow {
                name: "a".into(),
                cells: images
                    .map(|image| GridCell {
                        image,
                        words: String::new(),
                    })
                    .to_vec(),
            })
            .to_vec(),
        ..ImageGrid::default()
    };
    assert_eq!(n_embedded(grid.draw().unwrap()), 3);
    let sheet = ContactSheet {
        columns: vec!["1".into(), "2".into(), "3".into()],
        rows: greys
            .map(cells)
            .map(|images| SheetRow {
                images: images.to_vec(),
                lines: Vec::new(),
            })
            .to_vec(),
        ..ContactSheet::default()
    };
    assert_eq!(n_embedded(sheet.draw().unwrap()), 3);
    assert_eq!(sheet.draw().unwrap().svg().matches("<image").count(), 6);
}

/// The contents found by a PDF reader, if this machine has one.
#[test]
fn a_reader_of_pdfs_finds_the_words() {
    let dir = std::env::temp_dir().join(format!("neurogauge-figures-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for (name, picture) in all() {
        let path = dir.join(format!("{name}.pdf"));
        let pdf = picture.file(FigureFormat::Pdf, &FigureStyle::default()).unwrap();
        std::fs::write(&path, pdf).unwrap();
    }
    let read = |name: &str| {
        let path = dir.join(format!("{name}.pdf"));
        Command::new("pdftotext").arg(path).arg("-").output()
    };
    match read("grid") {
        Err(_) => println!("skipped: pdftotext is not installed"),
        Ok(output) => {
            let words = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && output.stderr.is_empty());
            for part in ["a dog on a lawn", "stimulus", "Aß τ ≤ ↑."] {
                assert!(words.contains(part), "{part}: {words}");
            }
            let heatmap = String::from_utf8(read("heatmap").unwrap().stdout).unwrap();
            assert!(heatmap.contains("metric <0> & \"co\""), "{heatmap}");
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn widths_letters_and_captions_are_as_asked() {
    let picture = heatmap(9, Some(0.25)).draw().unwrap();
    let svg = |style: &FigureStyle| String::from_utf8(picture.file(FigureFormat::Svg, style).unwrap()).unwrap();
    let narrow = svg(&column(89.0));
    assert!(narrow.starts_with("<svg width=\"89mm\""), "{narrow}");
    assert!(picture.svg().contains("\nT\n") && !narrow.contains("\nT\n"));
    let png = picture.file(FigureFormat::Png, &column(89.0)).unwrap();
    // 300 pixels per inch, recorded as 11811 per metre.
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(number(16), (89.0_f64 / 25.4 * 300.0).round() as u32);
    assert!(holds(&png, "pHYs"));
    // Larger letters take more room, so a heatmap of the same width is higher.
    let large = FigureStyle {
        font_size_pt: 14.0,
        ..column(183.0)
    };
    assert!(picture.size_mm(&large).1 > picture.size_mm(&column(183.0)).1);
    assert!((picture.size_mm(&large).0 - 183.0).abs() < 1e-9);
}

#[test]
fn what_does_not_fit_is_refused_with_the_width_that_it_takes() {
    let wide = heatmap(60, Some(0.25)).draw().unwrap();
    refused(wide.file(FigureFormat::Pdf, &column(30.0)), "30 mm were asked for");
    assert!(FigureFormat::of_path("figure".as_ref()).is_err());
}

#[test]
fn a_grid_shows_its_pixels_and_can_be_turned() {
    let figure = grid();
    let svg = figure.draw().unwrap().svg();
    assert_eq!(svg.matches("<image").count(), 2);
    let turned = ImageGrid {
        transposed: true,
        ..figure.clone()
    };
    let other = turned.draw().unwrap().svg();
    assert_eq!(other.matches("<image").count(), 2);
    // Labels that read upwards beside the rows are above the columns, and vice versa.
    let is_upright = |svg: &str, words: &str| {
        let lines: Vec<&str> = svg.lines().collect();
        let place = lines.iter().position(|line| *line == words).unwrap();
        lines[place - 1].contains("rotate(270")
    };
    assert!(is_upright(&svg, "stimulus") && !is_upright(&svg, "best"));
    assert!(is_upright(&other, "best") && !is_upright(&other, "stimulus"));
    let mut uneven = figure;
    uneven.rows[0].cells.pop();
    refused(uneven.draw(), "1 images in a row where 2 belong");
}

#[test]
fn widths_are_millimetres_inches_or_columns() {
    for (text, expected) in [("89mm", 89.0), (" 7 in", 177.8), ("double", 183.0)] {
        let width = FigureStyle::width_in_mm(text).unwrap();
        assert!((width - expected).abs() < 1e-9, "{text}: {width}");
    }
    for wrong in ["", "mm", "89", "-3mm", "1e9in", "NaNmm", "triple", "3 cm"] {
        assert!(FigureStyle::width_in_mm(wrong).is_err(), "{wrong}");
    }
    assert_eq!(FigureStyle::font_size_in_pt("7pt"), Ok(7.0));
    assert!(FigureStyle::font_size_in_pt("3").is_err());
}

#[test]
fn a_width_in_millimetres_is_that_many_units_of_letters() {
    let style = FigureStyle {
        width_mm: Some(25.4),
        font_size_pt: 6.0,
        caption: true,
    };
    let mut figure = heatmap(1, Some(0.5));
    (figure.rows, figure.columns, figure.value_label) = (vec!["a".into()], vec!["b".into()], String::new());
    let picture = figure.draw().unwrap();
    assert!((picture.size_mm(&style).0 - 25.4).abs() < 1e-9);
    // An inch has 72 points, and a label of 12 units has 6 points.
    let svg = String::from_utf8(picture.file(FigureFormat::Svg, &style).unwrap()).unwrap();
    assert!(attribute(&svg, "viewBox").unwrap().starts_with("0 0 144 "), "{svg}");
    let png = picture.file(FigureFormat::Png, &style).unwrap();
    assert_eq!(png[16..20], 300_u32.to_be_bytes());
}
