"""Runs the evaluations that others released, unchanged, on arrays made here: golden/released_code.json.

Their code is read from a folder and never committed: NEUROGAUGE_RELEASED, else `.released/` beside the Makefile, with a
folder for each name of CODE, which has the file of its commit (`git clone`, `git checkout COMMIT`, copy). Files are
checked by their SHA-256. Without the folder, the golden is left unchanged.

A notebook or script is not imported: its functions, or the statements between two of its lines, are run unchanged. They
get images instead of files, and numpy, scikit-image and torchvision as of their release: `Resize` does not smooth float
tensors (torchvision before 0.17), and `structural_similarity` of Brain-Diffuser is that of scikit-image 0.17.2, which
its environment pins (`_structural_similarity.py` of that release in `scikit_image_0_17_2/`). 982, the number of images
of NSD, is replaced by the number of images made here.

Run from `reference/` with the packages of requirements.txt.
"""

import ast
import collections
import contextlib
import functools
import hashlib
import io
import json
import os
import sys
import tempfile
import textwrap
import types
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from scipy.ndimage import gaussian_filter, uniform_filter  # noqa: F401 (0.17.2 finds them where they are)
from skimage.color import rgb2gray
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
from skimage.util import crop
from torchvision import transforms
from torchvision.ops import box_iou

import synthetic
from objects import as_result, box_pairs

HERE = Path(__file__).parent
RELEASED = Path(os.environ.get("NEUROGAUGE_RELEASED", HERE.parent / ".released"))

# Folder: repository, commit, file, SHA-256 of the file.
CODE = {
    "mindeye1": (
        "MedARC-AI/fMRI-reconstruction-NSD",
        "6b30ea53c0f98b0a79b8f6828b6787a5913fd08d",
        "src/Reconstruction_Metrics.py",
        "3eb87a3378ea079f786bde137140c5015a376fbd77ad1fabeda613c0338e4ed9",
    ),
    "mindeye2": (
        "MedARC-AI/MindEyeV2",
        "c1847188200e075b960ad6b87333e51ea17be1b1",
        "src/final_evaluations.ipynb",
        "60a4c60ad7703605478e42bb67adb0c760e75aa5e413111e73a75eb2271c771c",
    ),
    "brain-diffuser": (
        "ozcelikfu/brain-diffuser",
        "31d52c01b7f204b9887024eb670065a0197f5bcc",
        "scripts/evaluate_reconstruction.py",
        "e802a20568a33f7d9d1882463dda0022a40789ce0b88a6bdb71a9606939c7fc5",
    ),
    "mindbridge": (
        "littlepure2333/MindBridge",
        "2a3943ff5b619db6f85f16a5e7ff1331d25def55",
        "src/eval.py",
        "bde3c051c6f1c3be47c7075986ba2854a16561ff8702b3cbbf412edfcdf5c180",
    ),
    "neuropictor": (
        "jingyanghuo/neuropictor",
        "5e1584a38464b0689cb3457ed4e2a0f7b2241263",
        "eval_metrics.py",
        "f186c11a8fd6804b4ec8d6a38e0f3501a9c97c274b3c04a1e014978efea023ae",
    ),
    "mirage": (
        "MedARC-AI/MindEye_Imagery",
        "198b0cb07a6baae8c0c6cd71185709dfb36c2567",
        "src/final_evaluations_mi_multi.ipynb",
        "779fc3d5400f6bf5391fe74b725240567eb2182018157825b9f16ea60a2ed2b5",
    ),
    "mindvideo": (
        "jqin4749/MindVideo",
        "5097206d93209e7b32d24169a0b81e0d1104e6d1",
        "src/MindVideo/utils/eval_metrics.py",
        "dd6614f833e0b8e79ebeab7dbc4dac821a1574ee22e203836335d7cc5fcea213",
    ),
    "neurons": (
        "xmed-lab/NEURONS",
        "4e4fd545d982747cc9e2a4af2eb0186a22eb5c84",
        "eval_metrics.py",
        "8b832ecdda230b9bf74865a921356a111c4b360b360d6bfc2f1d3275c3567403",
    ),
    "official": (
        "Concarne2/SEED",
        "65ce33a372a79ad4caf4091e0682364bc2ad2727",
        "seed/metrics.py",
        "d6107a4b04e3022b6bfdf744ae15dd1b10b334f1294e9f37e6340e61294cae82",
    ),
    "umbrae": (
        "weihaox/BrainHub",
        "d8880b247465576715cf08dacbc5167851ed6820",
        "eval_bbox_rec.py",
        "96ff878490c759a104f9cb08fa72da20890627226842feb3744f9aeb3f13039f",
    ),
    "eeg2video": (
        "XuanhaoLiu/EEG2Video",
        "7254ad8a9aeee2435ad589ebab1c218cfea82bf1",
        "EEG2Video/40_class_run_metrics.py",
        "73d49efa1b3cd862e71a5022937ff87e55b0d264f07c39345354b248f76391c2",
    ),
}
# A second file of an evaluation, beside the first.
CAPTIONS = ("eval_caption.py", "9255fe52747ab5584c06fa79c28fa3f6678d4fe94ad2d7d1a5413e34d91fd425")
SCIKIT_IMAGE = ("scikit_image_0_17_2", "4ad7e5899681b578c78f2b42511a310027efc27340a2f769bdf39701f938f031")

