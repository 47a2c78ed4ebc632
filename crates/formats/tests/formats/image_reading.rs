//! Decisions before images are read: turned files, files with several pictures, transparency, and the scale of floats.

use crate::prelude::*;
use ::image::{Rgba, RgbaImage};
use base64::prelude::{BASE64_STANDARD, Engine};
use neurogauge_core::image::{Background, FloatScale, ImageReading};
use neurogauge_formats::image_header::ImageHeader;

/// Files of 2 x 1 px that Pillow 12 wrote: their names, what is to be said of them, and their bytes.
const FILES: &str = "\
plain.png nothing iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGM8wSXCwMAAAAVAAOiaWXPbAAAAAElFTkSuQmCC
plain.webp nothing UklGRh4AAABXRUJQVlA4TBEAAAAvAQAAAAdQhSKXov+BiOh/AAA=
plain.tiff nothing SUkqAAgAAAAKAAABBAABAAAAAgAAAAEBBAABAAAAAQAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAAjAAAABUBAwABAAAAAwAAABYBBAABAAAAAQAAABcBBAABAAAABgAAABwBAwABAAAAAQAAAAAAAAAIAAgACADIChTIChQ=
turned.png turned iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAGmVYSWZNTQAqAAAACAABARIAAwAAAAEABgAAAAAAANZnS2kAAAAPSURBVHicYzzBJcLAwAAABUAA6JpZc9sAAAAASUVORK5CYII=
turned.webp turned UklGRlIAAABXRUJQVlA4WAoAAAAIAAAAAQAAAAAAVlA4TBEAAAAvAQAAAAdQhSKXov+BiOh/AABFWElGGgAAAE1NACoAAAAIAAEBEgADAAAAAQAGAAAAAAAA
turned.jpg turned /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAIDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwBtFFFIs//Z
several.png several iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAACAAAAAQAAAAAAAAAAAAAAAQAAyBxwKAAAAA9JREFUeJxjPMElwsDAAAAFQADomllz2wAAABpmY1RMAAAAAQAAAAIAAAABAAAAAAAAAAAAAAABAABTb5r8AAAAE2ZkQVQAAAACeJxjZEyRY2BgAAACgACFdZdC/wAAAABJRU5ErkJggg==
several.webp several UklGRoYAAABXRUJQVlA4WAoAAAACAAAAAQAAAAAAQU5JTQYAAAAAAAAAAABBTk1GKgAAAAAAAAAAAAEAAAAAAAAAAAJWUDhMEQAAAC8BAAAAB1CFIpei/4GI6H8AAEFOTUYoAAAAAAAAAAAAAQAAAAAAAAAAAFZQOEwQAAAALwEAAAAHULKsR/8DEdH/AA==
several.tiff several SUkqAAgAAAAKAAABBAABAAAAAgAAAAEBBAABAAAAAQAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAAjAAAABUBAwABAAAAAwAAABYBBAABAAAAAQAAABcBBAABAAAABgAAABwBAwABAAAAAQAAAKgAAAAIAAgACADIChTIChQAAAAAAAAAAAAAAAAAAElJKgAIAAAACgAAAQQAAQAAAAIAAAABAQQAAQAAAAEAAAACAQMAAwAAACYBAAADAQMAAQAAAAEAAAAGAQMAAQAAAAIAAAARAQQAAQAAACwBAAAVAQMAAQAAAAMAAAAWAQQAAQAAAAEAAAAXAQQAAQAAAAYAAAAcAQMAAQAAAAEAAAAAAAAACAAIAAgAAWQeAWQeAAAAAAAAAAAAAAAAAAA=
palette.png alpha iVBORw0KGgoAAAANSUhEUgAAAAIAAAABAQMAAADO7O3JAAAABlBMVEUJCQnIZABsXaynAAAAAXRSTlMAQObYZgAAAApJREFUeJxjcAAAAEIAQSk39O8AAAAASUVORK5CYII=
alpha.png alpha iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGM8wSXyn4GBgQEADAsB5/cQ3O8AAAAASUVORK5CYII=
grey_alpha.png alpha iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR4nGN0+c/AAAAEFwFFISnieAAAAABJRU5ErkJggg==
alpha.webp alpha UklGRh4AAABXRUJQVlA4TBEAAAAvAQAAEAdQhSKXogmBiOh/AAA=";

