use super::{Checkpoint, CheckpointFormat, CheckpointFormats, Origin};
use crate::{Arithmetic, DeviceChoice, KernelError, ModelError, WeightPrecision};
use std::path::PathBuf;

const NET: &str = "a net";
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_checkpoints");

fn open(file: &str) -> Checkpoint {
    let path = PathBuf::from(FOLDER).join(file);
    Checkpoint::open(&path, NET, WeightPrecision::F32).unwrap()
}

fn values(checkpoint: &mut Checkpoint, name: &str, shape: &[usize]) -> Vec<f32> {
    checkpoint.take(name, shape).unwrap().flatten_all().unwrap().to_vec1().unwrap()
}

/// Takes all tensors of the reference script's net, which are a synthetic checkpoint's.
fn take_net(checkpoint: &mut Checkpoint) -> Vec<Vec<f32>> {
    let mut shapes =
        vec![("scale".to_owned(), vec![]), ("fc.weight".to_owned(), vec![3, 2]), ("fc.bias".to_owned(), vec![3])];
    for (block, n_in) in [("stem", 1), ("layer.0", 2)] {
        shapes.push((format!("{block}.conv.weight"), vec![2, n_in, 3, 3]));
        for part in ["weight", "bias", "running_mean", "running_var"] {
            shapes.push((format!("{block}.bn.{part}"), vec![2]));
        }
    }
    shapes.iter().map(|(name, shape)| values(checkpoint, name, shape)).collect()
}

fn is_counter(name: &str) -> bool {
    name.ends_with("num_batches_tracked") || name == "input_resolution"
}

#[test]
fn every_layout_gives_the_same_tensors() {
    let mut synthetic = Checkpoint::synthetic(0, &[], NET);
    let expected = take_net(&mut synthetic);
    assert_eq!(synthetic.taken().len(), expected.len());
    assert_eq!(synthetic.taken()[1], ("fc.weight".to_owned(), vec![3, 2]));
    for file in ["zip.pth", "legacy.pth", "traced.pt", "nested_model.pth"] {
        let mut checkpoint = open(file);
        assert_eq!(take_net(&mut checkpoint), expected, "{file}");
        assert_eq!(checkpoint.taken(), synthetic.taken());
        checkpoint.finish(is_counter).unwrap();
    }
}

#[test]
fn half_precision_becomes_single() {
    let mut halves = open("scripted_half.pt");
    let expected = take_net(&mut Checkpoint::synthetic(0, &[], NET));
    for (half, single) in take_net(&mut halves).iter().zip(expected) {
        for (half, single) in half.iter().zip(single) {
            assert!((half - single).abs() <= single.abs() / 2048.0, "{half} {single}");
        }
    }
}

#[test]
fn every_number_is_rounded_on_request_and_what_is_too_large_is_named() {
    let path = PathBuf::from(FOLDER).join("zip.pth");
    let mut rounded = Checkpoint::open(&path, NET, WeightPrecision::F16).unwrap();
    // The reference script's net in half precision has the same values, rounded by torch, except for its plain
    // attribute.
    let halves = take_net(&mut open("scripted_half.pt"));
    assert_eq!(take_net(&mut rounded)[1..], halves[1..]);
    let tensors = vec![("w".to_owned(), vec![2], vec![1.0, 65_520.0])];
    let large = Checkpoint::from_tensors(tensors, NET).unwrap();
    let error = large.rounded(WeightPrecision::F16).take("w", &[2]);
    let message = error.unwrap_err().to_string();
    assert!(message.contains("tensor w of a net holds 65520"), "{message}");
}

#[test]
fn names_are_those_that_the_architecture_gives() {
    let mut plain = open("zip.pth");
    let mut wrapped = open("nested_state_dict.pth.tar")
        .renamed(|name| name.strip_prefix("module.").map(str::to_owned))
        .unwrap();
    assert_eq!(take_net(&mut wrapped), take_net(&mut plain));
    wrapped.finish(is_counter).unwrap();
    let error = open("zip.pth").renamed(|_| Some("x".to_owned())).err();
    let message = error.unwrap().to_string();
    assert!(message.contains("two tensors are called \"x\""), "{message}");
}

#[test]
fn every_fault_names_the_tensor_the_shapes_and_the_architecture() {
    let error = open("zip.pth").take("fc.weigh", &[3, 2]).unwrap_err();
    assert!(error.to_string().contains("lacks the tensor fc.weigh of shape [3, 2]"), "{error}");
    let rename = |name: &str| name.strip_prefix("module.").map(str::to_owned);
    let mut wrapped = open("nested_state_dict.pth.tar").renamed(rename).unwrap();
    let error = wrapped.take("fc.weight", &[2, 3]).unwrap_err();
    let message = error.to_string();
    for part in ["module.fc.weight", "[3, 2]", "[2, 3]", NET] {
        assert!(message.contains(part), "{message}");
    }
    let error = open("zip.pth").take("input_resolution", &[]).unwrap_err();
    assert!(error.to_string().contains("holds int64, expected F32"), "{error}");
    let mut checkpoint = open("zip.pth");
    take_net(&mut checkpoint);
    let error = checkpoint.finish(|name| name == "input_resolution").unwrap_err();
    assert!(error.to_string().contains("layer.0.bn.num_batches_tracked of shape [] has no place"), "{error}");
}

