"""Times neurogauge beside its Python peers, in one run, on the same inputs; prints the page of benchmarks' table.

    make bench            or    python bench/run.py --weights DIR [--shared ../shared/data] [--only NAME]

Each peer is what the field uses today: MindEye2's notebook steps for the pixels (Pillow, torchvision,
NumPy, scikit-image), a plain Python Object F1 as SEED publishes it, sentence-transformers for Cap-Sim.
Peers are timed without their imports; neurogauge is timed as a command, everything included.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from processes import BINARY, ROOT, THREADS, measure

sys.path.insert(0, str(ROOT / "reference"))


def command(*args: object, out: Path) -> tuple[float, float]:
    """Wall seconds and peak memory (MiB) of a neurogauge run into an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    return rerun(*args, out=out)


def rerun(*args: object, out: Path) -> tuple[float, float]:
    """The same without clearing the folder, which resumes a run."""
    line = [BINARY, "score", *args, "--out", out, "--threads", THREADS]
    _, seconds, peak = measure(line, interval_seconds=0.01)
    return seconds, peak


def report(case: str, ours: float, peer: float, memory: float, note: str) -> None:
    print(f"| {case} | {ours:.2f} s | {peer:.2f} s | {peer / ours:.1f} | {memory:.0f} MiB | {note} |", flush=True)