fn files() -> impl Iterator<Item = [&'static str; 3]> {
    FILES.lines().map(|line| line.split(' ').collect::<Vec<_>>().try_into().unwrap())
}

fn written(folder: &Path, name: &str, base64: &str) {
    std::fs::write(folder.join(name), BASE64_STANDARD.decode(base64).unwrap()).unwrap();
}

#[test]
fn headers_say_what_a_file_is_besides_its_first_picture() {
    let folder = tempfile::tempdir().unwrap();
    for [name, what, base64] in files() {
        written(folder.path(), name, base64);
        let expected = ImageHeader {
            is_turned: what == "turned",
            has_more_pictures: what == "several",
            has_alpha: what == "alpha",
        };
        let found = image_header::read(&folder.path().join(name)).unwrap();
        assert_eq!(found, expected, "{name}");
        // A file that is cut anywhere gives neither an answer nor an error.
        let bytes = BASE64_STANDARD.decode(base64).unwrap();
        for length in 0..bytes.len() {
            std::fs::write(folder.path().join("cut"), &bytes[..length]).unwrap();
            image_header::read(&folder.path().join("cut")).unwrap();
        }
    }
}

#[test]
fn what_headers_say_is_found_by_the_source() {
    let folder = tempfile::tempdir().unwrap();
    for [name, _, base64] in files().filter(|file| ["turned", "several"].contains(&file[1])) {
        written(folder.path(), &format!("{name}.{}", name.rsplit_once('.').unwrap().1), base64);
    }
    let found = ImageSource::open(folder.path()).unwrap().settle(ImageReading::default(), "gt images").unwrap();
    let found: Vec<String> = found.iter().map(|finding| finding.brief()).collect();
    let expected = [
        "gt images: 3 of 6 have an EXIF orientation, by which viewers turn or mirror them; they are taken as their pixels are stored, as \
         Pillow and torchvision do: turned.jpg.jpg, turned.png.png, turned.webp.webp",
        "gt images: 3 of 6 hold several pictures, of which only the first is read: several.png.png, several.tiff.tiff, several.webp.webp",
    ];
    assert_eq!(found, expected);
}

/// A picture of 4 x 1 px.
fn picture(folder: &Path, name: &str, pixels: [[u8; 4]; 4]) {
    RgbaImage::from_fn(4, 1, |x, _| Rgba(pixels[x as usize])).save(folder.join(name)).unwrap();
}

#[test]
fn hidden_colours_are_refused_and_backgrounds_decide() {
    let opaque = [10, 20, 30, 255];
    let (red, blue) = ([255, 0, 0, 0], [0, 0, 255, 0]);
    // Pixels, and the code of the finding: `None` is an error.
    for (pixels, expected) in [
        ([opaque; 4], Some(None)),
        // The difference is smaller than rounding.
        ([[10, 20, 30, 254]; 4], Some(None)),
        // One colour below: the picture looks the same on that colour.
        ([opaque, red, red, opaque], Some(Some("transparency"))),
        ([opaque, [0; 4], [0; 4], opaque], Some(Some("transparency"))),
        ([opaque, red, blue, opaque], None),
        // A half-transparent pixel on black is darker than the stored value.
        ([opaque, [200, 200, 200, 128], [0; 4], opaque], None),
        ([[200, 200, 200, 128]; 4], None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        picture(folder.path(), "a.png", [opaque; 4]);
        picture(folder.path(), "b.png", pixels);
        let open = || ImageSource::open(folder.path()).unwrap();
        let found = open().settle(ImageReading::default(), "gt images");
        match expected {
            Some(code) => {
                let found = found.unwrap();
                let found = found.first().map(|finding| finding.code.as_str());
                assert_eq!(found, code, "{pixels:?}");
            }
            None => {
                let words = found.unwrap_err().to_string();
                let said = "transparent pixels that hide colours: in 1 of 2 images (b.png)";
                assert!(words.contains(said) && words.contains("alpha white"), "{words}");
            }
        }
    }
}

#[test]
fn each_background_gives_what_is_seen_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let pixels = [[10, 20, 30, 255], [255, 0, 0, 0], [200, 100, 0, 51], [0, 0, 255, 0]];
    picture(folder.path(), "a.png", pixels);
    // Expected: alpha c + (1 - alpha) background, with alpha 51 / 255 = 0.2.
    for (background, expected, form) in [
        (Background::White, [10, 20, 30, 255, 255, 255, 244, 224, 204, 255, 255, 255], "files on white"),
        (Background::Black, [10, 20, 30, 0, 0, 0, 40, 20, 0, 0, 0, 0], "files on black"),
        (Background::AsStored, [10, 20, 30, 255, 0, 0, 200, 100, 0, 0, 0, 255], "files"),
    ] {
        let source = ImageSource::open(folder.path()).unwrap();
        let reading = ImageReading {
            alpha: Some(background),
            ..ImageReading::default()
        };
        let found = source.settle(reading, "gt images").unwrap();
        assert_eq!(found[0].evidence, format!("alpha {}", background.word()));
        let image = source.load_u8(0).unwrap().unwrap();
        assert_eq!((image.data(), source.form().as_str()), (&expected[..], form));
    }
}

