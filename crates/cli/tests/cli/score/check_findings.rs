//! `check` lists what `score` records.

use super::image_reading::cut_outs;
use crate::support::*;
use base64::prelude::{BASE64_STANDARD, Engine};

/// A PNG of two pictures, written by Pillow 12.
const SEVERAL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAACAAAAAQAAAAAAAAAAAAAAAQAAyBxwKAAAAA9JREFUeJxjPMElwsDAAAAFQADomllz2wAAABpmY1RMAAAAAQAAAAIAAAABAAAAAAAAAAAAAAABAABTb5r8AAAAE2ZkQVQAAAACeJxjZEyRY2BgAAACgACFdZdC/wAAAABJRU5ErkJggg==";

/// A JPEG whose EXIF data request a rotation, written by Pillow 12.
const TURNED: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAIDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwBtFFFIs//Z";

const STEMS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// Severity and code of each finding, sorted.
fn sorted(findings: &Value) -> Vec<String> {
    let mut found = severities(findings);
    found.sort();
    found
}

fn plain(dir: &Folder) {
    image_folders(dir.path(), &["1", "2", "3", "4"]);
}

/// Stimuli of 48 px beside a stack of noise.
fn stack(dir: &Folder, scale: f32, first: f32) {
    image_folders(dir.path(), &STEMS);
    let noise = Synthetic::new("noise", 1);
    let mut values: Vec<f32> = (0..11 * 48 * 48 * 3).map(|at| scale * noise.uniform(at)).collect();
    values[0] = first;
    write_f32(&dir.join("recon.npy"), &[11, 48, 48, 3], &values).unwrap();
}

/// Stimuli of 2 x 1 px, and reconstructions that are copies of this file.
fn files(dir: &Folder, ending: &str, base64: &str) {
    let bytes = BASE64_STANDARD.decode(base64).unwrap();
    for stem in 1..5 {
        let image = Image::new(2, 1, vec![9, 9, 9, 50 * stem, 2, 200]).unwrap();
        write_png(&dir.join(format!("gt/{stem}.png")), &image).unwrap();
        dir.write(&format!("recon/{stem}.{ending}"), &bytes);
    }
}

fn boxes(dir: &Folder, bbox: [f64; 4]) {
    for (stem, side) in [(0, "gt"), (0, "recon"), (1, "gt"), (1, "recon")] {
        let file = json!({"labels": [3, 5], "scores": [0.9, 0.8], "bboxes": [bbox, bbox]});
        dir.write(&format!("{side}/{stem}.json"), file.to_string());
    }
}

fn features(dir: &Folder, last: f32) {
    for (side, last) in [("gt", 4.0), ("recon", last)] {
        dir.write(&format!("{side}/ids.json"), r#"["a", "b", "c"]"#);
        write_f32(&dir.join(format!("{side}/clip.npy")), &[3, 2], &[1.0, 0.0, 2.0, 0.5, 3.0, last]).unwrap();
    }
}

/// Expected findings, the inputs, and the function that makes them.
type Case = (&'static [&'static str], &'static str, fn(&Folder));

const FEATURES: &str = "--gt features=gt --recon features=recon";
const BOXES: &str = "--gt detections=gt --recon detections=recon";

const CASES: &[Case] = &[
    (&[], "gt recon", plain),
    (&["note sizes_differ"], "gt recon", |dir| {
        plain(dir);
        for stem in ["1", "2", "3", "4"] {
            dir.picture(format!("recon/{stem}.png"), stem, 24, 9.0);
        }
    }),
    (&["note lossy_files", "warning exif_orientation", "warning one_image"], "gt recon", |dir| {
        files(dir, "jpg", TURNED);
    }),
    (&["warning several_pictures"], "gt recon", |dir| {
        files(dir, "png", SEVERAL);
    }),
    (&[], "gt recon", |dir| {
        image_folders(dir.path(), &STEMS);
    }),
    (&["warning order_of_stack"], "gt recon.npy", |dir| {
        stack(dir, 1.0, 0.5);
    }),
    (&["warning not_finite"], "gt recon.npy", |dir| {
        stack(dir, 1.0, f32::NAN);
    }),
    (&["warning pixel_values"], "gt recon.npy", |dir| {
        stack(dir, 1.0, 1.01);
    }),
    (&["problem refused"], "gt recon.npy", |dir| {
        stack(dir, 255.0, 0.0);
    }),
    (&["note pixel_values"], "gt recon.npy --set values=0..255", |dir| stack(dir, 255.0, 0.0)),
    (&["note transparency"], "gt recon --set alpha=white", cut_outs),
    (&["problem refused"], "gt recon", cut_outs),
    (&["warning repeated_stimuli"], "gt recon", |dir| {
        plain(dir);
        dir.copy("gt/1.png", "gt/3.png");
    }),
    (&["warning same_source"], "gt gt", plain),
    (
        &["warning stimulus_of_another", "warning constant_images", "note several_sizes"],
        "gt recon",
        |dir| {
            plain(dir);
            dir.picture("recon/1.png", "1", 24, 9.0);
            dir.copy("gt/2.png", "recon/4.png");
            write_png(&dir.join("recon/2.png"), &Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap()).unwrap();
        },
    ),
    (&["note label_names"], "BOXES --labels coco", |dir| {
        boxes(dir, [2.0, 3.0, 90.0, 80.0]);
    }),
    (&["problem refused"], "BOXES --labels coco", |dir| {
        boxes(dir, [0.1, 0.2, 0.9, 0.8]);
    }),
    (&[], "FEATURES", |dir| features(dir, 4.5)),
    (&["problem refused"], "FEATURES", |dir| {
        features(dir, f32::NAN);
    }),
];

#[test]
fn check_lists_what_score_records() {
    for (expected, inputs, prepare) in CASES {
        let dir = folder();
        prepare(&dir);
        let inputs = inputs.replace("BOXES", BOXES).replace("FEATURES", FEATURES);
        let checked = dir.run(&format!("check --json {inputs}"));
        let json: Value = serde_json::from_str(&checked.stdout).unwrap_or_else(|_| panic!("{checked}"));
        let found = sorted(&json["findings"]);
        let scored = dir.run(&format!("score {inputs} --out run"));
        let about = format!("{inputs}: {found:?}\n{checked}\n{scored}");
        assert_eq!(checked.code, scored.code, "{about}");
        match scored.code {
            0 => assert_eq!(found, sorted(&dir.record("run")["findings"]), "{about}"),
            _ => assert!(found.iter().any(|code| code.starts_with("problem")), "{about}"),
        }
        for code in *expected {
            assert!(found.iter().any(|found| found == code), "{code}: {about}");
        }
    }
}
