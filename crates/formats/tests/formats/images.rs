//! Image files against Pillow's `convert("RGB")`.

use crate::arrays_golden;

use arrays_golden::{expected, path};
use neurogauge_core::Image;
use neurogauge_formats::{FormatError, image_file};

/// Largest difference to Pillow, in levels, that is known and documented.
fn tolerance(name: &str) -> u8 {
    match name {
        "rgb_420.jpg" | "progressive.jpg" => 4,
        "rgb_444.jpg" | "rotated_exif.jpg" => 2,
        "grey.jpg" | "cmyk.jpg" => 1,
        _ => 0,
    }
}

#[test]
fn every_image_reads_as_pillow_reads_it() {
    for (name, image) in expected("images") {
        if ["grey16.png", "grey16.tif", "palette.tif", "grey_float.tif"].contains(&name.as_str()) {
            continue; // see below
        }
        let found = image_file::read_rgb8(&path(&name)).unwrap();
        assert_eq!(
            found.width_px() as u64,
            image["width"].as_u64().unwrap(),
            "{name}"
        );
        assert_eq!(
            found.height_px() as u64,
            image["height"].as_u64().unwrap(),
            "{name}"
        );
        let pillow: Vec<u8> = serde_json::from_value(image["rgb"].clone()).unwrap();
        let differences = found
            .data()
            .iter()
            .zip(&pillow)
            .map(|(a, b)| a.abs_diff(*b));
        let largest = differences.max().unwrap();
        assert!(largest <= tolerance(&name), "{name}: {largest} levels");
    }
}

#[test]
fn sixteen_bit_grey_keeps_its_high_byte_where_pillow_clips() {
    let with_alpha = image_file::read_rgb8(&path("grey_alpha16.png")).unwrap();
    for name in ["grey16.png", "grey16.tif"] {
        let grey = image_file::read_rgb8(&path(name)).unwrap();
        assert_eq!(grey, with_alpha, "{name}");
        let (_, pillow) = expected("images")
            .into_iter()
            .find(|(n, _)| n == name)
            .unwrap();
        let pillow: Vec<u8> = serde_json::from_value(pillow["rgb"].clone()).unwrap();
        assert!(
            pillow.iter().all(|&v| v == 255),
            "Pillow no longer clips {name}"
        );
    }
}

#[test]
fn what_does_not_decode_is_named() {
    for name in [
        "truncated_rgb.png",
        "truncated_rgb_444.jpg",
        "truncated_progressive.jpg",
        "truncated_lossless.webp",
        "truncated_lossy.webp",
        "truncated_rgb.bmp",
        "truncated_rgb.tiff",
        "palette.tif",
        "grey_float.tif",
        "images.pt",
        "expected.json",
    ] {
        let error = image_file::read_rgb8(&path(name)).unwrap_err();
        assert!(matches!(error, FormatError::Image { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let error = image_file::read_rgb8("no/such.png".as_ref()).unwrap_err();
    assert!(
        matches!(
            error,
            FormatError::Io {
                action: "reading",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_header_that_announces_a_huge_picture_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("huge.bmp");
    let mut bytes = std::fs::read(path("rgb.bmp")).unwrap();
    bytes[18..22].copy_from_slice(&60_000i32.to_le_bytes());
    bytes[22..26].copy_from_slice(&60_000i32.to_le_bytes());
    std::fs::write(&target, bytes).unwrap();
    let error = image_file::read_rgb8(&target).unwrap_err();
    assert!(
        matches!(error, FormatError::TooManyPixels { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("60000 x 60000 px"), "{error}");
}

#[test]
fn what_is_written_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("new/image.png");
    let image = image_file::read_rgb8(&path("rgb.png")).unwrap();
    image_file::write_png(&target, &image).unwrap();
    assert_eq!(image_file::read_rgb8(&target).unwrap(), image);
    let nothing = Image::new(0, 0, Vec::new()).unwrap();
    let error = image_file::write_png(&target, &nothing).unwrap_err();
    assert!(
        matches!(
            error,
            FormatError::Io {
                action: "writing",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(image_file::read_rgb8(&target).unwrap(), image);
}
