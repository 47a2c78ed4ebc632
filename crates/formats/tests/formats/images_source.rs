//! Folders and stacks of images.

use crate::arrays_golden::path;
use crate::prelude::*;

fn picture(level: u8) -> Image<u8> {
    Image::new(2, 1, vec![level, 0, 51, 255, level, 0]).unwrap()
}

#[test]
fn images_are_selected_in_any_order_and_under_other_stems() {
    let folder = tempfile::tempdir().unwrap();
    for level in [1, 2, 3] {
        image_file::write_png(&folder.path().join(format!("{level}.png")), &picture(level)).unwrap();
    }
    let stack = folder.path().join("stack.npy");
    let values: Vec<f32> = (0..9).map(|value| value as f32 / 16.0).collect();
    npy::write_f32(&stack, &[3, 1, 1, 3], &values).unwrap();
    let mut files = ImageSource::open(folder.path()).unwrap();
    files.keep_decoded();
    assert_eq!(files.load_u8(0).unwrap().unwrap(), picture(1));
    files.select(&[2, 0], vec!["c".into(), "a".into()]);
    assert_eq!((files.stems(), files.len()), (&["c".to_owned(), "a".to_owned()][..], 2));
    assert_eq!(files.load_u8(0).unwrap().unwrap(), picture(3));
    assert_eq!(files.load_u8(1).unwrap().unwrap(), picture(1));
    let mut arrays = ImageSource::open(&stack).unwrap();
    arrays.select(&[1], vec!["b".into()]);
    assert_eq!(arrays.load(0).unwrap().data(), [3.0 / 16.0, 4.0 / 16.0, 5.0 / 16.0]);
    assert!(!files.is_at_place_of(&arrays) && arrays.is_at_place_of(&arrays));
}

#[test]
fn an_image_says_how_it_is_stored() {
    let facts = |name: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(path(name), folder.path().join(name)).unwrap();
        let source = ImageSource::open(folder.path()).unwrap();
        (source.facts(0).unwrap(), source.forms()[0].unwrap())
    };
    for (name, encoding, is_lossy) in [
        ("rgb_420.jpg", "JPEG, RGB, 8 bits", true),
        ("grey.jpg", "JPEG, grey, 8 bits", true),
        ("grey16.png", "PNG, grey, 16 bits", false),
        ("grey_alpha16.png", "PNG, grey with alpha, 16 bits", false),
    ] {
        let (found, form) = facts(name);
        assert_eq!((found.encoding.as_str(), form.is_lossy), (encoding, is_lossy), "{name}");
        let size_px = (found.pixels.width_px, found.pixels.height_px);
        assert_eq!(form.size_px, size_px, "{name}");
        assert_eq!(found.pixels.is_grey, encoding.contains("grey"), "{name}");
        assert!(found.pixels.is_finite && !found.pixels.is_constant);
    }
    let (_folder, stack) = place("stack.npy");
    npy::write_f32(&stack, &[1, 1, 2, 3], &[0.5, 0.5, 0.5, 0.5, f32::NAN, 2.0]).unwrap();
    let source = ImageSource::open(&stack).unwrap();
    assert_eq!(source.forms()[0].map(|form| form.size_px), Some((2, 1)));
    let found = source.facts(0).unwrap();
    assert_eq!((found.pixels.low, found.pixels.high), (0.5, 2.0));
    assert!(!found.pixels.is_finite && !found.is_transparent);
}

#[test]
fn a_folder_is_its_images_in_natural_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, level) in [("10.png", 10), ("2.PNG", 2), ("1.b.png", 1)] {
        image_file::write_png(&at(name), &picture(level)).unwrap();
    }
    image_file::write_png(&at(".hidden.png"), &picture(0)).unwrap();
    std::fs::write(at("notes.txt"), "").unwrap();
    std::fs::create_dir(at("folder.png")).unwrap();
    let source = ImageSource::open(folder.path()).unwrap();
    assert_eq!(source.stems(), ["1.b", "2", "10"]);
    assert_eq!((source.len(), source.is_empty(), source.path()), (3, false, folder.path()));
    assert_eq!(source.file_path(1).unwrap(), at("2.PNG"));
    assert_eq!(source.file_path(3), None);
    assert_eq!(source.load_u8(2).unwrap().unwrap(), picture(10));
    assert_eq!(source.load(1).unwrap().data(), [2.0 / 255.0, 0.0, 0.2, 1.0, 2.0 / 255.0, 0.0]);
    let bytes = std::fs::read(at("10.png")).unwrap();
    assert_eq!(source.content_hash(2).unwrap(), content_hash::of_bytes(&bytes));
    refused(source.load(3), "no image number 3; there are 3");
    assert!(source.content_hash(3).is_err() && source.load_u8(3).is_err());
}

#[test]
fn a_folder_with_two_files_of_one_stem_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.png", "b.png", "a.jpg", "c.png"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    refused(ImageSource::open(folder.path()), "\"a.jpg\" and \"a.png\" share the stem \"a\"");
}

#[test]
fn a_folder_without_images_and_a_path_to_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "").unwrap();
    refused(ImageSource::open(folder.path()), "the folder holds no images");
    refused(ImageSource::open(&folder.path().join("nothing")), "not found; expected");
    refused(ImageSource::open(&folder.path().join("notes.txt")), "not a source of images");
}

