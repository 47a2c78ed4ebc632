//! Image files against Pillow's `convert("RGB")`.

use crate::arrays_golden::{expected, path};
use crate::prelude::*;

/// Largest known and documented difference from Pillow, in levels.
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
        assert_eq!(found.width_px() as u64, image["width"].as_u64().unwrap(), "{name}");
        assert_eq!(found.height_px() as u64, image["height"].as_u64().unwrap(), "{name}");
        let pillow: Vec<u8> = serde_json::from_value(image["rgb"].clone()).unwrap();
        let largest = found.data().iter().zip(&pillow).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(largest <= tolerance(&name), "{name}: {largest} levels");
    }
}

/// An animation or a file of pages gives its first picture, and its header says that it has more.
#[test]
fn the_first_of_several_pictures_reads_as_pillow_reads_it() {
    let folder = golden("several_pictures");
    let expected = std::fs::read(folder.join("expected.json")).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_slice(&expected).unwrap();
    assert_eq!(expected.len(), 4);
    for (name, first) in expected {
        let found = image_file::read_rgb8(&folder.join(&name)).unwrap();
        let shape = serde_json::json!([found.height_px(), found.width_px(), 3]);
        assert_eq!(shape, first["shape"], "{name}");
        let pillow: Vec<u8> = serde_json::from_value(first["rgb"].clone()).unwrap();
        assert_eq!(found.data(), pillow, "{name}");
        assert!(image_header::read(&folder.join(&name)).unwrap().has_more_pictures, "{name}");
    }
}

#[test]
fn sixteen_bit_grey_keeps_its_high_byte_where_pillow_clips() {
    let with_alpha = image_file::read_rgb8(&path("grey_alpha16.png")).unwrap();
    for name in ["grey16.png", "grey16.tif"] {
        let grey = image_file::read_rgb8(&path(name)).unwrap();
        assert_eq!(grey, with_alpha, "{name}");
        let (_, pillow) = expected("images").into_iter().find(|(n, _)| n == name).unwrap();
        let pillow: Vec<u8> = serde_json::from_value(pillow["rgb"].clone()).unwrap();
        assert!(pillow.iter().all(|&v| v == 255), "Pillow no longer clips {name}");
    }
}

#[test]
fn what_does_not_decode_is_named() {
    for name in "truncated_rgb.png truncated_rgb_444.jpg truncated_progressive.jpg truncated_lossless.webp \
        truncated_lossy.webp truncated_rgb.bmp truncated_rgb.tiff palette.tif grey_float.tif images.pt \
        expected.json"
        .split(' ')
    {
        refused(image_file::read_rgb8(&path(name)), &format!("{name}: not a readable image"));
    }
    refused(image_file::read_rgb8("no/such.png".as_ref()), "reading failed");
}

/// Also where only a later picture is incomplete, which is not read.
#[test]
fn a_webp_file_that_lost_bytes_is_refused() {
    let (_folder, path) = file("a.webp", "");
    for name in ["several_pictures/moving.webp", "several_pictures/lossy.webp", "formats_arrays/lossy.webp"] {
        let whole = std::fs::read(golden(name)).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            refused(image_file::read_rgb8(&path), "a.webp: not a readable image");
        }
        std::fs::write(&path, [&whole[..100], &whole[101..]].concat()).unwrap();
        refused(image_file::read_rgb8(&path), "it has fewer bytes than it announces");
    }
}

