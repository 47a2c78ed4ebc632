//! Tests of `blocks::device`.

use neurogauge_core::ModelIdentity;
use neurogauge_kernels::DeviceChoice;

#[test]
fn names_are_read_and_written() {
    for name in ["cpu", "cpu-f64", "cuda:0", "cuda:3", "metal:0"] {
        let choice: DeviceChoice = name.parse().unwrap();
        assert_eq!(choice.to_string(), name);
        let json = serde_json::to_string(&choice).unwrap();
        assert_eq!(json, format!("{name:?}"));
        assert_eq!(serde_json::from_str::<DeviceChoice>(&json).unwrap(), choice);
    }
    for id in ["git_large_coco", "resnet18-untrained-1", "a-cuda1x", "cuda"] {
        let identity = |stand_in| ModelIdentity {
            id: id.to_owned(),
            revision: String::new(),
            sha256: String::new(),
            stand_in,
        };
        let split =
            |identity: &ModelIdentity| (DeviceChoice::unmarked(&identity.id).to_owned(), DeviceChoice::of(identity));
        assert_eq!(split(&identity(false)), (id.to_owned(), DeviceChoice::Cpu));
        for device in [DeviceChoice::CpuF64, DeviceChoice::Cuda(0), DeviceChoice::Metal(12)] {
            let marked = device.marked(identity(false));
            assert_eq!(split(&marked), (id.to_owned(), device), "{marked:?}");
            assert_eq!(device.marked(identity(true)).id, id);
        }
    }
    for name in ["", "cpu:0", "cuda:", "cuda:-1", "CUDA", "gpu"] {
        assert!(name.parse::<DeviceChoice>().is_err(), "{name:?}");
    }
}

#[cfg(not(any(feature = "cuda", feature = "metal")))]
#[test]
fn a_device_that_was_not_built_names_its_feature() {
    for (choice, feature) in [(DeviceChoice::Cuda(1), "features cuda"), (DeviceChoice::Metal(0), "features metal")] {
        let message = choice.check().unwrap_err().to_string();
        assert!(message.contains(feature), "{message}");
    }
    assert!(DeviceChoice::CpuF64.check().is_ok());
}
