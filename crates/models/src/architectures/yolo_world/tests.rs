//! Compares both networks with their goldens: the same synthetic checkpoint, images and names, every recorded part.

use super::detector::Model;
use super::*;
use crate::DeviceChoice;
use crate::goldens::{checkpoint, devices, difference, golden, photograph_window, read};
use neurogauge_kernels::blocks::host_values;

/// Largest difference from the reference, in standard deviations of the part's values.
const TOLERANCE: f64 = 1e-4;

fn check(name: &str, device: DeviceChoice) {
    let golden = golden(name);
    let model = Model::from_file(checkpoint(&golden, ARCHITECTURE, device)).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        let ids: Vec<Vec<u32>> = read(&case["ids"]);
        let compare = |tap: &str, values: &[f32]| {
            let error = difference(tap, values, &case["taps"][tap]);
            assert!(error < TOLERANCE, "{name} on {device}, {}, {tap}: {error:e}", case["image"]);
        };
        let names = model.names(&ids).unwrap();
        compare("text", &host_values(&names).unwrap());
        let mut n_seen = 0;
        let places = model.places(&photograph_window(case), &names, &mut |tap, values| {
            n_seen += 1;
            compare(tap, &host_values(values)?);
            Ok(())
        });
        let places = places.unwrap();
        assert_eq!(n_seen, 6);
        compare("logits", &places.logits);
        compare("distances", places.distances.as_flattened());
    }
}

#[test]
fn both_depths_equal_the_reference() {
    for device in devices() {
        check("yolo_world_s_reduced", device);
        check("yolo_world_l_reduced", device);
    }
}
