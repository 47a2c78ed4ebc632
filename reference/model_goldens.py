"""What the goldens of image and text models have in common: inputs, synthetic weights, taps, records.

models_*.py and preprocess.py import this; run alone, it does nothing.

A golden is one file, golden/models/<model>.json:
  model, reference   the model's name and the class that stands behind it, with package versions
  seed, probes       of synthetic.parameter; how many values of each tensor are recorded
  damped             when present: tensor-name endings -> factor (a power of two) by which the synthetic
                     values of such tensors are multiplied
  tensors, integers  names and shapes of the state dict's floating-point and integer tensors
  runs               one per input size: what went in, and `taps`: name -> one record per input

A record is {shape, mean, std, max_abs, values}: of the tensor of one input alone, without the batch
dimension, in the reference's own memory order. Value k stands at position
synthetic.bits("probe", 0, probes)[k] % n_elements. The tap "input" is what the model is given.
"""

import importlib.metadata
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import skimage.data
import torch
from PIL import Image

import synthetic

GOLDEN = Path(__file__).parent / "golden"
PHOTOGRAPHS = ["astronaut", "coffee"]
IMAGES = [*PHOTOGRAPHS, "noise"]
IMAGENET = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
CLIP = {"mean": [0.48145466, 0.4578275, 0.40821073], "std": [0.26862954, 0.26130258, 0.27577711]}


def photograph(name: str) -> np.ndarray:
    """A photograph from the scikit-image wheel, uint8 (height, width, 3)."""
    image = Image.open(Path(skimage.data.__file__).parent / f"{name}.png")
    assert image.mode == "RGB"
    return np.asarray(image)


def window(pixels: np.ndarray, height: int, width: int) -> np.ndarray:
    top, left = (pixels.shape[0] - height) // 2, (pixels.shape[1] - width) // 2
    assert top >= 0 and left >= 0
    return pixels[top : top + height, left : left + width]


def image(name: str, height: int, width: int) -> np.ndarray:
    """float32 (height, width, 3) in [0, 1]: the photograph's central window, or noise of seed 1."""
    if name == "noise":
        return synthetic.uniform("noise", 1, (height, width, 3))
    return window(photograph(name), height, width).astype(np.float32) / np.float32(255)


def images(size: int, normalisation: dict) -> torch.Tensor:
    """The batch (3, 3, size, size) for an image model: (x - mean) / std, in float32."""
    mean, std = (np.array(normalisation[key], dtype=np.float32) for key in ("mean", "std"))
    batch = [(image(name, size, size) - mean) / std for name in IMAGES]
    return torch.from_numpy(np.stack(batch)).permute(0, 3, 1, 2).contiguous()


def fill(model: torch.nn.Module, damped: dict[str, float] | None = None) -> dict[str, dict]:
    """Loads the synthetic checkpoint strictly; returns the names and shapes of its tensors. If tensors are tied (one
    memory), only the first name is listed."""
    state, listing, first = {}, {"tensors": {}, "integers": {}}, {}
    if damped:
        listing = {"damped": damped, **listing}
    for name, tensor in model.state_dict().items():
        shape = list(tensor.shape)
        if tensor.numel() > 0 and first.setdefault((tensor.data_ptr(), tuple(shape)), name) != name:
            state[name] = state[first[tensor.data_ptr(), tuple(shape)]]
            continue
        real = tensor.is_floating_point()
        listing["tensors" if real else "integers"][name] = shape
        if real:
            values = synthetic.parameter(name, tuple(shape))
            for ending, factor in (damped or {}).items():
                if name.endswith(ending):
                    values = values * np.float32(factor)
            tensor = torch.from_numpy(np.asarray(values))
        state[name] = tensor
    model.load_state_dict(state, strict=True)
    model.eval()
    return listing


def f32(value: float) -> float:
    """The shortest decimal that is read as the same float32."""
    short = float(str(np.float32(value)))
    assert np.float32(short) == np.float32(value)
    return short


def record(tensor: np.ndarray, n_probes: int) -> dict:
    flat = np.ascontiguousarray(tensor).reshape(-1)
    assert flat.dtype == np.float32
    assert np.isfinite(flat).all()
    at = synthetic.bits("probe", 0, n_probes) % np.uint64(flat.size)
    wide = flat.astype(np.float64)
    return {
        "shape": list(tensor.shape),
        "mean": f32(wide.mean()),
        "std": f32(wide.std()),
        "max_abs": f32(np.abs(flat).max()),
        "values": [f32(value) for value in flat[at.astype(np.int64)]],
    }