#[test]
fn tensors_made_here_are_a_checkpoint_too() {
    let tensors = vec![("w".to_owned(), vec![1, 2], vec![1.0, 2.0])];
    let mut checkpoint = Checkpoint::from_tensors(tensors.clone(), NET).unwrap();
    assert_eq!(values(&mut checkpoint, "w", &[1, 2]), [1.0, 2.0]);
    checkpoint.finish(|_| false).unwrap();
    let checkpoint = Checkpoint::from_tensors(tensors, NET).unwrap();
    let error = checkpoint.finish(|_| false).unwrap_err();
    assert!(error.to_string().starts_with("tensors in memory: tensor w"), "{error}");
    let short = vec![("w".to_owned(), vec![3], vec![1.0])];
    let mut short = Checkpoint::from_tensors(short, NET).unwrap();
    assert!(matches!(short.take("w", &[3]), Err(ModelError::Kernel(KernelError::Engine { .. }))));
}

#[test]
fn a_file_that_is_no_checkpoint_says_what_was_to_be_loaded() {
    let path = PathBuf::from(FOLDER).join("expected.json");
    let message = Checkpoint::open(&path, NET, WeightPrecision::F32).err().unwrap().to_string();
    assert!(message.contains("expected a checkpoint"), "{message}");
    assert!(message.contains("a net was not loaded"), "{message}");
}

static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "ours",
    own_mark: Some("qkv"),
    others: &[CheckpointFormat {
        epsilon: |norm| (norm == "last").then_some(1e-12),
        ..CheckpointFormat::new("theirs", "q", origin, &[])
    }],
    own_settings: &[],
};

fn origin(name: &str, _: &[usize]) -> Option<Origin> {
    Some(match name {
        "qkv" => Origin::Stacked(["q", "k", "v"].map(str::to_owned).to_vec()),
        "scale" => Origin::Shaped("gamma".to_owned(), vec![2]),
        _ => return None,
    })
}

#[test]
fn tensors_are_put_together_from_the_parts_that_another_layout_has() {
    let tensor = |name: &str, shape: &[usize], first: f32| {
        let n: usize = shape.iter().product();
        let values = (0..n).map(|i| first + i as f32).collect();
        (name.to_owned(), shape.to_vec(), values)
    };
    let mut tensors = vec![
        tensor("q", &[1, 2], 0.0),
        tensor("k", &[1, 2], 2.0),
        tensor("v", &[1, 2], 4.0),
        tensor("gamma", &[2], 6.0),
        tensor("norm", &[1], 8.0),
    ];
    let load =
        |tensors: &Vec<_>| Checkpoint::from_tensors(tensors.clone(), NET).unwrap().in_format_of(&FORMATS).unwrap();
    let mut theirs = load(&tensors);
    let qkv = values(&mut theirs, "qkv", &[3, 2]);
    assert_eq!(qkv, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(values(&mut theirs, "scale", &[2, 1, 1]), [6.0, 7.0]);
    assert_eq!(values(&mut theirs, "norm", &[1]), [8.0]);
    assert_eq!(theirs.epsilon("norm", 1e-6), 1e-6);
    assert_eq!(theirs.epsilon("last", 1e-6), 1e-12);
    theirs.finish(|_| false).unwrap();

    tensors.remove(1);
    let error = load(&tensors).take("qkv", &[3, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tensors in memory lacks the tensor k of shape [1, 2] that a net needs (read by the names of \
         theirs, since it has q; not by those of ours, who call it qkv)"
    );
}

#[test]
fn what_is_left_is_counted_as_it_will_lie_in_memory() {
    let left = |file: &str, arithmetic: Arithmetic| {
        let mut checkpoint = open(file).computed(arithmetic).unwrap();
        let before = checkpoint.bytes_left();
        checkpoint.take("fc.weight", &[3, 2]).unwrap();
        (before, before - checkpoint.bytes_left())
    };
    let of_zip = |arithmetic| left("zip.pth", arithmetic);
    let (whole, weight) = of_zip(Arithmetic::default());
    assert_eq!(weight, 6 * 4);
    for precision in [WeightPrecision::Bf16, WeightPrecision::F16] {
        assert_eq!(of_zip(precision.into()), (whole / 2, 6 * 2));
    }
    assert_eq!(of_zip(WeightPrecision::Bf16Products.into()), (whole, weight));
    assert_eq!(of_zip(DeviceChoice::CpuF64.into()), (2 * whole, 6 * 8));
    let (_, half) = left("scripted_half.pt", Arithmetic::default());
    assert_eq!(half, 6 * 2);
    assert_eq!(Checkpoint::synthetic(0, &[], NET).bytes_left(), 0);
}
