//! Pictures in arrays of other layouts than (N, H, W, 3), against what NumPy, SciPy, h5py and Pillow wrote.

use crate::prelude::*;
use neurogauge_core::image::{Background, ImageReading};
use neurogauge_formats::pickle::{Value as Pickled, dump};

/// What `reference/picture_layouts.py` says of a file.
#[derive(Deserialize)]
struct Pictures {
    stems: Vec<String>,
    width: usize,
    height: usize,
    values: Vec<Vec<f32>>,
}

fn golden(name: &str) -> PathBuf {
    crate::files::golden("picture_layouts").join(name)
}

fn check(source: &ImageSource, expected: &Pictures, tolerance: f32) {
    let name = source.path().display();
    assert_eq!(source.stems(), expected.stems, "{name}");
    for (index, values) in expected.values.iter().enumerate() {
        let bytes = source.load_u8(index).unwrap();
        let image = source.load(index).unwrap();
        assert_eq!((image.width_px(), image.height_px()), (expected.width, expected.height), "{name}");
        let found: Vec<f32> = match bytes {
            Some(bytes) => bytes.into_data().into_iter().map(f32::from).collect(),
            None => image.into_data(),
        };
        assert_eq!(found.len(), values.len());
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= tolerance;
        assert!(found.iter().zip(values).all(is_near), "{name} {index}: {found:?} {values:?}");
    }
}

#[test]
fn every_layout_has_the_pixels_of_its_library() {
    let expected: BTreeMap<String, Pictures> =
        serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap();
    assert_eq!(expected.len(), 18);
    for (name, pictures) in &expected {
        let folder = tempfile::tempdir().unwrap();
        let path = match name.strip_prefix("netpbm/") {
            // Image files are read in folders.
            Some(file) => {
                std::fs::copy(golden(name), folder.path().join(file)).unwrap();
                folder.path().to_owned()
            }
            None => golden(name),
        };
        let source = ImageSource::open(&path).unwrap();
        let asked = ImageReading {
            alpha: Some(Background::White),
            values: None,
        };
        source.settle(asked, "gt").unwrap();
        // Pillow and this program round the blend of 8 bits differently.
        let tolerance = match name.as_str() {
            "alpha.npy" => 1.0,
            "alpha_f4.npy" => 1e-6,
            _ => 0.0,
        };
        check(&source, pictures, tolerance);
    }
}