/// A TIFF file of uncompressed samples, with these additional tags.
fn tiff(
    (width_px, height_px): (u16, u16),
    (n_samples, bits): (u16, u16),
    more: &[(u16, u16)],
    pixels: &[u8],
) -> Vec<u8> {
    let photometric = if n_samples < 3 { 1 } else { 2 };
    let mut entries = vec![
        (256, width_px),
        (257, height_px),
        (258, bits),
        (259, 1),
        (262, photometric),
        (273, 0),
        (277, n_samples),
        (278, height_px),
        (279, pixels.len() as u16),
    ];
    entries.extend(more);
    entries.sort_unstable();
    let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    let pixels_at = (8 + 2 + 12 * entries.len() + 4) as u16;
    for (tag, value) in entries {
        let value = if tag == 273 { pixels_at } else { value };
        // A field with one 16-bit number.
        for field in [tag, 3, 1, 0, value, 0] {
            bytes.extend(field.to_le_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(pixels);
    bytes
}

/// The red values of a TIFF file.
fn reds(bytes: &[u8]) -> ((usize, usize), Vec<u8>) {
    let (_folder, target) = file("a.tif", bytes);
    let found = image_file::read_rgb8(&target).unwrap();
    let reds = found.data().iter().step_by(3).copied().collect();
    ((found.width_px(), found.height_px()), reds)
}

/// Expected values are Pillow's (13.0), for an image of 3 x 2 px.
#[test]
fn tiff_files_are_turned_as_their_orientation_says() {
    for (orientation, size, expected) in [
        (0, (3, 2), [0, 1, 2, 3, 4, 5]),
        (1, (3, 2), [0, 1, 2, 3, 4, 5]),
        (2, (3, 2), [2, 1, 0, 5, 4, 3]),
        (3, (3, 2), [5, 4, 3, 2, 1, 0]),
        (4, (3, 2), [3, 4, 5, 0, 1, 2]),
        (5, (2, 3), [0, 3, 1, 4, 2, 5]),
        (6, (2, 3), [3, 0, 4, 1, 5, 2]),
        (7, (2, 3), [5, 2, 4, 1, 3, 0]),
        (8, (2, 3), [2, 5, 1, 4, 0, 3]),
        (9, (3, 2), [0, 1, 2, 3, 4, 5]),
    ] {
        let pixels = [0, 1, 2, 3, 4, 5].map(|level| [level; 3]).concat();
        let bytes = tiff((3, 2), (3, 8), &[(274, orientation)], &pixels);
        assert_eq!(reds(&bytes), (size, expected.to_vec()), "{orientation}");
    }
}

/// Expected values are Pillow's (13.0): 255 * red / alpha rounded down, at most 255, and 0 if alpha is 0.
#[test]
fn colours_that_were_multiplied_by_alpha_are_divided_by_it() {
    let pairs = [(100, 0), (100, 255), (100, 200), (100, 50), (1, 2), (128, 254)];
    let pixels = pairs.map(|(red, alpha)| [red, 0, 0, alpha]).concat();
    let stored = [100, 100, 100, 100, 1, 128];
    let divided = [0, 100, 127, 255, 127, 128];
    for (extra_samples, expected) in [(0, stored), (1, divided), (2, stored)] {
        let bytes = tiff((6, 1), (4, 8), &[(338, extra_samples)], &pixels);
        assert_eq!(reds(&bytes).1, expected, "{extra_samples}");
        // The high byte of each 16-bit sample.
        let wide: Vec<u8> = pixels.iter().flat_map(|&high| [0xff, high]).collect();
        let bytes = tiff((6, 1), (4, 16), &[(338, extra_samples)], &wide);
        assert_eq!(reds(&bytes).1, expected, "{extra_samples}, 16 bits");
    }
}

#[test]
fn tiff_files_of_grey_with_alpha_are_refused_in_words() {
    let (_folder, target) = file("a.tif", tiff((1, 1), (2, 8), &[(338, 2)], &[7, 255]));
    for words in ["a.tif: ", "grey with alpha", "save it as PNG"] {
        refused(image_file::read_rgb8(&target), words);
    }
}

/// Phones append a video to the picture.
#[test]
fn what_follows_the_end_of_a_jpeg_does_not_matter() {
    let (_folder, target) = place("a.jpg");
    let trailer = b"\0\0\0\x18ftypmp42\xff\xda\0\x01\xff\xda\0\x0c\xff\xc4\xff\xff\xff\xda";
    for name in ["rgb_444.jpg", "progressive.jpg"] {
        let whole = std::fs::read(path(name)).unwrap();
        assert!(whole.ends_with(b"\xff\xd9"), "{name}");
        std::fs::write(&target, [&whole[..], trailer].concat()).unwrap();
        let found = image_file::read_rgb8(&target).unwrap();
        assert_eq!(found, image_file::read_rgb8(&path(name)).unwrap(), "{name}");
        // This does not end a picture that lacks its own end.
        let cut = &whole[..whole.len() - 2];
        for bytes in [cut.to_vec(), [cut, trailer].concat()] {
            std::fs::write(&target, bytes).unwrap();
            refused(image_file::read_rgb8(&target), "a JPEG that ends before its picture does");
        }
    }
}

#[test]
fn a_header_that_announces_a_huge_picture_is_refused() {
    let mut bytes = std::fs::read(path("rgb.bmp")).unwrap();
    bytes[18..22].copy_from_slice(&60_000i32.to_le_bytes());
    bytes[22..26].copy_from_slice(&60_000i32.to_le_bytes());
    let (_folder, target) = file("huge.bmp", bytes);
    refused(image_file::read_rgb8(&target), "60000 x 60000 px, and none of more than 100000000 pixels is read");
}

#[test]
fn what_is_written_comes_back() {
    let (_folder, target) = place("new/image.png");
    let image = image_file::read_rgb8(&path("rgb.png")).unwrap();
    image_file::write_png(&target, &image).unwrap();
    assert_eq!(image_file::read_rgb8(&target).unwrap(), image);
    refused(image_file::write_png(&target, &Image::new(0, 0, Vec::new()).unwrap()), "writing failed");
    assert_eq!(image_file::read_rgb8(&target).unwrap(), image);
}
