//! Every reader with small valid files: the starting point of the mutations here and the fuzzing in `fuzz/`.

// The programs of `fuzz/` include this file, and have no prelude.
use neurogauge_core::LabelList;
use neurogauge_core::pair::PairsOf;
use neurogauge_formats::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A reader, and its valid files.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    /// The extension of its files.
    pub(crate) ending: &'static str,
    /// Sound files: their text, or a folder below `reference/golden` and names in it.
    seeds: &'static [&'static str],
    /// Reads everything in the file, and returns the error if it has one; only a panic, a hang or unlimited memory is a
    /// fault.
    pub(crate) read: fn(&Path) -> Option<String>,
}

impl Reader {
    /// The bytes of each sound file.
    pub(crate) fn seeds(&self) -> Vec<Vec<u8>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let bytes = |seed: &&str| match seed.contains(['\n', '{']) {
            true => vec![seed.as_bytes().to_vec()],
            false => {
                let (folder, names) = seed.rsplit_once('/').unwrap();
                let mut folders =
                    ["../..", ".."].map(|up| root.join(up).join("reference/golden").join(folder)).into_iter();
                let folder = folders.find(|path| path.exists()).unwrap();
                names.split(' ').map(|name| std::fs::read(folder.join(name)).unwrap()).collect()
            }
        };
        self.seeds.iter().flat_map(bytes).collect()
    }
}

/// The bytes with correct checksums of a PNG's chunks, so that reading continues after them.
pub(crate) fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut at = 8;
    while bytes.starts_with(b"\x89PNG")
        && let Some(&length) = bytes.get(at..).and_then(<[u8]>::first_chunk::<4>)
    {
        let content = at + 4..at + 8 + u32::from_be_bytes(length) as usize;
        let Some(named) = bytes.get(content.clone()) else {
            break;
        };
        let mut sum = flate2::Crc::new();
        sum.update(named);
        if let Some(place) = bytes.get_mut(content.end..content.end + 4) {
            place.copy_from_slice(&sum.sum().to_be_bytes());
        }
        at = content.end + 4;
    }
    bytes
}

fn said<T>(found: Result<T, FormatError>) -> Option<String> {
    found.err().map(|error| error.to_string())
}

fn arrays(path: &Path) -> Option<String> {
    images(path);
    said(array_file::open(path).and_then(|array| array.read_f64()))
}

fn tensors(path: &Path) -> Option<String> {
    for tensor in pt::open(path).unwrap_or_default() {
        let _ = tensor.array.read_f64_at(0, tensor.array.len());
    }
    images(path)
}

fn images(path: &Path) -> Option<String> {
    let source = image_source::ImageSource::open(path);
    if let Ok(source) = &source {
        let _ = source.load(0);
        let _ = source.content_hash(source.len() - 1);
    }
    said(source)
}

fn checkpoint(path: &Path) -> Option<String> {
    let checkpoint = state_dict::open(path);
    for tensor in checkpoint.iter().flat_map(|checkpoint| checkpoint.tensors()) {
        let _ = tensor.read_f32();
    }
    said(checkpoint)
}

fn image(path: &Path) -> Option<String> {
    let source = image_source::ImageSource::of_paths(path, &[path.to_owned()]);
    let _ = source.settle(neurogauge_core::image::ImageReading::default(), "images");
    said(image_file::read_described(path))
}

/// Reads all frames of the file, which is alone in its folder.
fn frames(path: &Path) -> Option<String> {
    let folder = path.parent().unwrap_or(path);
    let source = image_source::ImageSource::open(folder);
    if let Ok(source) = &source {
        assert!(!source.is_empty(), "neither a frame nor an error");
        for index in 0..source.len() {
            let _ = source.load_u8(index);
        }
    }
    said(source)
}

pub(crate) const fn reader(
    name: &'static str,
    ending: &'static str,
    seeds: &'static [&'static str],
    read: fn(&Path) -> Option<String>,
) -> Reader {
    Reader {
        name,
        ending,
        seeds,
        read,
    }
}

