//! Label maps in PNG.

use crate::prelude::*;

/// Writes a PNG with these raw bytes.
fn write_png(path: &Path, color: png::ColorType, depth: png::BitDepth, rows: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), 4, 2);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![9; 12]);
    }
    encoder.write_header().unwrap().write_image_data(rows).unwrap();
}

#[test]
fn label_maps_are_read_by_number_whatever_their_colours() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("labels.json"), r#"{"1": "dog", "2": "sky", "3": "sky"}"#).unwrap();
    let path = |stem: &str| folder.path().join(format!("{stem}.png"));
    // The rows are 0 1 1 2 and 3 3 0 0.
    write_png(&path("1"), png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 1, 1, 2, 3, 3, 0, 0]);
    let packed = [0b0001_0110, 0b1111_0000];
    write_png(&path("2"), png::ColorType::Indexed, png::BitDepth::Two, &packed);
    let wide = [0, 0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 3, 0, 0, 0, 0];
    write_png(&path("10"), png::ColorType::Grayscale, png::BitDepth::Sixteen, &wide);
    let source = MaskSource::open(folder.path()).unwrap();
    assert_eq!(source.stems(), ["1", "2", "10"]);
    for index in 0..3 {
        let masks = source.load(index).unwrap();
        assert_eq!(masks.size_px, (4, 2));
        let found: Vec<(&str, &[u32])> =
            masks.items.iter().map(|item| (item.name.as_str(), item.mask.runs())).collect();
        assert_eq!(found, [("dog", &[2, 1, 1, 1, 3][..]), ("sky", &[6, 1, 1]), ("sky", &[1, 1, 1, 1, 4])]);
    }
    write_png(&path("2"), png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 1, 1, 2, 3, 3, 0, 7]);
    let error = source.load(1).unwrap_err().to_string();
    assert!(error.contains("column 3, row 1") && error.contains("number 7"), "{error}");
    write_png(&path("2"), png::ColorType::Rgb, png::BitDepth::Eight, &[0; 24]);
    refused(source.load(1), "a label map is grey");
    std::fs::write(path("2"), b"\x89PNG\r\n\x1a\n").unwrap();
    assert!(source.load(1).is_err());
    std::fs::write(folder.path().join("3.json"), "{}").unwrap();
    refused(MaskSource::open(folder.path()), "one kind");
}
