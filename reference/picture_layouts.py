"""Pictures in arrays of every layout that is read, as NumPy, SciPy, h5py and Pillow write them.

    cd reference && python picture_layouts.py

Writes golden/picture_layouts/ and its expected.json: {file: {"stems", "width", "height", "values": the RGB values of each
picture, uint8 or floats}}. `.pt` files are written by the tests themselves, which needs no PyTorch.
"""

import json
from pathlib import Path

import h5py
import numpy as np
import scipy.io
from PIL import Image
from synthetic import bytes_

OUT = Path(__file__).parent / "golden" / "picture_layouts"
EXPECTED = {}


def note(name: str, pictures: np.ndarray, stems: list[str] | None = None) -> None:
    """`pictures` is (n, height, width, 3), or without a last axis for grey."""
    if pictures.ndim == 3:
        pictures = np.repeat(pictures[..., None], 3, axis=3)
    EXPECTED[name] = {
        "stems": stems or [str(i) for i in range(len(pictures))],
        "width": pictures.shape[2],
        "height": pictures.shape[1],
        "values": [picture.ravel().tolist() for picture in pictures],
    }


def save(name: str, array: np.ndarray, pictures: np.ndarray) -> None:
    np.save(OUT / name, array)
    note(name, pictures)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    grey = bytes_("grey", 1, (5, 6, 6))
    wide = bytes_("wide grey", 1, (5, 6, 7))
    colour = bytes_("colour", 1, (5, 6, 7, 3))
    alpha = bytes_("alpha", 1, (5, 6, 7, 1))
    save("grey.npy", wide, wide)
    save("grey_first.npy", wide[:, None], wide)
    save("grey_last.npy", wide[..., None], wide)
    save("grey_f2.npy", (wide / 256).astype(np.float16), (wide / 256).astype(np.float16).astype(np.float32))
    save("binary.npy", wide > 127, (wide > 127).astype(np.float32))
    rgba = np.concatenate([colour, alpha], axis=3)
    np.save(OUT / "alpha.npy", rgba)
    white = [Image.alpha_composite(Image.new("RGBA", (7, 6), "white"), Image.fromarray(one)) for one in rgba]
    note("alpha.npy", np.stack([np.asarray(one)[..., :3] for one in white]))
    floats = rgba.astype(np.float32) / np.float32(256)
    np.save(OUT / "alpha_f4.npy", floats)
    note("alpha_f4.npy", floats[..., :3] * floats[..., 3:] + (1 - floats[..., 3:]))

    names = ["n02.JPEG", "12", "7", "cat", "dog_é.png"]
    np.savez(OUT / "named.npz", recon=colour, ids=np.array(names), labels=np.array([1, 1, 2, 2, 3]))
    note("named.npz", colour, ["n02", "12", "7", "cat", "dog_é"])
    np.savez_compressed(OUT / "numbered.npz", recon=wide, nsd_ids=np.array([73, 5, 21, 9, 0]), score=np.zeros(5))
    note("numbered.npz", wide, ["73", "5", "21", "9", "0"])

    # NumPy's arrays have the pictures along the first axis, MATLAB's users stack them along the last.
    for name, array, pictures in [
        ("numpy.mat", colour, colour),
        ("matlab.mat", colour.transpose(1, 2, 3, 0), colour),
        ("matlab_grey.mat", grey.transpose(1, 2, 0), grey),
        ("numpy_grey.mat", grey, grey),
    ]:
        scipy.io.savemat(OUT / name, {"recons": array, "subject": "S1"})
        note(name, pictures)
    # MATLAB writes the axes of version 7.3 in reverse order, after a header of 512 bytes.
    with h5py.File(OUT / "matlab73.mat", "w", userblock_size=512) as file:
        data = file.create_dataset("recons", data=colour.transpose(1, 2, 3, 0).T, chunks=(1, 3, 7, 6), compression="gzip")
        data.attrs["MATLAB_class"] = np.bytes_("uint8")
    with open(OUT / "matlab73.mat", "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")
    note("matlab73.mat", colour)

    folder = OUT / "netpbm"
    folder.mkdir(exist_ok=True)
    Image.fromarray(wide[0]).save(folder / "grey.pgm")
    Image.fromarray(wide[0] > 127).save(folder / "binary.pbm")
    rows = "\n".join(" ".join(str(int(value > 127)) for value in row) for row in wide[0])
    (folder / "plain_bits.pbm").write_text(f"P1\n7 6\n{rows}\n")
    (folder / "plain.pgm").write_text("P2\n7 6\n255\n" + "\n".join(" ".join(map(str, row)) for row in wide[0]) + "\n")
    for path in sorted(folder.iterdir()):
        note(f"netpbm/{path.name}", np.asarray(Image.open(path).convert("RGB"))[None], [path.stem])
    (OUT / "expected.json").write_text(json.dumps(EXPECTED, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