/// A name for every number.
static LABELS: LazyLock<BTreeMap<u16, String>> =
    LazyLock::new(|| (0..=u16::MAX).map(|number| (number, String::new())).collect());

/// COCO's instances with one image and one category.
static INSTANCES: LazyLock<masks::CocoInstances> = LazyLock::new(|| masks::CocoInstances {
    images: vec![masks::CocoImage {
        id: 1,
        file_name: String::new(),
        width: 9,
        height: 7,
    }],
    categories: Vec::new(),
    annotations: Vec::new(),
});

pub(crate) const READERS: [Reader; 49] = [
    reader("hdf5", "h5", &["volumes/one.h5 betas_in_blocks.hdf5"], arrays),
    reader(
        "npy",
        "npy",
        &["formats_arrays/array_f4_le.npy fortran_f8_be.npy version3.npy stack_f4_chw.npy stack_u8_hwc.npy"],
        arrays,
    ),
    reader(
        "npy_captions",
        "npy",
        &["formats_arrays/captions_protocol2.npy captions_numpy2.npy captions_protocol5.npy"],
        |path| said(npy::read_pickled_dict(path)),
    ),
    reader("npz", "npz", &["formats_ratings/deflated.npz stored.npz"], arrays),
    reader("npz_scores", "npz", &["formats_ratings/deflated.npz stored.npz"], |path| {
        said(metric_table::read(path))
    }),
    reader("pt", "pt", &["formats_arrays/dict.pt images.pt strided_views.pt protocol5.pt"], tensors),
    reader("checkpoint_zip", "pth", &["formats_checkpoints/zip_views.pth nested_model.pth"], checkpoint),
    reader(
        "checkpoint_legacy",
        "pth",
        &["formats_checkpoints/legacy.pth legacy_nested_shared.pth legacy_python2.pth"],
        checkpoint,
    ),
    reader("checkpoint_torchscript", "pt", &["formats_checkpoints/traced.pt scripted_half.pt"], checkpoint),
    reader("safetensors", "safetensors", &["formats_checkpoints/plain.safetensors"], checkpoint),
    reader(
        "checkpoint_index",
        "json",
        &[r#"{"weight_map": {"a": "x.safetensors", "b": "y.safetensors"}}"#],
        checkpoint,
    ),
    reader(
        "png",
        "png",
        &["formats_arrays/rgba16.png palette.png one_bit.png", "several_pictures/moving.png"],
        image,
    ),
    reader("jpeg", "jpg", &["formats_arrays/rgb_420.jpg cmyk.jpg progressive.jpg"], image),
    reader(
        "webp",
        "webp",
        &["formats_arrays/lossy.webp lossless_alpha.webp", "several_pictures/moving.webp lossy.webp"],
        image,
    ),
    reader("bmp", "bmp", &["formats_arrays/palette.bmp rgba.bmp"], image),
    reader(
        "tiff",
        "tiff",
        &["formats_arrays/rgb_lzw.tiff rgb_deflate.tiff", "several_pictures/pages.tiff"],
        image,
    ),
    reader("gif", "gif", &["gif_frames/moving.gif background.gif whole.gif still.gif"], frames),
    reader("label_map", "png", &["formats_arrays/grey16.png palette.png"], |path| {
        said(masks::read_label_map(path, &LABELS))
    }),
    reader("label_names", "json", &[r#"{"1": "dog", "2": "sky"}"#], |path| said(masks::read_label_names(path))),
    reader(
        "masks",
        "json",
        &[
            r#"{"image_path": "a", "annotations": [{"class_name": "dog", "bbox": [0, 0, 3, 2], "segmentation": {"size": [2, 3], "counts": "132"}, "score": 0.5}], "box_format": "xyxy", "img_width": 3, "img_height": 2}"#,
        ],
        |path| said(masks::read_grounded_sam(path)),
    ),
    reader(
        "masks_coco",
        "json",
        &[
            r#"{"images": [{"id": 1, "width": 9, "height": 7, "file_name": "a.png"}], "categories": [{"id": 1, "name": "dog"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 4, "bbox": [1, 1, 3, 3], "segmentation": [[1, 1, 3, 1, 3, 3, 1, 3]]}]}"#,
        ],
        |path| said(masks::read_coco_instances(path)),
    ),
    reader(
        "detections",
        "json",
        &[
            r#"{"labels": [2, 3], "scores": [0.75, 0.5], "bboxes": [[10, 20, 30, 60], [1, 2, 3, 4]], "image_size_px": [425, 425]}"#,
            r#"{"boxes": [[10, 20, 30, 60]], "labels": ["dog"], "scores": [0.9]}"#,
            r#"{"pred_instances": {"labels": [1], "scores": [0.5], "bboxes": [[1, 2, 3, 4]]}, "ori_shape": [425, 425]}"#,
            r#"[{"score": 0.9, "label": "dog", "box": {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}}]"#,
        ],
        |path| said(detections::read_mmdet(path, &LabelList::coco())),
    ),
    reader("yolo", "txt", &["16 0.5 0.4 0.2 0.3 0.9\n0 0.5 0.5 1 1\n"], |path| {
        let folder = path.parent().unwrap_or(path);
        said(detections::DetectionSource::open(folder, &LabelList::coco(), (425.0, 425.0)).and_then(|all| all.load(0)))
    }),
    reader(
        "boxes_of_all",
        "json",
        &[
            r#"{"1": {"boxes": [[10, 20, 30, 60]], "labels": ["dog"], "scores": [0.9]}}"#,
            r#"[{"image_id": 1, "category_id": 18, "bbox": [1, 2, 3, 4], "score": 0.5}]"#,
            r#"{"images": [{"id": 1, "width": 9, "height": 7}], "categories": [{"id": 1, "name": "dog"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 3, 3]}]}"#,
        ],
        |path| said(detections::DetectionSource::open(path, &LabelList::coco(), (425.0, 425.0))),
    ),
    reader(
        "coco_results",
        "json",
        &[
            r#"{"annotations": [{"image_id": "1", "category_id": 1.0, "segmentation": [[1, 1, 3, 1, 3, 3]], "score": 0.5}]}"#,
        ],
        |path| said(masks::read_coco_results(path, &INSTANCES, PairsOf::All)),
    ),
    reader("boxes", "json", &[r#"{"0": {"boat": [[0.5, 0.25, 1.0, 0.75]]}, "1": {}}"#], |path| {
        said(detections::read_boxes(path, &LabelList::coco(), (425.0, 425.0)))
    }),
    reader(
        "captions",
        "json",
        &[
            r#"{"10": "a boat", "9": ["a dog", "a black dog"]}"#,
            r#"{"images": [{"id": 1}], "annotations": [{"id": 7, "image_id": 1, "caption": "a boat"}]}"#,
            r#"[{"image_id": "1", "caption": "a boat"}]"#,
        ],
        |path| said(captions::read(path)),
    ),
    reader(
        "captions_lines",
        "jsonl",
        &["{\"image\": \"1.png\", \"caption\": \"a boat\"}\n{\"image\": \"2.png\", \"captions\": [\"a dog\"]}\n"],
        |path| said(captions::read(path)),
    ),
    reader("captions_table", "csv", &["image,caption\n1.png,a boat\n1.png,\"a boat, again\"\n"], |path| {
        said(captions::read(path))
    }),
    reader("category_names", "json", &[r#"{"10": "dog, frisbee", "9": ["cat"], "11": ""}"#], |path| {
        said(category_names::read(path))
    }),
    reader(
        "image_texts",
        "json",
        &[r#"{"10": ["EXIT", "Main St., 5"], "9": "Stop, please", "11": []}"#],
        |path| said(category_names::read_texts(path)),
    ),
    reader(
        "categorisation",
        "json",
        &[
            r#"{"foreground_objects": [{"name": "dog", "parts": ["ear"]}], "background_elements": ["sky"]}"#,
            "```json\n{\"foreground_objects\": []}\n```",
        ],
        |path| said(categorisation::read_categorisation(path)),
    ),
    reader(
        "scene_graphs",
        "txt",
        &[
            "[1]\nobjects: boat, dock; relations: (boat, at, dock)\n",
            r#"{"1": {"objects": ["boat"], "attributes": {"boat": ["red"]}, "relations": [["boat", "at", "dock"]]}}"#,
        ],
        |path| said(scene_graphs::read(path)),
    ),
    reader("ratings", "csv", &["formats_ratings/long.csv wide.csv long_semicolon.csv"], |path| {
        said(ratings::read(path, &ratings::RatingColumns::default(), None))
    }),
    reader(
        "choices",
        "csv",
        &[
            "left,right,rater,choice\nx,y,ann,left\nz,y,ann,tie\n",
            "rater,ranking\nann,x > y = z\n",
            "sep=;\nrater;best;worst;item_1;item_2;item_3\nann;x;z;x;y;z\n",
            "Timestamp,same? [x],same? [y]\nt,Strongly agree,4 - Agree\n",
        ],
        |path| said(ratings::read(path, &ratings::RatingColumns::default(), None)),
    ),
    reader("scores", "csv", &["formats_ratings/metrics.csv"], |path| said(metric_table::read(path))),
    reader("scores_parquet", "parquet", &["formats_observations/ours.parquet pyarrow.parquet"], |path| {
        said(scores_parquet::read(path))
    }),
    reader("class_labels", "csv", &["item,gt_label,recon_label\n7,egret,coucal\n9,tabby,tabby\n"], |path| {
        said(class_labels::read(path))
    }),
    reader(
        "label_list",
        "txt",
        &[
            "# names\napple\nhot_dog\n",
            r#"{"names": ["apple", "pear"], "supercategories": {"fruit": ["apple"]}}"#,
        ],
        |path| said(label_list::read_label_list(path)),
    ),
    reader(
        "nifti",
        "nii.gz",
        &["volumes/u1.nii.gz scaled.nii.gz big.nii", "brain_images/big_version2.nii.gz"],
        |path| said(nifti::read(path)),
    ),
    reader("cifti", "dtseries.nii", &["brain_images/trials.dtseries.nii areas.dlabel.nii"], |path| {
        said(brain_image::read(path, &brain_image::Region::default()))
    }),
    reader("gifti", "gii", &["brain_images/gzip.func.gii text.func.gii columns.func.gii"], |path| {
        said(gifti::read(path))
    }),
    reader("mgh", "mgz", &["nsd/f32.mgz u8.mgz"], |path| {
        let mut volume = mgh::MghReader::open(path);
        if let Ok(volume) = &mut volume {
            while let Ok(Some(_)) = volume.next_frame(&[0]) {}
        }
        said(volume)
    }),
    reader("matlab", "mat", &["nsd/synthetic.mat design_compressed.mat", "brain_images/one.mat"], |path| {
        drop(nsd::ExperimentDesign::read(path));
        drop(nsd::synthetic_order(path));
        said(array_file::open(path).and_then(|array| array.read_f64()))
    }),
    reader(
        "trial_column",
        "csv",
        &["target_layouts/things/sub-01_VoxelMetadata.csv sub-01_StimulusMetadata.csv"],
        |path| {
            for column in ["stimulus", "V1"] {
                let column = PathBuf::from(format!("{}:{column}", path.display()));
                drop(trial_column::read(&column));
                drop(trial_column::numbers(&column));
            }
            said(trial_column::read(path))
        },
    ),
    reader("trial_images", "csv", &["trial,image\nrun1,cat\nrun2,dog\n", "image\ncat\n"], |path| {
        said(trial_images::read(path))
    }),
    reader(
        "ply",
        "ply",
        &[
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0.5\n0 1 -2\n3 0 1 2\n",
        ],
        |path| said(shapes::read(path)),
    ),
    reader("obj", "obj", &["v 0 0 0\nv 1 0 0\nf 1/1 2//2 -1\nv 1e1 1 1\n"], |path| said(shapes::read(path))),
    reader(
        "journal",
        "jsonl",
        &[
            "{\"key\":\"a\",\"value\":0.5,\"sum\":\"00000000\"}\n{\"key\":\"b\",\"undefined\":\"Empty\"}\n{\"key\":\"c\",\"val",
        ],
        |path| said(store::Journal::<f64>::open(path)),
    ),
];
