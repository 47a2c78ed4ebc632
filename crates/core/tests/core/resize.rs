//! Resizing independent of the reference: cases checked by hand, invariances, refusals.

use neurogauge_core::Image;
use neurogauge_core::image::{Filter, ResizeError, resize_float, resize_u8, shorter_side_to};
use neurogauge_core::synthetic::Synthetic;

const MODES: [(Filter, bool); 4] = [
    (Filter::Bilinear, false),
    (Filter::Bilinear, true),
    (Filter::Bicubic, false),
    (Filter::Bicubic, true),
];
const FILTERS: [Filter; 3] = [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos];
const TARGETS: [(usize, usize); 6] = [(1, 1), (1, 9), (9, 1), (3, 4), (31, 7), (50, 60)];

fn noise<T: Copy>(width: usize, height: usize, value: fn(Synthetic, u64) -> T) -> Image<T> {
    let noise = Synthetic::new("resize properties", 0);
    let values = (0..width * height * 3).map(|i| value(noise, i as u64));
    Image::new(width, height, values.collect()).unwrap()
}

/// Columns become rows.
fn transposed(image: &Image<f32>) -> Image<f32> {
    let (width, height) = (image.width_px(), image.height_px());
    let pixels = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
    let values = pixels.flat_map(|(x, y)| [0, 1, 2].map(|c| image.at(x, y, c)));
    Image::new(height, width, values.collect()).unwrap()
}

/// One row with the same value in all three channels.
fn grey_row<T: Copy>(values: &[T]) -> Image<T> {
    let data = values.iter().flat_map(|&v| [v; 3]).collect();
    Image::new(values.len(), 1, data).unwrap()
}

fn reds<T: Copy>(image: &Image<T>) -> Vec<T> {
    image.data().iter().step_by(3).copied().collect()
}

#[test]
fn bilinear_weights_by_hand() {
    let row = grey_row(&[0.0, 1.0, 0.0, 0.0]);
    let resize = |width, antialias| reds(&resize_float(&row, width, 1, Filter::Bilinear, antialias).unwrap());
    // Centres are at 0.5 and 2.5: without antialias between two pixels, with it over pixels with weights 1:3:3:1, one
    // of which is beyond the border.
    assert_eq!(resize(2, false), [0.5, 0.0]);
    assert_eq!(resize(2, true), [3.0 / 7.0, 1.0 / 7.0]);
    assert_eq!(resize(8, false), [0.0, 0.25, 0.75, 0.75, 0.25, 0.0, 0.0, 0.0]);
    assert_eq!(resize(8, true), resize(8, false));
    let bytes = resize_u8(&grey_row(&[0, 70, 0, 0]), 2, 1, Filter::Bilinear).unwrap();
    assert_eq!(reds(&bytes), [30, 10]);
}

#[test]
fn bicubic_has_another_constant_without_antialias() {
    let mut impulse = [0.0; 9];
    impulse[4] = 1.0;
    let lowest = |antialias| {
        let wide = resize_float(&grey_row(&impulse), 144, 1, Filter::Bicubic, antialias).unwrap();
        reds(&wide).into_iter().fold(f32::INFINITY, f32::min)
    };
    // 4a / 27 is the minimum of the kernel between one and two pixels from its centre.
    assert!((lowest(false) - -0.75 * 4.0 / 27.0).abs() < 0.01);
    assert!((lowest(true) - -0.5 * 4.0 / 27.0).abs() < 0.01);
}

#[test]
fn a_constant_image_stays_constant() {
    let float = Image::new(13, 11, vec![0.3; 13 * 11 * 3]).unwrap();
    let bytes = Image::new(13, 11, vec![201; 13 * 11 * 3]).unwrap();
    for (width, height) in TARGETS {
        for (filter, antialias) in MODES {
            let resized = resize_float(&float, width, height, filter, antialias).unwrap();
            assert!(resized.data().iter().all(|v| (v - 0.3).abs() < 3e-7));
        }
        for filter in FILTERS {
            let resized = resize_u8(&bytes, width, height, filter).unwrap();
            assert!(resized.data().iter().all(|&v| v == 201));
        }
    }
}

/// Also for a target with one column, which torch 2.15 computes wrongly with antialias.
#[test]
fn rows_and_columns_are_treated_alike() {
    let image = noise(12, 17, Synthetic::uniform);
    for (width, height) in TARGETS {
        for (filter, antialias) in MODES {
            let resized = resize_float(&image, width, height, filter, antialias).unwrap();
            let turned = resize_float(&transposed(&image), height, width, filter, antialias);
            let turned_back = transposed(&turned.unwrap());
            for (a, b) in resized.data().iter().zip(turned_back.data()) {
                assert!((a - b).abs() < 1e-6, "{width} x {height} {filter} {antialias}");
            }
        }
    }
}

#[test]
fn an_image_that_has_the_size_is_returned_unchanged() {
    let mut float = noise(6, 5, Synthetic::uniform);
    float.data_mut()[7] = f32::NAN;
    let bits = |image: &Image<f32>| image.data().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    for (filter, antialias) in MODES {
        let same = resize_float(&float, 6, 5, filter, antialias).unwrap();
        assert_eq!(bits(&same), bits(&float));
    }
    let bytes = noise(6, 5, Synthetic::byte);
    for filter in FILTERS {
        assert_eq!(resize_u8(&bytes, 6, 5, filter).unwrap(), bytes);
    }
}

#[test]
fn an_axis_that_has_the_size_is_left_alone() {
    let bytes = noise(9, 4, Synthetic::byte);
    for filter in FILTERS {
        let taller = resize_u8(&bytes, 9, 11, filter).unwrap();
        for x in 0..9 {
            let column: Vec<u8> = (0..4).map(|y| bytes.at(x, y, 0)).collect();
            let alone = resize_u8(&grey_row(&column), 11, 1, filter).unwrap();
            let ours: Vec<u8> = (0..11).map(|y| taller.at(x, y, 0)).collect();
            assert_eq!(ours, reds(&alone), "{filter}");
        }
    }
}

#[test]
fn what_cannot_be_resized_is_refused() {
    let image = noise(3, 2, Synthetic::uniform);
    let resize = |width, height, filter| resize_float(&image, width, height, filter, true);
    assert_eq!(
        resize(4, 4, Filter::Lanczos).unwrap_err(),
        ResizeError::UnsupportedFilter {
            filter: Filter::Lanczos
        }
    );
    assert_eq!(
        resize(0, 4, Filter::Bilinear).unwrap_err(),
        ResizeError::EmptyTarget {
            width_px: 0,
            height_px: 4
        }
    );
    assert!(matches!(resize(4, usize::MAX, Filter::Bilinear).unwrap_err(), ResizeError::TargetTooLarge { .. }));
    let empty = Image::<u8>::new(0, 5, vec![]).unwrap();
    assert_eq!(
        resize_u8(&empty, 2, 2, Filter::Lanczos).unwrap_err().to_string(),
        "cannot resize an image of 0 x 5 px: it has no pixels; check how it was made"
    );
    assert_eq!(shorter_side_to(0, 5, 224), (0, 5));
}