#[test]
fn floats_need_a_scale_if_they_are_far_outside() {
    let values = |reading: Option<FloatScale>, stored: [f32; 3]| {
        let (_folder, path) = place("recon.npy");
        npy::write_f32(&path, &[1, 1, 1, 3], &stored).unwrap();
        let source = ImageSource::open(&path).unwrap();
        let reading = ImageReading {
            values: reading,
            ..ImageReading::default()
        };
        let found = source.settle(reading, "recon images");
        let read = source.load(0).unwrap().data().to_vec();
        let codes = found.map(|found| found.into_iter().map(|f| (f.code, f.severity)).collect::<Vec<_>>());
        (codes.map_err(|error| error.to_string()), read, source.form())
    };
    let note = ("pixel_values".to_owned(), Severity::Note);
    let warning = ("pixel_values".to_owned(), Severity::Warning);
    assert_eq!(values(None, [0.0, 0.5, 1.0]).0, Ok(vec![]));
    // Rounding to 8 bits would hide it.
    assert_eq!(values(None, [-0.001, 0.5, 1.001]).0, Ok(vec![]));
    assert_eq!(values(None, [-0.04, 0.5, 1.04]).0, Ok(vec![warning]));
    for (stored, likely) in
        [([0.0, 127.5, 255.0], "0..255"), ([-1.0, 0.0, 1.0], "-1..1"), ([-3.0, 0.0, 3.0], "as-they-are")]
    {
        let words = values(None, stored).0.unwrap_err();
        assert!(words.ends_with(&format!("such as values {likely}")), "{words}");
    }
    for (scale, stored, expected, form) in [
        (FloatScale::Levels, [0.0, 127.5, 255.0], [0.0, 0.5, 1.0], "float32 1 x 1 x 3 of 0..255"),
        (FloatScale::Signed, [-1.0, 0.0, 1.0], [0.0, 0.5, 1.0], "float32 1 x 1 x 3 of -1..1"),
        (FloatScale::Clipped, [-0.25, 0.5, 1.5], [0.0, 0.5, 1.0], "float32 1 x 1 x 3 clipped"),
        (FloatScale::AsTheyAre, [-3.0, 0.0, 3.0], [-3.0, 0.0, 3.0], "float32 1 x 1 x 3"),
    ] {
        let (codes, read, found) = values(Some(scale), stored);
        assert_eq!((codes, read.as_slice(), found.as_str()), (Ok(vec![note.clone()]), &expected[..], form));
        // A side within 0 to 1 is unchanged, since the option only concerns values outside.
        let (codes, read, found) = values(Some(scale), [0.0, 0.5, 1.0]);
        assert_eq!((codes, read.as_slice(), found.as_str()), (Ok(vec![]), &[0.0, 0.5, 1.0][..], "float32 1 x 1 x 3"));
    }
}