def images(folder: Path, n: int, size_px: int) -> None:
    """Smooth colour fields with grain, as PNG files that compress about as well as photographs."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(7)
    for side in ("gt", "recon"):
        (folder / side).mkdir(parents=True)
        for index in range(n):
            coarse = Image.fromarray(rng.integers(0, 256, (9, 9, 3), dtype=np.uint8))
            smooth = np.asarray(coarse.resize((size_px, size_px), Image.Resampling.BICUBIC), dtype=np.int16)
            grain = rng.integers(-6, 7, smooth.shape)
            picture = np.clip(smooth + grain, 0, 255).astype(np.uint8)
            Image.fromarray(picture).save(folder / side / f"{index}.png")


def bench_pixels(work: Path, n: int) -> None:
    images(work / "pixels", n, 256)
    gt, recon = work / "pixels/gt", work / "pixels/recon"

    import numpy as np
    import torch
    from PIL import Image
    from skimage.color import rgb2gray
    from skimage.metrics import structural_similarity
    from torchvision import transforms

    torch.set_num_threads(THREADS)
    preprocess = transforms.Resize(425, interpolation=transforms.InterpolationMode.BILINEAR, antialias=False)

    def load(path: Path) -> "torch.Tensor":
        with Image.open(path) as image:
            return transforms.functional.to_tensor(image.convert("RGB"))

    peer_pixcorr, peer_ssim = [], []
    start = time.perf_counter()
    for index in range(n):
        a = preprocess(load(gt / f"{index}.png")[None])[0]
        b = preprocess(load(recon / f"{index}.png")[None])[0]
        peer_pixcorr.append(np.corrcoef(a.reshape(1, -1).numpy(), b.reshape(1, -1).numpy())[0][1])
        peer_ssim.append(
            structural_similarity(
                rgb2gray(b.permute(1, 2, 0).numpy()),
                rgb2gray(a.permute(1, 2, 0).numpy()),
                gaussian_weights=True,
                sigma=1.5,
                use_sample_covariance=False,
                data_range=1.0,
            )
        )
    peer = time.perf_counter() - start
    ours, memory = command("--gt", gt, "--recon", recon, "--metrics", "pixcorr,ssim", out=work / "run-pixels")
    summary = json.loads((work / "run-pixels/summary.json").read_text())
    assert abs(summary["pixcorr"]["value"] - np.mean(peer_pixcorr)) < 1e-6
    assert abs(summary["ssim"]["value"] - np.mean(peer_ssim)) < 1e-5
    report(
        f"PixCorr + SSIM, {n} pairs of 256 px to 425", ours, peer, memory, "Pillow, torchvision, NumPy, scikit-image"
    )
    resumed, _ = rerun("--gt", gt, "--recon", recon, "--metrics", "pixcorr,ssim", out=work / "run-pixels")
    print(f"| resuming that finished run | {resumed:.2f} s | - | - | - | |", flush=True)


def bench_stream(work: Path, n: int) -> None:
    """Many pairs, whose images are hard links to those of the pixel benchmark."""
    source = work / "pixels"
    if not source.exists():
        images(source, 1000, 256)
    originals = len(list((source / "gt").iterdir()))
    for side in ("gt", "recon"):
        (work / "stream" / side).mkdir(parents=True)
        for index in range(n):
            os.link(source / side / f"{index % originals}.png", work / "stream" / side / f"{index}.png")
    ours, memory = command(
        "--gt",
        work / "stream/gt",
        "--recon",
        work / "stream/recon",
        "--metrics",
        "pixcorr,ssim",
        out=work / "run-stream",
    )
    print(f"| PixCorr + SSIM, {n} pairs streamed | {ours:.2f} s | - | - | {memory:.0f} MiB | |", flush=True)


def bench_objects(work: Path, n: int, boxes: int) -> None:
    import numpy as np
    from objects import official_object_f1

    rng = np.random.default_rng(11)
    folders = {side: work / "objects" / side / "detections" for side in ("gt", "recon")}
    for folder in folders.values():
        folder.mkdir(parents=True)
        for index in range(n):
            corners = np.sort(rng.uniform(0, 425, (boxes, 2, 2)), axis=1)
            record = {
                "labels": rng.integers(0, 82, boxes).tolist(),
                "scores": sorted((rng.uniform(0, 1, boxes) ** 3).tolist(), reverse=True),
                "bboxes": corners.reshape(boxes, 4).tolist(),
            }
            (folder / f"{index}.json").write_text(json.dumps(record))

    def read(side: str, index: int) -> dict:
        return json.loads((folders[side] / f"{index}.json").read_text())

    start = time.perf_counter()
    peer_f1 = [official_object_f1(read("gt", index), read("recon", index)) for index in range(n)]
    once = time.perf_counter() - start
    # SEED's code opens both files again for each of its 18 thresholds.
    start = time.perf_counter()
    for index in range(n):
        for _ in range(17):
            read("gt", index), read("recon", index)
    published = once + time.perf_counter() - start
    ours, memory = command("--observations", work / "objects", "--metrics", "object_f1", out=work / "run-objects")
    summary = json.loads((work / "run-objects/summary.json").read_text())
    assert abs(summary["object_f1"]["value"] - np.mean(peer_f1)) < 1e-12
    case = f"Object F1, {n} pairs of {boxes} detections"
    report(case, ours, published, memory, "plain Python that reads files as SEED's code does, at every threshold")
    report(case, ours, once, memory, "plain Python that reads each file once")


def bench_captions(work: Path, weights: Path, shared: Path, encoder: str = "all-MiniLM-L6-v2") -> None:
    """The weights may be synthetic ones instead of the published ones."""
    captions = shared / "brainhub" / "captions"
    gt, recon = captions / "umbrae-subj01.json", captions / "sdrecon-subj01.json"
    if not gt.exists():
        print(f"| Cap-Sim | skipped: {gt} is absent | | | | |")
        return
    import_start = time.perf_counter()
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(THREADS)
    start_up = time.perf_counter() - import_start
    start = time.perf_counter()
    model = SentenceTransformer(str(weights), device="cpu")
    sides = [list(json.loads(path.read_text()).values()) for path in (gt, recon)]
    a, b = (model.encode(side, batch_size=128, normalize_embeddings=True, show_progress_bar=False) for side in sides)
    peer = time.perf_counter() - start
    ours, memory = command(
        "--gt", f"captions={gt}", "--recon", f"captions={recon}", "--metrics", "cap_sim", "--set", f"text_encoder={encoder}",
        "--checkpoint", f"{encoder}={weights}/model.safetensors", out=work / f"run-captions-{encoder}",
    )  # fmt: skip
    summary = json.loads((work / f"run-captions-{encoder}/summary.json").read_text())
    assert abs(summary["cap_sim"]["value"] - float(np.mean(np.sum(a * b, axis=1)))) < 1e-5
    case = f"Cap-Sim, {encoder}, 2 x {len(a)} captions"
    report(case, ours, peer, memory, "sentence-transformers, imports not counted")
    report(f"{case}, start-up included", ours, peer + start_up, memory, "sentence-transformers")


def bench_mpnet(work: Path, minilm: Path, shared: Path) -> None:
    """MPNet's synthetic weights of the published size, with MiniLM's word pieces: captions have as many tokens as with
    its own."""
    import torch
    from models_mpnet import CONFIGS
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from synthetic import parameter
    from transformers import MPNetConfig, MPNetModel, MPNetTokenizer

    folder = work / "all-mpnet-base-v2"
    config = MPNetConfig(**CONFIGS["mpnet_base"])
    model = MPNetModel(config)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                tensor.copy_(torch.from_numpy(parameter(name, tuple(tensor.shape))))
    model.save_pretrained(folder)
    pieces = json.loads((minilm / "tokenizer.json").read_text())["model"]["vocab"]
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pieces, key=pieces.get), "<mask>"]
    MPNetTokenizer(vocab={piece: index for index, piece in enumerate(pieces)}, unk_token="[UNK]").save_pretrained(
        folder
    )
    modules = [Transformer(str(folder), max_seq_length=384), Pooling(config.hidden_size, "mean"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder))
    # The published limit.
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 384}))
    bench_captions(work, folder, shared, "all-mpnet-base-v2")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", choices=["pixels", "stream", "objects", "captions", "mpnet"])
    args = parser.parse_args()
    print("| case | neurogauge | peer | ratio | peak memory | peer is |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        cases = {
            "captions": lambda: bench_captions(work, args.weights, args.shared),
            "mpnet": lambda: bench_mpnet(work, args.weights, args.shared),
            "pixels": lambda: bench_pixels(work, 1000),
            "stream": lambda: bench_stream(work, 10_000),
            "objects": lambda: bench_objects(work, 1000, 300),
        }
        for case, run in cases.items():
            if args.only in (None, case):
                run()


if __name__ == "__main__":
    main()
