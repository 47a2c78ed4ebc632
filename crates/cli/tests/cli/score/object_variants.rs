//! `--set object_variant`: the weight of a category, with the image size from any source.

use crate::support::*;

const TOP_LEFT: [f64; 4] = [0.0, 0.0, 100.0, 100.0];
const MIDDLE: [f64; 4] = [50.0, 0.0, 150.0, 200.0];

fn recall(dir: &Folder, options: &str) -> f64 {
    dir.succeed(&format!("{SCORE} --metrics object_recall --set object_variant={options}"));
    dir.values("run", "object_recall")[0]
}

#[test]
fn weights_are_those_found_by_hand() {
    let dir = folder();
    // A person at the top left and a dog in the middle of an image of 200 x 200 px; the dog is missed.
    let objects = [("person", 0.8, TOP_LEFT), ("dog", 0.8, MIDDLE)];
    write_detections(&dir.join("gt"), "a", &objects);
    write_detections(&dir.join("recon"), "a", &objects[..1]);
    let with_size = |variant: &str| recall(&dir, &format!("{variant} --set image_size=200x200"));
    close(&[with_size("existence")], &[0.5]);
    // A quarter and a half of the image.
    close(&[with_size("size")], &[1.25 / (1.25 + 1.5)]);
    // Half-way to the border, and at the centre.
    close(&[with_size("location")], &[1.5 / (1.5 + 2.0)]);
    close(&[with_size("number")], &[0.5]);

    // Images give the size even if they are not scored.
    for side in ["gt", "recon"] {
        dir.picture(format!("images/{side}/a.png"), "a", 200, 4.0);
    }
    close(&[recall(&dir, "size --gt images/gt --recon images/recon")], &[1.25 / (1.25 + 1.5)]);
    assert_snapshot!(dir.run(&format!("{SCORE} --metrics object_recall --set object_variant=size")), @r#"exit 2, stderr: error: pair "a", object_recall: the size variant of Object F1 weighs boxes by the image they are in, and the size of the stimulus image is not known; give the images, or --set image_size=WxH"#);

    let herd = [("dog", 0.8, MIDDLE); 3];
    write_detections(&dir.path().join("gt"), "a", &herd);
    write_detections(&dir.path().join("recon"), "a", &herd[..2]);
    close(&[with_size("existence")], &[1.0]);
    close(&[with_size("number")], &[2.0 / 3.0]);
}