def check_alive(model: str, tap: str, records: list[dict]) -> None:
    """Fails for dead, exploded or input-independent activations, with which a parity test could not see errors."""
    std = [entry["std"] for entry in records]
    values = [np.array(entry["values"]) for entry in records]
    apart = [
        np.sqrt(np.mean((values[i] - values[j]) ** 2)) / min(std)
        for i in range(len(values))
        for j in range(i)
        if records[i]["shape"] == records[j]["shape"]  # texts have different lengths
    ]
    shown = " ".join(f"{value:10.4g}" for value in std)
    print(
        f"{model:24} {tap:44} {str(records[0]['shape']):16} std {shown}  apart {min(apart, default=np.nan):.3g}",
        flush=True,
    )
    assert all(1e-3 < value < 1e5 for value in std), f"{model} {tap}: dead or exploded"
    assert all(value > 1e-3 for value in apart), f"{model} {tap}: the same for every input"


def check_rounding(name: str, outputs: dict[str, np.ndarray], wide: dict[str, np.ndarray], n_probes: int) -> None:
    """Fails if float32 is far from float64: then agreement to 1e-4 of the standard deviation means nothing."""
    worst = {}
    for tap, tensors in outputs.items():
        for tensor, truth in zip(tensors, wide[tap]):
            at = (synthetic.bits("probe", 0, n_probes) % np.uint64(truth.size)).astype(np.int64)
            error = np.abs(tensor.reshape(-1)[at] - truth.reshape(-1)[at]).max() / truth.std()
            worst[tap] = max(worst.get(tap, 0.0), float(error))
    tap = max(worst, key=worst.get)
    print(f"{name}: float32 is within {worst[tap]:.2g} standard deviations of float64 ({tap})", flush=True)
    assert worst[tap] < 5e-5


def run_taps(model: torch.nn.Module, taps: Iterable[str], run: Callable[[], object]) -> dict[str, np.ndarray]:
    """The outputs of the named modules, cloned at once: a later layer may change them in place."""
    seen, modules = {}, dict(model.named_modules())

    def keep(name: str) -> Callable:
        def hook(_module: object, _inputs: object, output: object) -> None:
            tensor = output[0] if isinstance(output, tuple) else output
            assert name not in seen, f"{name} ran twice"
            seen[name] = tensor.detach().clone()

        return hook

    hooks = [modules[name].register_forward_hook(keep(name)) for name in taps]
    with torch.no_grad():
        run()
    for hook in hooks:
        hook.remove()
    return {name: seen[name].numpy() for name in taps}


def image_run(
    name: str,
    model: torch.nn.Module,
    forward: Callable[[torch.Tensor], object],
    size: int,
    normalisation: dict,
    taps: list[str],
    n_probes: int,
) -> dict:
    """One entry of `runs`: the three images at one size. `taps` are names of modules of `model`."""
    batch = images(size, normalisation)
    outputs = run_taps(model, taps, lambda: forward(batch))
    model.double()
    check_rounding(name, outputs, run_taps(model, taps, lambda: forward(batch.double())), n_probes)
    model.float()
    outputs = {"input": batch.numpy(), **outputs}
    return {
        "size": size,
        **normalisation,
        "inputs": IMAGES,
        "taps": checked_records(name, outputs, n_probes),
    }


def checked_records(
    name: str, outputs: dict[str, list[np.ndarray] | np.ndarray], n_probes: int
) -> dict[str, list[dict]]:
    """Checked records of every tap's outputs (one per input, along the first axis)."""
    taps = {}
    for tap, tensors in outputs.items():
        taps[tap] = [record(tensor, n_probes) for tensor in tensors]
        check_alive(name, tap, taps[tap])
    return taps


def versions(*packages: str) -> str:
    return ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)


def line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def write(name: str, golden: dict) -> None:
    """Writes one line per tensor record, so that differences are readable."""
    parts = []
    for key, value in golden.items():
        if key == "runs":
            value = f"[\n{','.join(run_text(run) for run in value)}]"
        else:
            value = line(value)
        parts.append(f'"{key}":{value}')
    path = GOLDEN / "models" / f"{name}.json"
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("{" + ",\n".join(parts) + "}\n")
    assert json.loads(path.read_text()) == golden
    print(f"{path.name}: {path.stat().st_size} bytes", flush=True)


def run_text(run: dict) -> str:
    head = [f'"{key}":{line(value)}' for key, value in run.items() if key != "taps"]
    taps = [f'"{tap}":[\n' + ",\n".join(line(entry) for entry in records) + "]" for tap, records in run["taps"].items()]
    return "{" + ",".join(head) + ',"taps":{\n' + ",\n".join(taps) + "}}"
