//! Findings about images that look as if results could not be compared.

use neurogauge_core::inspection::appearance::{Forms, ImageForm, Plainness, incomparable, plain_images, shapes_differ};
use neurogauge_core::{Pair, Severity, Sides};

fn form(width_px: usize, height_px: usize) -> Option<ImageForm> {
    Some(ImageForm {
        size_px: (width_px, height_px),
        is_lossy: false,
    })
}

fn codes(gt: Forms<'_>, recon: Forms<'_>) -> Vec<String> {
    incomparable(Sides { gt, recon }, Some(8)).into_iter().map(|f| f.code).collect()
}

#[test]
fn nothing_is_said_of_images_that_are_alike() {
    let images = [form(8, 8), form(8, 8), None];
    assert_eq!(codes(&images, &images), [""; 0]);
    assert_eq!(codes(&[], &[]), [""; 0]);
}

#[test]
fn proportions_stop_and_sizes_do_not() {
    let pair = Pair::at("a".to_owned(), 0);
    let shapes = |gt, recon| {
        let sides = Sides {
            gt: &[gt][..],
            recon: &[recon][..],
        };
        shapes_differ(std::slice::from_ref(&pair), sides, 8)
    };
    let problem = shapes(form(8, 8), form(12, 8)).unwrap();
    assert_eq!(problem.severity, Severity::Problem);
    assert!(problem.message.ends_with("a (8 x 8 px and 12 x 8 px)"), "{problem:?}");
    assert_eq!(shapes(form(16, 16), form(4, 4)), None);
    let sides = Sides {
        gt: &[form(16, 16)][..],
        recon: &[form(4, 4)][..],
    };
    let note = incomparable(sides, Some(8));
    assert_eq!((note.len(), note[0].severity), (1, Severity::Note));
    let message = "the shorter side is 16 px for gt (reduced) and 4 px for recon (enlarged); PixCorr, SSIM and \
                   PSNR compare at 8 px";
    assert_eq!(note[0].message, message);
    assert_eq!(incomparable(sides, None), []);
    let two = [form(8, 8), form(16, 16)];
    assert_eq!(codes(&two, &[form(8, 8), form(8, 8)]), ["several_sizes"]);
}

#[test]
fn files_with_losses() {
    let lossy = form(8, 8).map(|form| ImageForm { is_lossy: true, ..form });
    assert_eq!(codes(&[form(8, 8)], &[lossy]), ["lossy_files"]);
    assert_eq!(codes(&[lossy], &[lossy]), [""; 0]);
}

#[test]
fn constant_and_grey_images() {
    let plain = Plainness {
        is_constant: true,
        is_grey: false,
    };
    let grey = Plainness {
        is_constant: false,
        is_grey: true,
    };
    let sides = |gt, recon| Sides {
        gt: vec![("a", gt)],
        recon: vec![("a", recon)],
    };
    let codes = |gt, recon| -> Vec<String> {
        plain_images(&sides(gt, recon)).into_iter().map(|finding| finding.code).collect()
    };
    assert_eq!(codes(grey, grey), [""; 0]);
    assert_eq!(codes(plain, grey), ["constant_images", "grey_side"]);
    assert_eq!(plain_images(&Sides::default()), []);
}
