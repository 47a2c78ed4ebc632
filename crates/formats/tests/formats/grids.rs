//! Pictures with stimuli and reconstructions in a grid.

use crate::prelude::*;
use neurogauge_formats::image_file::write_png;

/// A picture of 3 x 2 px whose pixels depend on its number.
fn cell(number: usize) -> Image<u8> {
    let values = (0..18).map(|value| (7 * value + 31 * number + 40) as u8);
    Image::new(3, 2, values.collect()).unwrap()
}

/// A grid like torchvision's `make_grid`: lines of this width and colour between and around the cells.
fn grid(cells: &[Image<u8>], columns: usize, line_px: usize, colour: [u8; 3]) -> Image<u8> {
    let rows = cells.len().div_ceil(columns);
    let size = |n: usize, px: usize| n * (px + line_px) + line_px;
    let (width, height) = (size(columns, 3), size(rows, 2));
    let mut pixels = colour.repeat(width * height);
    for (place, cell) in cells.iter().enumerate() {
        let left = line_px + place % columns * (3 + line_px);
        let top = line_px + place / columns * (2 + line_px);
        for (row, values) in cell.data().chunks_exact(9).enumerate() {
            let start = 3 * ((top + row) * width + left);
            pixels[start..start + 9].copy_from_slice(values);
        }
    }
    Image::new(width, height, pixels).unwrap()
}

#[track_caller]
fn images(folder: &Path, path: &str) -> Vec<(String, Image<u8>)> {
    let source = ImageSource::open(&folder.join(path)).unwrap();
    let images = source.stems().iter().enumerate();
    let load = |(place, stem): (usize, &String)| (stem.clone(), source.load_u8(place).unwrap().unwrap());
    images.map(load).collect()
}

fn named(names: &[(&str, usize)]) -> Vec<(String, Image<u8>)> {
    names.iter().map(|(name, number)| ((*name).to_owned(), cell(*number))).collect()
}

#[test]
fn the_pictures_of_a_grid_are_cut_out() {
    let dir = tempfile::tempdir().unwrap();
    let cells: Vec<Image<u8>> = (0..6).map(cell).collect();
    for clip in 0..2 {
        let both = &cells[2 * clip..2 * clip + 2];
        write_png(&dir.path().join(format!("pairs/{clip}.png")), &grid(both, 2, 2, [0; 3])).unwrap();
    }
    // With one pair in each file, the pairs have the files' names.
    for left in ["pairs#left", "pairs#left:2x1,2"] {
        assert_eq!(images(dir.path(), left), named(&[("0", 0), ("1", 2)]));
    }
    assert_eq!(images(dir.path(), "pairs#right"), named(&[("0", 1), ("1", 3)]));
    let source = ImageSource::open(&dir.path().join("pairs#right")).unwrap();
    assert_eq!(
        source.grid().unwrap(),
        "2 x 1 pictures with lines of 2 px between and around them (found); the right one of each two counts"
    );
    assert!(source.file_path(0).is_none());
    // Halves including lines, as they are split for other pictures.
    let halves = images(dir.path(), "pairs#right:2x1");
    assert_eq!(halves[0].1.width_px(), 6);
    assert_eq!(halves[0].1.part((1, 2), (3, 2)), cell(1));
    // Several pairs in one picture with an incomplete last row, in reading order.
    let page = grid(&cells, 4, 3, [255, 255, 255]);
    write_png(&dir.path().join("page.png"), &page).unwrap();
    let left = named(&[("page/0001", 0), ("page/0002", 2), ("page/0003", 4)]);
    assert_eq!(images(dir.path(), "page.png#left"), left);
    assert_eq!(images(dir.path(), "page.png#left:4x2,3"), left);
    let top = named(&[("page/0001", 0), ("page/0002", 1)]);
    assert_eq!(images(dir.path(), "page.png#top")[..2], top);
    let bottom = named(&[("page/0001", 4), ("page/0002", 5)]);
    assert_eq!(images(dir.path(), "page.png#bottom")[..2], bottom);
    // Cells that touch each other show no grid, but its size can be given.
    write_png(&dir.path().join("strip.png"), &grid(&cells, 6, 0, [0; 3])).unwrap();
    let right = named(&[("strip/0001", 1), ("strip/0002", 3), ("strip/0003", 5)]);
    assert_eq!(images(dir.path(), "strip.png#right:6x1"), right);
}

#[test]
fn a_dark_picture_beside_a_line_does_not_hide_the_grid_of_others() {
    let dir = tempfile::tempdir().unwrap();
    let black = Image::new(3, 2, vec![0; 18]).unwrap();
    let write = |name: &str, cells: &[Image<u8>]| {
        write_png(&dir.path().join(name), &grid(cells, 2, 1, [0; 3])).unwrap();
    };
    write("pairs/dark.png", &[black.clone(), cell(1)]);
    let path = dir.path().join("pairs#left");
    refused(ImageSource::open(&path), "its pictures show no grid; expected pictures of one size");
    write("pairs/other.png", &[cell(2), cell(3)]);
    assert_eq!(images(dir.path(), "pairs#left")[0].1, black);
}

#[test]
fn what_is_no_such_grid_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let cells: Vec<Image<u8>> = (0..3).map(cell).collect();
    write_png(&dir.path().join("three/1.png"), &grid(&cells, 3, 2, [0; 3])).unwrap();
    write_png(&dir.path().join("mixed/1.png"), &grid(&cells[..2], 2, 2, [0; 3])).unwrap();
    write_png(&dir.path().join("mixed/2.png"), &grid(&cells[..2], 2, 1, [0; 3])).unwrap();
    let error = |path: &str| {
        let error = ImageSource::open(&dir.path().join(path)).unwrap_err().to_string();
        error.replace(&format!("{}/", dir.path().display()), "")
    };
    assert_eq!(
        error("three#left"),
        "three#left: 3 x 1 pictures with lines of 2 px between and around them; expected an even number of columns for left"
    );
    assert_eq!(
        error("three#left:2x1,2"),
        "three/1.png: a picture of 17 x 6 px; expected a size that holds 2 x 1 pictures with lines of 2 px between and around them, \
         all of one size"
    );
    for path in [
        "three#middle",
        "three#left:2",
        "three#left:0x1",
        "three#left:2x1,",
        "three#left:2x99999999999",
        "three#left:2x1,18446744073709551615",
    ] {
        assert!(error(path).contains("says which pictures of a grid count; expected left, right, top or bottom"));
    }
    assert!(
        error("mixed#left").starts_with("mixed/2.png: a picture of 9 x 4 px; expected 12 x 6 px as the first picture")
    );
    // A folder with exactly this name takes precedence.
    write_png(&dir.path().join("three#left/a.png"), &cell(0)).unwrap();
    assert_eq!(images(dir.path(), "three#left"), named(&[("a", 0)]));
}