N_IMAGES = 3
STIMULUS_PX, RECONSTRUCTION_PX, FRAME_PX = 425, 512, 64


def ramps(pair: int, size: int) -> np.ndarray:
    """Triangle waves of period 512 in whole steps, uint8."""
    y, x, channel = np.mgrid[0:size, 0:size, 0:3]
    phase = (x * (pair + 2) * (channel + 1) + y * (2 * pair + 1) + 40 * channel) % 512
    return np.minimum(phase, 511 - phase).astype(np.uint8)


def veiled(pair: int, size: int) -> np.ndarray:
    """Images of one size: three parts of the ramps, one part of noise."""
    noise = synthetic.bytes_("released", pair, (size, size, 3))
    return ((3 * ramps(pair, size).astype(np.uint16) + noise) // 4).astype(np.uint8)


def tensors(images: list[np.ndarray]) -> torch.Tensor:
    return torch.stack([transforms.ToTensor()(Image.fromarray(image)) for image in images])


def checked(path: Path, sha256: str, what: str) -> bytes:
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    assert found == sha256, f"{path}: SHA-256 {found}, not that of {what}, {sha256}"
    return content


def source(name: str) -> str:
    """The released file as one text: the code cells of a notebook, one after the other."""
    _, commit, file, sha256 = CODE[name]
    path = RELEASED / name / Path(file).name
    content = checked(path, sha256, f"{file} at {commit}")
    if path.suffix != ".ipynb":
        return content.decode()
    cells = [cell for cell in json.loads(content)["cells"] if cell["cell_type"] == "code"]
    lines = "\n".join("".join(cell["source"]) for cell in cells).splitlines()
    return "\n".join("" if line.lstrip().startswith("%") else line for line in lines) + "\n"


def between(text: str, first: str, last: str) -> str:
    """The lines from the first that begins with `first` up to the next that begins with `last`, which is excluded."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith(first))
    end = next(i for i in range(start + 1, len(lines)) if lines[i].strip().startswith(last))
    return textwrap.dedent("\n".join(lines[start:end])).replace("982", str(N_IMAGES)) + "\n"


def functions(text: str, *names: str) -> str:
    """The definitions of these functions, as written."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name in names]
    assert len(found) == len(names), names
    segments = [
        "\n".join(text.splitlines()[min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1 : node.end_lineno])
        for node in found
    ]
    return "\n".join(textwrap.dedent(segment) for segment in segments)


def resizing() -> types.SimpleNamespace:
    """torchvision.transforms as before 0.17, which did not smooth float tensors."""
    names = vars(transforms) | {"Resize": functools.partial(transforms.Resize, antialias=False)}
    return types.SimpleNamespace(**names)


def run(code: str, **given: Any) -> dict[str, Any]:
    from typing import Callable, List, Optional, Union

    namespace = {
        "np": np,
        "torch": torch,
        "transforms": resizing(),
        "tqdm": lambda items, **_: items,
        "device": "cpu",
        "Callable": Callable,
        "List": List,
        "Optional": Optional,
        "Union": Union,
        **given,
    }
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "released", "exec"), namespace)
    return namespace