#[test]
fn an_unreadable_image_is_an_error_when_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let broken = std::fs::read(path("truncated_rgb.png")).unwrap();
    std::fs::write(folder.path().join("a.png"), broken).unwrap();
    refused(ImageSource::open(folder.path()).unwrap().load(0), "not a readable image");
}

/// Image `index` of the synthetic stack (3, 4, 5, 3), which the goldens have in several layouts.
fn stacked(index: u64) -> Vec<f32> {
    let stack = Synthetic::new("stack", 1);
    (0..60).map(|i| stack.uniform(index * 60 + i)).collect()
}

#[test]
fn stacks_of_every_layout_hold_the_same_images() {
    for name in [
        "stack_f4_hwc.npy",
        "stack_f4_chw.npy",
        "stack_f8_fortran.npy",
        "stack.pt",
        "stack_channels_last.pt",
        "stack_dict.pt",
    ] {
        let source = ImageSource::open(&path(name)).unwrap();
        assert_eq!(source.stems(), ["0", "1", "2"], "{name}");
        for index in 0..3 {
            let image = source.load(index).unwrap();
            assert_eq!((image.width_px(), image.height_px()), (5, 4), "{name}");
            assert_eq!(image.data(), stacked(index as u64), "{name}");
            assert_eq!(source.load_u8(index).unwrap(), None);
            assert_eq!(source.file_path(index), None);
        }
    }
}

#[test]
fn stacks_of_bytes_are_divided_by_255() {
    for name in ["stack_u8_hwc.npy", "stack_u8.pt"] {
        let source = ImageSource::open(&path(name)).unwrap();
        let stack = Synthetic::new("stack", 1);
        let bytes: Vec<u8> = (120..180).map(|i| stack.byte(i)).collect();
        assert_eq!(source.load_u8(2).unwrap().unwrap().data(), bytes);
        let unit: Vec<f32> = bytes.iter().map(|&v| f32::from(v) / 255.0).collect();
        assert_eq!(source.load(2).unwrap().data(), unit);
    }
}

#[test]
fn the_hash_of_a_stacked_image_is_that_of_its_bytes() {
    let bytes: Vec<u8> = stacked(1).iter().flat_map(|v| v.to_le_bytes()).collect();
    let source = ImageSource::open(&path("stack_f4_hwc.npy")).unwrap();
    assert_eq!(source.content_hash(1).unwrap(), content_hash::of_bytes(&bytes));
    let doubles: Vec<u8> = stacked(1).iter().flat_map(|&v| f64::from(v).to_le_bytes()).collect();
    let source = ImageSource::open(&path("stack_f8_fortran.npy")).unwrap();
    assert_eq!(source.content_hash(1).unwrap(), content_hash::of_bytes(&doubles));
}

#[test]
fn the_stack_of_a_dict_is_found_or_named() {
    assert_eq!(ImageSource::open(&path("dict.pt")).unwrap().len(), 3);
    let two = path("dict_two_stacks.pt");
    refused(ImageSource::open(&two), "several image stacks (gt, recon)");
    let named = |key: &str| ImageSource::open(format!("{}#{key}", two.display()).as_ref());
    let (gt, recon) = (named("gt").unwrap(), named("recon").unwrap());
    // `recon` is `gt` in reverse order.
    assert_eq!(gt.load(0).unwrap(), recon.load(2).unwrap());
    refused(named("blurry"), "no tensor \"blurry\"; the file has gt, recon");
    let labels = format!("{}#labels", path("dict.pt").display());
    refused(ImageSource::open(labels.as_ref()), "an array of shape");
    refused(ImageSource::open(&path("ordered_dict.pt")), "ordered_dict.pt: holds ");
}

#[test]
fn arrays_that_are_no_image_stacks_are_refused() {
    for (name, words) in [
        ("array_f4_le.npy", "an array of shape"),
        ("no_images.pt", "an array of shape"),
        ("scalar.pt", "an array of shape"),
        ("stack_i4.npy", "element type"),
        ("captions_numpy2.npy", "element type"),
        ("refused_list.pt", "refused_list.pt: holds "),
    ] {
        refused(ImageSource::open(&path(name)), words);
    }
}

#[test]
fn where_both_layouts_fit_the_habit_of_the_file_wins() {
    let (_folder, target) = place("stack.npy");
    let values: Vec<f32> = (0..18).map(|i| i as f32).collect();
    npy::write_f32(&target, &[1, 3, 2, 3], &values).unwrap();
    let image = ImageSource::open(&target).unwrap().load(0).unwrap();
    assert_eq!((image.height_px(), image.width_px()), (3, 2));
    let tensor = ImageSource::open(&path("stack_both.pt")).unwrap().load(0).unwrap();
    assert_eq!((tensor.height_px(), tensor.width_px()), (2, 3));
}

#[test]
fn values_outside_the_range_are_kept() {
    let (_folder, target) = place("stack.npy");
    npy::write_f32(&target, &[1, 1, 1, 3], &[f32::NAN, -0.5, f32::INFINITY]).unwrap();
    let image = ImageSource::open(&target).unwrap().load(0).unwrap();
    assert!(image.data()[0].is_nan());
    assert_eq!(image.data()[1..], [-0.5, f32::INFINITY]);
}

#[test]
fn threads_share_a_source() {
    let source = ImageSource::open(&path("stack_f4_chw.npy")).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let source = &source;
            scope.spawn(move || {
                for round in 0..50 {
                    let index = (worker + round) % 3;
                    assert_eq!(source.load(index).unwrap().data(), stacked(index as u64));
                }
            });
        }
    });
}
