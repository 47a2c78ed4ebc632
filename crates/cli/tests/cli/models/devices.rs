//! `--device`: refusals, records, and separate features for each device.

use crate::support::*;

fn images() -> Folder {
    let dir = folder();
    pictures(&dir.join("images"), "", 2, 48, 30.0);
    dir
}

#[test]
fn a_device_that_is_unknown_or_was_not_built_is_refused() {
    let dir = images();
    let perceive = "perceive --images images --with placeholder --out out --device";
    assert_snapshot!(dir.refusals(perceive, &["gpu"], "out"), @r#"
    gpu
      exit 2, stderr: error: invalid value 'gpu' for '--device <DEVICE>': "gpu": expected cpu, cpu-f64, cuda, cuda:N, metal or metal:N
    "#);
    #[cfg(not(any(feature = "cuda", feature = "metal")))]
    assert_snapshot!(dir.refusals(perceive, &["cuda", "metal:1"], "out"), @"
    cuda
      exit 2, stderr: error: this build of neurogauge cannot run models on cuda:0: it was built without --features cuda. Build it with them, or take --device cpu
    metal:1
      exit 2, stderr: error: this build of neurogauge cannot run models on metal:1: it was built without --features metal. Build it with them, or take --device cpu
    ");
}

#[test]
fn features_of_another_device_are_made_anew_and_differ_by_rounding() {
    let dir = images();
    let name = "out/features/resnet18-untrained-0.layer2.mean";
    let run = |device: &str| {
        let perceive = "perceive --images images --out out --with resnet18-untrained-0:layer2:mean";
        let ran = dir.succeed(&format!("{perceive} {device}"));
        let keys = dir.json(format!("{name}.keys.json"));
        let rows = features::read(&dir.join(format!("{name}.npy")), &dir.join("out/features/ids.json")).unwrap();
        let values: Vec<f32> = (0..2).flat_map(|row| rows.row(row).to_vec()).collect();
        (ran, keys["made"]["recipe"]["device"].clone(), values)
    };
    let (_, device, cpu) = run("");
    assert_eq!(device, "cpu");
    let (ran, device, wide) = run("--device cpu-f64");
    ran.says(&["2 of them seen"]);
    assert_eq!(device, "cpu-f64");
    assert_ne!(cpu, wide);
    let largest = cpu.iter().fold(0.0_f32, |most, value| most.max(*value));
    for (a, b) in cpu.iter().zip(&wide) {
        assert!((a - b).abs() < 1e-5 * largest, "{a} {b}");
    }
    run("--device cpu-f64").0.says(&["0 of them seen"]);
}
