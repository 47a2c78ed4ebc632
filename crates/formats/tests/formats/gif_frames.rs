//! Frames of GIF files, and a PPM file, against Pillow.

use crate::prelude::*;

#[test]
fn every_frame_is_composited_as_pillow_does_it() {
    let expected = std::fs::read(golden("gif_frames/expected.json")).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    let source = ImageSource::open(&golden("gif_frames")).unwrap();
    source.keep_decoded();
    let mut n_seen = 0;
    for (name, frames) in expected.as_object().unwrap() {
        let frames = frames.as_array().unwrap();
        let (stem, _) = name.split_once('.').unwrap();
        // In reverse order, so that frames are used that were kept while reading a later one.
        for (number, frame) in frames.iter().enumerate().rev() {
            let stem = match frames.len() {
                1 => stem.to_owned(),
                _ => format!("{stem}/{:04}", number + 1),
            };
            let place = source.stems().iter().position(|own| *own == stem).unwrap();
            let found = source.load_u8(place).unwrap().unwrap();
            let pillow: Vec<u8> = serde_json::from_value(frame.clone()).unwrap();
            assert_eq!(found.data(), pillow, "{stem}");
            assert_eq!(source.file_path(place).is_some(), frames.len() == 1, "{stem}");
            n_seen += 1;
        }
    }
    assert_eq!(source.len(), n_seen);
    // A frame is identified by its pixels, a still by its file.
    let hash = |stem: &str| {
        let place = source.stems().iter().position(|own| own == stem).unwrap();
        source.content_hash(place).unwrap()
    };
    assert_ne!(hash("moving/0001"), hash("moving/0002"));
    let still = std::fs::read(golden("gif_frames/still.gif")).unwrap();
    assert_eq!(hash("still"), content_hash::of_bytes(&still));
}

#[test]
fn subfolders_and_rows_of_a_stack_are_parts_of_items() {
    let folder = tempfile::tempdir().unwrap();
    let still = golden("gif_frames/still.gif");
    for name in ["b/2.gif", "b/10.gif", "a/1.gif"] {
        let path = folder.path().join("clips").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(&still, path).unwrap();
    }
    let source = ImageSource::open(&folder.path().join("clips")).unwrap();
    assert_eq!(source.stems(), ["a/1", "b/2", "b/10"]);
    // Frames of a folder stay together, even if the names of two folders are the same number.
    for name in ["01/1.gif", "01/2.gif", "1/1.gif", "1/2.gif"] {
        let path = folder.path().join("numbers").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(&still, path).unwrap();
    }
    let source = ImageSource::open(&folder.path().join("numbers")).unwrap();
    assert_eq!(source.stems(), ["01/1", "01/2", "1/1", "1/2"]);
    // Images beside the subfolders count alone, as usual.
    std::fs::copy(&still, folder.path().join("clips/own.gif")).unwrap();
    let source = ImageSource::open(&folder.path().join("clips")).unwrap();
    assert_eq!(source.stems(), ["own"]);

    let path = folder.path().join("stack.npy");
    let values: Vec<f32> = (0..24).map(|value| value as f32 / 24.0).collect();
    npy::write_f32(&path, &[2, 2, 1, 2, 3], &values).unwrap();
    let mut source = ImageSource::open(&path).unwrap();
    assert_eq!(source.stems(), ["0/0", "0/1", "1/0", "1/1"]);
    assert_eq!(source.load(2).unwrap().data(), &values[12..18]);
    // Samples with several frames each.
    npy::write_f32(&path, &[1, 2, 2, 1, 2, 3], &values).unwrap();
    let clips = ImageSource::open(&path).unwrap();
    assert_eq!(clips.stems(), ["0/0/0", "0/0/1", "0/1/0", "0/1/1"]);
    assert_eq!(clips.load(2).unwrap().data(), &values[12..18]);
    assert_eq!(clips.groups(), Some(("row of the array", 1)));
    // Several stems may select the same image.
    source.select(&[1, 1], vec!["x".to_owned(), "y".to_owned()]);
    assert_eq!(source.load(0).unwrap(), source.load(1).unwrap());
}

#[test]
fn the_content_decides_what_a_file_that_ends_in_gif_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.gif");
    let image = Image::new(2, 1, vec![1, 2, 3, 4, 5, 6]).unwrap();
    image_file::write_png(&path, &image).unwrap();
    let source = ImageSource::open(folder.path()).unwrap();
    assert_eq!(source.stems(), ["1"]);
    assert_eq!(source.load_u8(0).unwrap().unwrap(), image);
    assert_eq!(source.file_path(0), Some(path.as_path()));
}

#[test]
fn damaged_clips_are_named() {
    let whole = std::fs::read(golden("gif_frames/moving.gif")).unwrap();
    let head_and_comment = [&whole[..25], &[0x21, 0xfe, 1, b'a', 0, 0x3b]].concat();
    for (name, bytes, reason) in [
        ("empty.gif", &head_and_comment[..], "a GIF file without frames"),
        ("cut.gif", &whole[..whole.len() - 20], "frame 5: "),
        ("head.gif", &whole[..20], ""),
        ("none.gif", b"not a picture".as_slice(), ""),
    ] {
        let (folder, _) = file(name, bytes);
        refused(ImageSource::open(folder.path()), &format!("{name}: not a readable image: {reason}"));
    }
}

/// A picture of one pixel and two colours, with one frame.
fn pixel(colour: u16) -> Vec<u8> {
    let mut bytes = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff".to_vec();
    // Codes of three bits: clear (4), the colour, end (5).
    let [codes, end] = (4 | colour << 3 | 5 << 6).to_le_bytes();
    bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, codes, end, 0, 0x3b]);
    bytes
}

/// Its head says that the frame has 4 billion pixels.
#[test]
fn a_frame_larger_than_its_picture_counts_with_its_own_size() {
    let mut bytes = pixel(1);
    bytes[24..28].fill(0xff);
    let (folder, _) = file("large.gif", &bytes);
    refused(ImageSource::open(folder.path()), "large.gif: an image of 65535 x 65535 px");
}

/// Other programs draw such a pixel in black or not at all.
#[test]
fn a_colour_that_the_palette_lacks_is_refused() {
    let (folder, path) = file("a.gif", pixel(1));
    assert_eq!(ImageSource::open(folder.path()).unwrap().load_u8(0).unwrap().unwrap().data(), [255; 3]);
    std::fs::write(&path, pixel(3)).unwrap();
    refused(ImageSource::open(folder.path()), "a.gif: not a readable image: frame 1: colour 3 of a palette of 2");
}
