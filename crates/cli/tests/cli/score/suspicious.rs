//! Warnings about images that are hardly intended.

use crate::support::*;

/// Codes of a run's warnings, and the table's text.
fn warned(dir: &Folder, options: &str) -> (Vec<String>, String) {
    let ran = dir.succeed(&format!("score --out run --overwrite {options}"));
    (codes(&dir.record("run")["findings"]).into_iter().map(str::to_owned).collect(), ran.stdout)
}

fn grey(image: &Image<u8>) -> Image<u8> {
    let (pixels, _) = image.data().as_chunks::<3>();
    Image::new(image.width_px(), image.height_px(), pixels.iter().flat_map(|pixel| [pixel[0]; 3]).collect()).unwrap()
}

#[test]
fn nothing_is_said_of_sound_images_and_copies_are_named() {
    let dir = images(&["1", "2", "3"]);
    assert_eq!(warned(&dir, "gt recon").0, [""; 0]);
    let (codes, table) = warned(&dir, "gt recon/../gt");
    assert_eq!(codes, ["same_source"]);
    assert!(table.contains("both sides are read from one place"), "{table}");
    // It is also reported before the computation.
    for more in ["--dry-run", ""] {
        let ran = dir.succeed(&format!("score gt recon/../gt --out planned {more}"));
        ran.says(&["warning: gt and recon: both sides are read from one place"]);
    }

    fs::copy(dir.join("gt/2.png"), dir.join("recon/2.png")).unwrap();
    let (codes, table) = warned(&dir, "gt recon");
    assert_eq!(codes, ["identical_pairs"]);
    assert!(table.contains("1 of 3 pairs are the same image twice, byte for byte: 2"), "{table}");
    for stem in ["1", "2", "3"] {
        write_png(&dir.join(format!("recon/{stem}.png")), &picture("x", 48, 9.0)).unwrap();
    }
    let (codes, table) = warned(&dir, "gt recon");
    assert_eq!(codes, ["one_image"]);
    assert!(table.contains("recon images: all 3 are one image"), "{table}");
}

#[test]
fn reconstructions_that_are_the_same_for_different_stimuli() {
    let dir = images(&["1", "2", "3", "4"]);
    fs::copy(dir.join("recon/1.png"), dir.join("recon/3.png")).unwrap();
    let (codes, table) = warned(&dir, "gt recon");
    assert_eq!(codes, ["repeated_images"]);
    let said = "recon images: 1 of 4 are byte for byte the reconstruction of another stimulus: 3 is 1; look whether files were overwritten";
    assert!(table.contains(said), "{table}");
    // Images of the same stimulus may be equal.
    fs::copy(dir.join("gt/1.png"), dir.join("gt/3.png")).unwrap();
    assert_eq!(warned(&dir, "gt recon").0, ["repeated_stimuli"]);
}

#[test]
fn images_without_colours_or_content() {
    let dir = images(&["1", "2", "3"]);
    for stem in ["1", "2"] {
        write_png(&dir.join(format!("recon/{stem}.png")), &grey(&picture(stem, 48, 60.0))).unwrap();
    }
    assert_eq!(warned(&dir, "gt recon").0, [""; 0], "one has colours");
    write_png(&dir.join("recon/3.png"), &Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap()).unwrap();
    let (codes, table) = warned(&dir, "gt recon");
    assert_eq!(codes, ["constant_images", "grey_side"]);
    assert!(table.contains("recon images: 1 of 3 have one colour all over: 3"), "{table}");
    // Numbers of a grey side are probably a mistake, so the warning comes before the table.
    dir.succeed("score gt recon --metrics ssim --out again").says(&["warning: recon", "grey"]);
    // The journal keeps it if nothing is compared again.
    dir.remove("run/scores.parquet");
    assert_eq!(warned(&dir, "gt recon"), (codes, table));
}

#[test]
fn as_many_pairs_as_a_known_test_set() {
    let dir = folder();
    let stems: Vec<String> = (0..50).map(|stem| stem.to_string()).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    image_folders(dir.path(), &stems);
    // Later reconstructions have more noise, which would cause its own note.
    let (codes, table) = warned(&dir, "gt recon --metrics pixcorr --set pixel_size=8 --set cluster=none");
    assert_eq!(codes, ["known_test_set"]);
    let said =
        "pairs: as many as GOD's test images (50); figures that add Deeprecon's artificial shapes do not compare\n";
    assert!(table.contains(said), "{table}");
}