#[test]
fn what_pictures_were_taken_for_is_said() {
    let said = |name: &str| {
        let source = ImageSource::open(&golden(name)).unwrap();
        let asked = ImageReading {
            alpha: Some(Background::White),
            values: None,
        };
        let found = source.settle(asked, "gt").unwrap();
        (found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "), source.form())
    };
    for (name, words, form) in [
        (
            "grey.npy",
            "gt: 5 grey pictures of 7 x 6 px from (n images, height, width), copied to three channels",
            "uint8 6 x 7",
        ),
        (
            "grey_first.npy",
            "gt: 5 grey pictures of 7 x 6 px from (n images, 1, height, width), copied to three channels",
            "uint8 1 x 6 x 7",
        ),
        ("named.npz", "gt: 5 pictures of 7 x 6 px, named by the ids in the file", "uint8 6 x 7 x 3"),
        ("numpy.mat", "", "uint8 6 x 7 x 3"),
    ] {
        assert_eq!(said(name), (words.to_owned(), form.to_owned()), "{name}");
    }
    let (words, form) = said("alpha.npy");
    let parts = [
        "5 pictures with alpha of 7 x 6 px from (n images, height, width, 4)",
        "5 of 5 have transparent pixels",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    assert_eq!(form, "uint8 6 x 7 x 4 on white");
}

#[test]
fn alpha_of_a_stack_is_refused_until_its_background_is_named() {
    for name in ["alpha.npy", "alpha_f4.npy"] {
        let source = ImageSource::open(&golden(name)).unwrap();
        refused(
            source.settle(ImageReading::default(), "gt"),
            "transparent pixels that hide colours: in 5 of 5 images",
        );
    }
    // Opaque pixels need no background.
    let (_folder, path) = place("opaque.npy");
    npy::write_f32(&path, &[1, 2, 1, 4], &[0.5, 0.25, 0.0, 1.0, 0.125, 0.0, 1.0, 1.0]).unwrap();
    let source = ImageSource::open(&path).unwrap();
    assert_eq!(source.settle(ImageReading::default(), "gt").unwrap().len(), 1);
    assert_eq!(source.load(0).unwrap().data(), [0.5, 0.25, 0.0, 0.125, 0.0, 1.0]);
}

#[test]
fn arrays_of_a_file_are_chosen_by_name_or_the_line_that_helps_is_said() {
    let at = |name: &str, member: &str| ImageSource::open(format!("{}{member}", golden(name).display()).as_ref());
    // A name takes the rows by their numbers.
    assert_eq!(at("named.npz", ":recon").unwrap().stems(), ["0", "1", "2", "3", "4"]);
    assert_eq!(at("numpy.mat", ":recons").unwrap().len(), 5);
    refused(at("numpy.mat", ":recon"), "no array \"recon\"; the file has recons");
    refused(at("named.npz", ":labels"), "an array of shape [5]; expected (n images, height, width, 3)");
    // (n, 6, 6) of SciPy has two equal axes in the end, (6, 6, n) of MATLAB in front; others may be either.
    assert_eq!(at("numpy_grey.mat", "").unwrap().len(), 5);
    assert_eq!(at("matlab_grey.mat", "").unwrap().len(), 5);
    let (_folder, path) = place("stack.pkl");
    std::fs::write(&path, dump(&Pickled::Int(3))).unwrap();
    refused(
        ImageSource::open(&path),
        "a Python pickle of other objects than arrays, which is not read; in Python, `np.save(",
    );
    refused(array_file::open(&path), "`x.to_csv(\"x.csv\")` a data frame of pandas");
}

/// A tensor of torch with this shape, whose numbers are the storage with that key.
fn tensor(key: &str, shape: &[i64]) -> Pickled {
    let name = |module: &str, name: &str| (module.to_owned(), name.to_owned());
    let n: i64 = shape.iter().product();
    let (module, storage) = name("torch", "FloatStorage");
    let id = Pickled::Tuple(vec![
        Pickled::Str("storage".into()),
        Pickled::Global { module, name: storage },
        Pickled::Str(key.into()),
        Pickled::Str("cpu".into()),
        Pickled::Int(n),
    ]);
    let stride = |axis: usize| Pickled::Int(shape[axis + 1..].iter().product());
    let (module, rebuild) = name("torch._utils", "_rebuild_tensor_v2");
    Pickled::Object {
        module,
        name: rebuild,
        args: vec![
            Pickled::Persistent(Box::new(id)),
            Pickled::Int(0),
            Pickled::Tuple(shape.iter().map(|&n| Pickled::Int(n)).collect()),
            Pickled::Tuple((0..shape.len()).map(stride).collect()),
        ],
        state: None,
    }
}

/// Writes a file as `torch.save` does; the storages hold ascending numbers from 0.
fn write_pt(path: &Path, content: &Pickled, storages: &[(&str, usize)]) {
    let mut zip = ZipWriter::new(std::fs::File::create(path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("x/data.pkl", stored).unwrap();
    zip.write_all(&dump(content)).unwrap();
    for (key, n) in storages {
        zip.start_file(format!("x/data/{key}"), stored).unwrap();
        let bytes: Vec<u8> = (0..*n).flat_map(|value| (value as f32 / 64.0).to_le_bytes()).collect();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// The stems of a file, and the first values of each image.
fn opened(path: &Path) -> Vec<(String, [f32; 4])> {
    let source = ImageSource::open(path).unwrap();
    let image = |(index, stem): (usize, &String)| {
        let values = source.load(index).unwrap().into_data();
        (stem.clone(), [0, 1, 2, 3].map(|place| values[place] * 64.0))
    };
    source.stems().iter().enumerate().map(image).collect()
}

#[test]
fn lists_and_dicts_of_tensors_are_read() {
    let (_folder, path) = place("recons.pt");
    let text = |text: &str| Pickled::Str(text.into());
    // 12 values of (3, 2, 2): red 0 to 3, green 4 to 7, blue 8 to 11. The second pixel begins with its red, 1.
    let first = [0.0, 4.0, 8.0, 1.0];
    let second = first.map(|value| value + 12.0);
    let named = |names: &[&str], values: &[[f32; 4]]| -> Vec<(String, [f32; 4])> {
        names.iter().map(|&name| name.to_owned()).zip(values.iter().copied()).collect()
    };
    let list = Pickled::List(vec![tensor("0", &[3, 2, 2]), tensor("1", &[3, 2, 2])]);
    write_pt(&path, &list, &[("0", 12), ("1", 12)]);
    assert_eq!(opened(&path), named(&["0", "1"], &[first, first]));
    // The last batch is shorter.
    let batches = Pickled::List(vec![tensor("0", &[2, 3, 2, 2]), tensor("1", &[1, 3, 2, 2])]);
    write_pt(&path, &batches, &[("0", 24), ("1", 12)]);
    assert_eq!(opened(&path), named(&["0", "1", "2"], &[first, second, first]));
    // A dict of one tensor of pictures and a list of ids, beside other things.
    let ids = Pickled::List(vec![text("coco_7.jpg"), Pickled::Int(12)]);
    let dict = Pickled::Dict(vec![
        (text("recons"), tensor("0", &[2, 3, 2, 2])),
        (text("ids"), ids),
        (text("captions"), Pickled::List(vec![text("a dog"), text("a cat")])),
        (text("epoch"), Pickled::Int(3)),
    ]);
    write_pt(&path, &dict, &[("0", 24)]);
    assert_eq!(opened(&path), named(&["coco_7", "12"], &[first, second]));
    let by_key = format!("{}#recons", path.display());
    assert_eq!(opened(by_key.as_ref()), named(&["0", "1"], &[first, second]));
    // A dict of pictures by name.
    let by_name = [("b.png", "0"), ("a", "1")].map(|(name, key)| (text(name), tensor(key, &[3, 2, 2])));
    write_pt(&path, &Pickled::Dict(by_name.to_vec()), &[("0", 12), ("1", 12)]);
    assert_eq!(opened(&path), named(&["b", "a"], &[first, first]));

    // Sizes may differ; with equal bytes, the pictures are others.
    let uneven = Pickled::List(vec![tensor("0", &[3, 2, 2]), tensor("1", &[3, 1, 4])]);
    write_pt(&path, &uneven, &[("0", 12), ("1", 12)]);
    assert_eq!(opened(&path), named(&["0", "1"], &[first, first]));
    let source = ImageSource::open(&path).unwrap();
    assert_eq!((source.size_px(0), source.size_px(1)), (Some((2, 2)), Some((4, 1))));
    assert_eq!(
        (source.common_size_px(), source.largest_px().map(|(width, height)| width * height)),
        (None, Some(4))
    );
    assert_ne!(source.content_hash(0).unwrap(), source.content_hash(1).unwrap());
    assert_eq!(source.form(), "float32 of several sizes");
    let channels = Pickled::List(vec![tensor("0", &[3, 2, 2]), tensor("1", &[1, 3, 4])]);
    write_pt(&path, &channels, &[("0", 12), ("1", 12)]);
    refused(
        ImageSource::open(&path),
        "[1, 3, 4] as number 1 (counted from 0) of a list; expected float32 with the channels of [3, 2, 2]",
    );
    let flat = Pickled::List(vec![tensor("0", &[2, 2])]);
    write_pt(&path, &flat, &[("0", 4)]);
    refused(ImageSource::open(&path), "torch.stack(x)[:, None]");
}