def scikit_image_0_17_2() -> Any:
    """`structural_similarity` of that release, which treats the columns of a grey image as channels if `multichannel`
    is set."""
    folder, sha256 = SCIKIT_IMAGE
    content = (RELEASED / folder / "_structural_similarity.py").read_bytes()
    assert hashlib.sha256(content).hexdigest() == sha256
    names = {
        "released.util.dtype": {"dtype_range": {}},
        "released.util.arraycrop": {"crop": crop},
        "released._shared.utils": {"warn": print, "check_shape_equality": lambda *_: None},
    }
    for name, values in names.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(values)
    for name in ("released", "released.util", "released._shared", "released.metrics"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    namespace = {"__package__": "released.metrics", "__name__": "released.metrics.ssim"}
    exec(compile(content, "scikit-image 0.17.2", "exec"), namespace)
    return namespace["structural_similarity"]


def images() -> tuple[list[np.ndarray], list[np.ndarray]]:
    gt = [ramps(pair, STIMULUS_PX) for pair in range(N_IMAGES)]
    return gt, [veiled(pair, RECONSTRUCTION_PX) for pair in range(N_IMAGES)]


def on_tensors(name: str, first: str, last: str, recons: str) -> dict[str, list[float]]:
    """PixCorr and SSIM by the statements of scripts that have all images in two tensors; one run for each pair."""
    text = between(source(name), first, last)
    found: dict[str, list[float]] = {"pixcorr": [], "ssim": []}
    gt, recon = images()
    for pair in range(N_IMAGES):
        code = text.replace(f"range({N_IMAGES})", "range(1)").replace(f"/ {N_IMAGES}", "/ 1")
        given = {"all_images": tensors(gt[pair : pair + 1]), recons: tensors(recon[pair : pair + 1])}
        given |= {"number": 1, "img_num": 1}
        values = run(code, **given)
        found["pixcorr"].append(float(values["pixcorr"]))
        found["ssim"].append(float(values["ssim"]))
    return found


def first_step(name: str) -> str:
    """The step through 256 px, without the picture that is drawn after it."""
    return "\n".join(
        line.strip()
        for line in source(name).splitlines()
        if line.strip().startswith("imsize = 256")
        or line.strip().startswith("all_")
        and "Resize((imsize,imsize))" in line
    )


def with_first_step(name: str, recons: str, first: str, last: str) -> dict[str, list[float]]:
    text = first_step(name) + "\n" + between(source(name), first, last)
    found: dict[str, list[float]] = {"pixcorr": [], "ssim": []}
    gt, recon = images()
    for pair in range(N_IMAGES):
        code = text.replace(f"range({N_IMAGES})", "range(1)").replace(f"/ {N_IMAGES}", "/ 1")
        given = {"all_images": tensors(gt[pair : pair + 1]), recons: tensors(recon[pair : pair + 1]), "img_num": 1}
        given["all_blurryrecons"] = given[recons]
        values = run(code, **given)
        found["pixcorr"].append(float(values["pixcorr"]))
        found["ssim"].append(float(values["ssim"]))
    return found


def brain_diffuser() -> dict[str, list[float]]:
    text = between(source("brain-diffuser"), "ssim_list = []", "ssim_list = np.array")
    gt, recon = images()

    class Files:
        @staticmethod
        def open(path: str) -> Image.Image:
            pair = int(Path(path).stem)
            return Image.fromarray((gt if "test_images" in path else recon)[pair])

    values = run(text, Image=Files, rgb2gray=rgb2gray, ssim=scikit_image_0_17_2(), sub=1)
    return {"pixcorr": list(map(float, values["pixcorr_list"])), "ssim": list(map(float, values["ssim_list"]))}


def mirage() -> dict[str, list[float]]:
    text = source("mirage")
    code = between(text, "preprocess_pixcorr", "def get_pix_corr") + functions(text, "get_pix_corr", "get_ssim")
    code += "\n" + between(text, "preprocess_ssim", "def get_ssim")
    gt, recon = images()
    values = run(code, rgb2gray=rgb2gray, structural_similarity=structural_similarity)
    gt, recon = tensors(gt), tensors(recon)
    return {
        "pixcorr": list(map(float, values["get_pix_corr"](gt, recon))),
        "ssim": list(map(float, values["get_ssim"](gt, recon))),
    }


def frames(name: str) -> dict[str, list[float]]:
    """Frames of video, 8 bits, with their own size."""
    names = ["ssim_metric", *(["psnr_metric"] if name == "neurons" else [])]
    code = functions(source(name), *names)
    given = {"ssim": structural_similarity, "psnr": peak_signal_noise_ratio, "rgb2gray": rgb2gray}
    values = run(code, **given)
    of = {"ssim": "ssim_metric", "psnr": "psnr_metric"}
    pairs = [(veiled(pair, FRAME_PX), ramps(pair, FRAME_PX)) for pair in range(N_IMAGES)]
    return {
        metric: [float(values[function](*pair)) for pair in pairs]
        for metric, function in of.items()
        if function in names
    }


N_ROWS, N_FEATURES = 12, 40


def rows() -> tuple[np.ndarray, np.ndarray]:
    """Features of stimuli, and of reconstructions that are similar to them."""
    gt = synthetic.uniform("released gt", 0, (N_ROWS, N_FEATURES))
    noise = synthetic.uniform("released recon", 0, (N_ROWS, N_FEATURES))
    return gt, np.float32(0.125) * gt + np.float32(0.875) * noise


def identification(name: str) -> dict[str, float]:
    """Two-way identification of the rows, and of perfectly decoded stimuli."""
    gt, recon = rows()
    found = {}
    for what, (x, y) in {"similar": (gt, recon), "perfect": (gt, gt)}.items():
        if name == "brain-diffuser":
            code = "from scipy.stats import binom\n" + functions(source(name), "pairwise_corr_all")
            found[what] = float(run(code)["pairwise_corr_all"](x, y)[0])
            continue
        values = run(functions(source(name), "two_way_identification"))
        same = lambda value: value
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        found[what] = float(values["two_way_identification"](y, x, same, same, None, return_avg=True))
    return found


N_CLASSES, N_WAYS, N_TRIALS = 60, (2, 50), 4000


def n_way(name: str) -> dict[str, list[float]]:
    """Shares of successes in many seeded trials, by the function that draws the classes; as from its own callers, it
    gets the three most probable classes of the stimulus and the probabilities of the reconstruction."""
    acc = run(functions(source(name), "n_way_top_k_acc"))["n_way_top_k_acc"]
    found = {}
    for ways in N_WAYS:
        np.random.seed(0)
        found[str(ways)] = []
        for pair in range(6):
            gt = torch.from_numpy(synthetic.uniform("released classes", pair, (N_CLASSES,)))
            noise = torch.from_numpy(synthetic.uniform("released guesses", pair, (N_CLASSES,)))
            right = gt.argsort(-1, descending=False).flatten()[-3:]
            found[str(ways)].append(acc(0.0625 * gt + 0.9375 * noise, right, ways, N_TRIALS, 1)[0])
    return found


def seed_objects() -> list[float]:
    """SEED's Object F1 of the boxes of objects.py, pair by pair."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder, side, "preds") for side in ("gt", "recon")]
        for side in sides:
            side.mkdir(parents=True)
        for pair, boxes in enumerate(box_pairs()):
            for side, own in zip(sides, boxes):
                (side / f"{pair}.json").write_text(json.dumps(as_result(own)))
        code = functions(source("official"), "eval_object_f1")
        gt, recon = (str(side.parent) for side in sides)
        return list(map(float, run(code, os=os, json=json)["eval_object_f1"](recon, gt)))


def brainhub_boxes() -> dict[str, Any]:
    """BrainHub's accuracy and mean intersection over union of boxes, one of which was not decoded."""
    corners = synthetic.uniform("released boxes", 0, (2, 12, 2, 2)).astype(np.float64)
    boxes = np.concatenate([corners.min(-1), corners.max(-1)], -1)
    gt, decoded = boxes[0], 0.75 * boxes[0] + 0.25 * boxes[1]
    decoded = [None, *decoded[1:].tolist()]
    from typing import Dict, Sequence

    code = functions(source("umbrae"), "calculate_metric")
    values = run(code, box_iou=box_iou, Dict=Dict, Any=Any, Sequence=Sequence)
    return values["calculate_metric"](decoded, gt.tolist())


def brainhub_captions() -> dict[str, list[float]]:
    """CLIP-S and RefCLIP-S of embeddings, without the model."""
    file, sha256 = CAPTIONS
    text = checked(RELEASED / "umbrae" / file, sha256, f"{file} of BrainHub").decode()
    rows = lambda name, n: synthetic.uniform(name, 0, (n, 16)) - np.float32(0.25)
    images, captions, references = (
        rows("released images", 5),
        rows("released captions", 5),
        rows("released references", 15),
    )
    given = {"version": types.SimpleNamespace(parse=lambda text: tuple(map(int, text.split(".")[:2])))}
    given |= {"warnings": types.SimpleNamespace(warn=lambda _: None), "collections": collections}
    given["tqdm"] = types.SimpleNamespace(tqdm=lambda items: items)
    texts = {"captions": captions, "references": references}
    given["extract_all_captions"] = lambda names, *_: texts[names[0]]
    values = run(functions(text, "get_clip_score", "get_refonlyclipscore"), **given)
    _, clip, normed = values["get_clip_score"](None, images, ["captions"], "cpu")
    _, nearest = values["get_refonlyclipscore"](None, [["references"] * 3] * 5, normed, "cpu")
    line = between(text, "refclipscores = 2", "scores = {image_id")
    ref = run(line, per_instance_image_text=clip, per_instance_text_text=np.array(nearest))["refclipscores"]
    return {"clip_score": list(map(float, clip)), "ref_clip_score": list(map(float, ref))}


# Models in the order in which the scripts prepare images for them.
MODELS = ["alexnet", "inception_v3", "clip_vit_l_14", "efficientnet_b1", "swav_resnet50"]


def prepared(name: str, recons: bool) -> dict[str, dict[str, Any]]:
    """The first image as prepared for each model: its size, its mean and one of its rows in the middle."""
    text = source(name)
    gt, recon = images()
    image = tensors((recon if recons else gt)[:1])
    steps = [s for s in compositions(text) if "Normalize" in s]
    assert len(steps) == len(MODELS), (name, len(steps))
    if name in ("mindeye1", "mindeye2", "neuropictor"):
        image = resizing().Resize((256, 256))(image)
    found = {}
    for model, step in zip(MODELS, steps):
        seen = run(f"preprocess = {step}")["preprocess"](image)[0].numpy()
        found[model] = glance(seen)
    return found


def glance(seen: np.ndarray) -> dict[str, Any]:
    _, height, width = seen.shape
    row = seen[:, height // 2, : min(width, 8)]
    return {"size": [width, height], "mean": float(seen.astype(np.float64).mean()), "row": row.T.ravel().tolist()}


def compositions(text: str) -> list[str]:
    """Every `transforms.Compose([...])` of a file, as written."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    calls = [node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "Compose"]
    calls.sort(key=lambda node: node.lineno)
    return [ast.get_source_segment(text, node) for node in calls]


def brain_diffuser_prepared(recons: bool) -> dict[str, dict[str, Any]]:
    """The `__getitem__` of scripts/eval_extract_features.py, the second file of that evaluation."""
    path = RELEASED / "brain-diffuser" / "eval_extract_features.py"
    gt, recon = images()
    image = Image.fromarray((recon if recons else gt)[0])
    code = functions(path.read_text(), "__init__", "__getitem__")
    found = {}
    for model in MODELS:
        values = run(code, T=transforms, Image=types.SimpleNamespace(open=lambda _: image))
        item = types.SimpleNamespace()
        values["__init__"](item, net_name="clip" if model.startswith("clip") else model)
        found[model] = glance(values["__getitem__"](item, 0).numpy())
    return found


def main() -> None:
    if not RELEASED.is_dir():
        print(f"skipped: {RELEASED} is not there; the released code is not passed on with this project")
        return
    pixels = {
        "mindeye1": with_first_step(
            "mindeye1", "all_brain_recons", "preprocess = transforms.Compose([", "# ### AlexNet"
        ),
        "mindeye2": with_first_step(
            "mindeye2", "all_recons", "preprocess = transforms.Compose([", "from torchvision.models import alexnet"
        ),
        "mindbridge": on_tensors("mindbridge", "preprocess = transforms.Compose([", "#### AlexNet", "all_brain_recons"),
        "neuropictor": with_first_step(
            "neuropictor", "all_brain_recons", "preprocess = transforms.Compose([", "# ### AlexNet"
        ),
        "brain-diffuser": brain_diffuser(),
        "mirage": mirage(),
        "mindvideo": frames("mindvideo"),
        "neurons": frames("neurons"),
    }
    of_features = ["mindeye1", "mindeye2", "mindbridge", "neuropictor", "mirage"]
    golden = {
        "code": {
            name: {"repository": CODE[name][0], "commit": CODE[name][1], "file": CODE[name][2]}
            for name in CODE
            if name in pixels
        },
        "pixels": pixels,
        "identification": {name: identification(name) for name in [*of_features, "brain-diffuser"]},
        "n_way": {name: n_way(name) for name in ["mindvideo", "neurons"]},
        "objects": seed_objects(),
        "boxes": brainhub_boxes(),
        "captions": brainhub_captions(),
        "prepared": {name: prepared(name, True) for name in of_features}
        | {"brain-diffuser": brain_diffuser_prepared(True)},
    }
    path = HERE / "golden" / "released_code.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
