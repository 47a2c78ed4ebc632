"""Array, pickle, tensor and image files as NumPy, PyTorch and Pillow write and read them.

Reference: numpy 2.4.6 (`np.save`), torch 2.15.0 (`torch.save`), Pillow 13.0.0 (`Image.open(...).convert("RGB")`).
Writes `golden/formats_arrays/`: the files, and `expected.json` with their contents: `{"arrays": {file: {shape,
values}}, "tensors": {file: [{name, shape, dtype, values}]}, "dicts": {file: [[key, value]]}, "images": {file: {width,
height, rgb}}}`. Values are those of `synthetic.py`, with noted exceptions. Damaged and hostile files have no entry.
"""

import io
import json
import pickle
import struct
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageFile

import legacy_pt
from synthetic import bytes_, uniform

OUT = Path(__file__).parent / "golden" / "formats_arrays"
EXPECTED = {"arrays": {}, "tensors": {}, "dicts": {}, "images": {}}


# ---------------------------------------------------------------- arrays


def save_array(name: str, array: np.ndarray, version=None) -> None:
    with open(OUT / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    EXPECTED["arrays"][name] = {
        "shape": list(array.shape),
        "fortran": bool(array.flags.f_contiguous and not array.flags.c_contiguous),
        "values": [float(v) for v in array.ravel(order="C")],
    }


def arrays() -> None:
    signed = uniform("arrays", 1, (2, 3, 4)) * np.float32(200) - np.float32(100)
    for dtype in ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8"]:
        save_array(f"array_{dtype[1:]}_{'be' if dtype[0] == '>' else 'le'}.npy", signed.astype(dtype))
    unsigned = uniform("unsigned", 1, (2, 3, 4)) * np.float32(256)
    for dtype in ["|u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8", "|b1"]:
        save_array(f"array_{dtype[1:]}_{'be' if dtype[0] == '>' else 'le'}.npy", unsigned.astype(dtype))
    save_array("fortran_f4.npy", np.asfortranarray(signed))
    save_array("fortran_f8_be.npy", np.asfortranarray(signed[0].astype(">f8")))
    save_array("scalar_f8.npy", np.float64(0.1) * np.ones(()))
    save_array("no_rows_f4.npy", np.zeros((0, 3), np.float32))
    save_array("version2.npy", signed[0], version=(2, 0))
    save_array("version3.npy", signed[0], version=(3, 0))
    save_array("large_integers.npy", np.array([2**53, -(2**62), 2**24 + 1], np.int64))
    # Refused element types.
    np.save(OUT / "refused_complex.npy", np.zeros(2, np.complex64))
    np.save(OUT / "refused_text.npy", np.array(["boat", "dock"]))
    np.save(OUT / "refused_record.npy", np.zeros(2, [("x", "<f4"), ("y", "<i2")]))
    # Image stacks.
    np.save(OUT / "stack_u8_hwc.npy", bytes_("stack", 1, (3, 4, 5, 3)))
    np.save(OUT / "stack_i4.npy", bytes_("stack", 1, (3, 4, 5, 3)).astype(np.int32))
    np.save(OUT / "stack_f4_hwc.npy", uniform("stack", 1, (3, 4, 5, 3)))
    np.save(OUT / "stack_f4_chw.npy", np.ascontiguousarray(uniform("stack", 1, (3, 4, 5, 3)).transpose(0, 3, 1, 2)))
    np.save(OUT / "stack_f8_fortran.npy", np.asfortranarray(uniform("stack", 1, (3, 4, 5, 3)).astype(np.float64)))


# ---------------------------------------------------------------- pickled dicts

CAPTIONS = {
    "0": "a boat near a dock",
    "1": "two dogs, \u4e8c\u5339\u306e\u72ac \U0001f415",
    "10": "",
    "2": "a boat near a dock",
}


def npy_around(pickled: bytes) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": "|O", "fortran_order": False, "shape": ()})
    return buffer.getvalue() + pickled


def dicts() -> None:
    np.save(OUT / "captions_numpy2.npy", CAPTIONS)
    EXPECTED["dicts"]["captions_numpy2.npy"] = list(CAPTIONS.items())
    # NumPy 1.x: protocol 3 and the module's former name; the bytes equal what NumPy 1.26.4 writes.
    for protocol in (2, 3, 4, 5):
        data = pickle.dumps(np.array(CAPTIONS, dtype=object), protocol=protocol)
        if protocol < 4:
            data = data.replace(b"numpy._core", b"numpy.core")
        name = f"captions_protocol{protocol}.npy"
        (OUT / name).write_bytes(npy_around(data))
        EXPECTED["dicts"][name] = list(CAPTIONS.items())
    np.save(OUT / "captions_integer_keys.npy", {7: "seven", -1: "minus one"})
    EXPECTED["dicts"]["captions_integer_keys.npy"] = [["7", "seven"], ["-1", "minus one"]]
    np.save(OUT / "captions_numpy_text.npy", {np.str_("a"): np.str_("caf\u00e9 \U0001f415")})
    EXPECTED["dicts"]["captions_numpy_text.npy"] = [["a", "caf\u00e9 \U0001f415"]]
    many = {str(i): f"caption number {i}" for i in range(1001)}  # more than one batch of SETITEMS
    np.save(OUT / "captions_many.npy", many)
    EXPECTED["dicts"]["captions_many.npy"] = list(many.items())
    np.save(OUT / "refused_dict_of_lists.npy", {"0": ["a", "b"]})
    np.save(OUT / "refused_object_list.npy", np.array(["a", None], dtype=object))


# ---------------------------------------------------------------- tensors


def note_tensors(file: str, tensors: dict) -> None:
    EXPECTED["tensors"][file] = [
        {
            "name": name,
            "shape": list(tensor.shape),
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "values": [float(v) for v in tensor.reshape(-1).to(torch.float64)],
        }
        for name, tensor in tensors.items()
    ]


def rewrite_zip(source: str, target: str, change, compression=zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(OUT / source) as before, zipfile.ZipFile(OUT / target, "w", compression) as after:
        for item in before.infolist():
            data = change(item.filename, before.read(item))
            if data is not None:
                after.writestr(zipfile.ZipInfo(item.filename), data, compression)


class Hostile:
    def __reduce__(self):
        return (exec, ("raise SystemExit",))


def tensors() -> None:
    base = torch.from_numpy(uniform("tensor", 1, (3, 3, 4, 5)))
    for dtype in ["float32", "float64", "float16", "bfloat16", "uint8", "int8", "int16", "int32", "int64", "bool"]:
        tensor = (base[:1, :, :2, :2] * 100).to(getattr(torch, dtype))
        tensor = tensor.clone()
        torch.save(tensor, OUT / f"tensor_{dtype}.pt")
        note_tensors(f"tensor_{dtype}.pt", {None: tensor})
    torch.save(base, OUT / "images.pt")
    note_tensors("images.pt", {None: base})
    for protocol in (3, 4, 5):
        torch.save(base[:1].clone(), OUT / f"protocol{protocol}.pt", pickle_protocol=protocol)
        note_tensors(f"protocol{protocol}.pt", {None: base[:1]})
    labels = torch.arange(3)
    torch.save({"images": base, "labels": labels}, OUT / "dict.pt")
    note_tensors("dict.pt", {"images": base, "labels": labels})
    torch.save({"gt": base, "recon": base.flip(0)}, OUT / "dict_two_stacks.pt")
    torch.save(OrderedDict(weight=base[0, 0].clone(), bias=base[0, 0, 0].clone()), OUT / "ordered_dict.pt")
    note_tensors("ordered_dict.pt", {"weight": base[0, 0], "bias": base[0, 0, 0]})
    module = torch.nn.Linear(2, 3)
    with torch.no_grad():
        module.weight.copy_(base[0, 0, :3, :2])
        module.bias.copy_(base[1, 0, 0, :3])
    torch.save(module.state_dict(), OUT / "state_dict.pt")
    note_tensors("state_dict.pt", dict(module.state_dict()))
    shared = {"all": base, "rest": base[1:], "row": base[2, 1, 3]}
    torch.save(shared, OUT / "shared_storage.pt")
    note_tensors("shared_storage.pt", shared)
    views = {"channels_last": base.permute(0, 2, 3, 1), "every_other": base[:, :, ::2, 1::2]}
    torch.save(views, OUT / "strided_views.pt")
    note_tensors("strided_views.pt", views)
    torch.save(base[0, 0, 0].expand(3, 5), OUT / "refused_expanded.pt")
    torch.save(torch.zeros(0, 3, 4, 5), OUT / "no_images.pt")
    note_tensors("no_images.pt", {None: torch.zeros(0, 3, 4, 5)})
    torch.save(torch.tensor(0.5), OUT / "scalar.pt")
    note_tensors("scalar.pt", {None: torch.tensor(0.5)})
    leaf = base[:1].clone().requires_grad_()
    torch.save(leaf, OUT / "requires_grad.pt")
    note_tensors("requires_grad.pt", {None: leaf.detach()})

    def to_big(name: str, data: bytes):
        if name.endswith("/byteorder"):
            return b"big"
        return np.frombuffer(data, "<f4").astype(">f4").tobytes() if "/data/" in name else data

    rewrite_zip("images.pt", "big_endian.pt", to_big)
    note_tensors("big_endian.pt", {None: base})
    rewrite_zip("images.pt", "no_byteorder.pt", lambda n, d: None if n.endswith("/byteorder") else d)
    note_tensors("no_byteorder.pt", {None: base})
    # Image stacks.
    stack = torch.from_numpy(uniform("stack", 1, (3, 4, 5, 3)))
    torch.save(stack.permute(0, 3, 1, 2).contiguous(), OUT / "stack.pt")
    torch.save(stack.permute(0, 3, 1, 2), OUT / "stack_channels_last.pt")
    torch.save({"recons": stack.permute(0, 3, 1, 2).contiguous(), "ids": labels}, OUT / "stack_dict.pt")
    torch.save(torch.from_numpy(bytes_("stack", 1, (3, 4, 5, 3))).permute(0, 3, 1, 2).contiguous(), OUT / "stack_u8.pt")
    torch.save(torch.zeros(1, 3, 2, 3), OUT / "stack_both.pt")
    # Refused.
    rewrite_zip("images.pt", "refused_compressed.pt", lambda n, d: d, zipfile.ZIP_DEFLATED)
    rewrite_zip("images.pt", "refused_no_storage.pt", lambda n, d: None if "/data/" in n else d)
    rewrite_zip("images.pt", "refused_short_storage.pt", lambda n, d: d[:-4] if "/data/" in n else d)
    rewrite_zip("images.pt", "refused_no_pickle.pt", lambda n, d: None if n.endswith("data.pkl") else d)
    legacy_pt.save(base[:1].clone(), OUT / "refused_legacy.pt")
    torch.save([base[0, 0].clone()], OUT / "refused_list.pt")
    torch.save("a boat", OUT / "refused_text.pt")
    torch.save({"state": {"images": base[0, 0].clone()}}, OUT / "refused_nested.pt")
    torch.save({"images": base[0, 0].clone(), "epoch": 3}, OUT / "refused_mixed.pt")
    torch.save({3: base[0, 0].clone()}, OUT / "refused_integer_key.pt")
    torch.save({}, OUT / "refused_empty_dict.pt")
    torch.save(np.array(["a boat", "a dock"]), OUT / "refused_numpy_text.pt")
    torch.save(Hostile(), OUT / "refused_hostile.pt")
    torch.save(torch.zeros(2, dtype=torch.complex64), OUT / "refused_complex.pt")
    (OUT / "refused_hostile.npy").write_bytes(npy_around(pickle.dumps(Hostile(), protocol=4)))


# ---------------------------------------------------------------- images


def note_image(name: str) -> None:
    image = Image.open(OUT / name).convert("RGB")
    EXPECTED["images"][name] = {
        "width": image.width,
        "height": image.height,
        "rgb": np.asarray(image).ravel().tolist(),
    }


def save_image(name: str, image: Image.Image, **options) -> None:
    image.save(OUT / name, **options)
    note_image(name)


def png(name: str, pixels: np.ndarray, bit_depth: int, colour_type: int, extra: bytes = b"") -> None:
    """A PNG that Pillow does not write itself (16 bits per channel)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], bit_depth, colour_type, 0, 0, 0)
    (OUT / name).write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + extra
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    note_image(name)


def images() -> None:
    rgb = bytes_("image", 1, (5, 7, 3))
    alpha = bytes_("alpha", 1, (5, 7, 1))
    colour = Image.fromarray(rgb)
    grey = Image.fromarray(rgb[:, :, 0])
    rgba = Image.fromarray(np.concatenate([rgb, alpha], axis=2))
    grey_alpha = Image.fromarray(np.concatenate([rgb[:, :, :1], alpha], axis=2))
    palette = colour.quantize(12)
    save_image("rgb.png", colour)
    save_image("rgba.png", rgba)
    save_image("grey.png", grey)
    save_image("grey_alpha.png", grey_alpha)
    save_image("palette.png", palette)
    save_image("palette_transparent.png", palette, transparency=3)
    save_image("one_bit.png", grey.point(lambda v: 255 * (v > 127)).convert("1"))
    wide = bytes_("wide", 1, (5, 7, 8)).view(">u2")
    png("rgb16.png", wide[:, :, :3], 16, 2)
    png("rgba16.png", wide, 16, 6)
    png("grey16.png", wide[:, :, :1], 16, 0)
    png("grey_alpha16.png", wide[:, :, :2], 16, 4)

    # A smooth picture, since chroma subsampling would dominate on noise.
    y, x = np.mgrid[0:24, 0:32]
    smooth = np.stack([x * 7 + y, 255 - x * 3 - y * 5, (x * y) // 3], axis=2).clip(0, 255).astype(np.uint8)
    picture = Image.fromarray(smooth)
    save_image("rgb_444.jpg", picture, quality=95, subsampling=0)
    save_image("rgb_420.jpg", picture, quality=90, subsampling=2)
    save_image("progressive.jpg", picture, quality=90, progressive=True)
    save_image("grey.jpg", picture.convert("L"), quality=90)
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees on display
    save_image("rotated_exif.jpg", picture, quality=95, subsampling=0, exif=exif)
    save_image("cmyk.jpg", picture.convert("CMYK"), quality=95, subsampling=0)
    save_image("lossless.webp", colour, lossless=True)
    save_image("lossless_alpha.webp", rgba, lossless=True, exact=True)
    save_image("lossy.webp", picture, quality=90)
    save_image("rgb.bmp", colour)
    save_image("grey.bmp", grey)
    save_image("palette.bmp", palette)
    save_image("rgba.bmp", rgba)
    save_image("rgb.tiff", colour)
    save_image("rgb_lzw.tiff", colour, compression="tiff_lzw")
    save_image("rgb_deflate.tiff", colour, compression="tiff_adobe_deflate")
    save_image("rgba.tiff", rgba)
    save_image("grey.tif", grey)
    save_image("palette.tif", palette)
    save_image("grey16.tif", Image.fromarray(wide[:, :, 0].astype("<u2")))
    save_image("grey_float.tif", Image.fromarray(uniform("float", 1, (5, 7)) * np.float32(255)))
    # The content decides, not the name.
    (OUT / "png_named.jpg").write_bytes((OUT / "rgb.png").read_bytes())
    note_image("png_named.jpg")
    for name in ["rgb.png", "rgb_444.jpg", "progressive.jpg", "lossless.webp", "lossy.webp", "rgb.bmp", "rgb.tiff"]:
        data = (OUT / name).read_bytes()
        target = f"truncated_{name}"
        (OUT / target).write_bytes(data[: len(data) * 3 // 4])
        try:
            Image.open(OUT / target).convert("RGB")
            print(target, "is read by Pillow")
        except (OSError, SyntaxError) as error:
            print(target, "is refused by Pillow:", error)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.iterdir():
        old.unlink()
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    arrays()
    dicts()
    tensors()
    images()
    (OUT / "expected.json").write_text(json.dumps(EXPECTED, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
