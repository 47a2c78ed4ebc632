"""Images that are no stacks of NumPy's: of Pillow, files, tensors of bfloat16, and single ones."""

from __future__ import annotations

from collections import UserList
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

Image = pytest.importorskip("PIL.Image")


@pytest.fixture
def files(tmp_path: Path, stimuli: Any) -> list[Path]:
    """The stimuli as files."""
    paths = [tmp_path / f"{place}.png" for place in range(len(stimuli))]
    for path, image in zip(paths, stimuli, strict=True):
        Image.fromarray(image).save(path)
    return paths


def test_pillow_images_files_and_lists_of_either_are_images(
    files: list[Path], stimuli: Any, reconstructions: Any
) -> None:
    expected = ng.ssim(stimuli, reconstructions, pixel_size=16)
    pillow = [Image.fromarray(image) for image in stimuli]
    for given in (files, [str(path) for path in files], pillow, tuple(pillow), [files[0], *pillow[1:]]):
        assert ng.ssim(given, reconstructions, pixel_size=16).to_dict() == expected.to_dict()
    run = ng.score(files, reconstructions, metrics="ssim", set={"pixel_size": 16}, progress=False)
    assert run["ssim"].per_pair.tobytes() == expected.per_pair.tobytes()


def test_one_image_is_a_pair(files: list[Path], stimuli: Any, reconstructions: Any) -> None:
    expected = ng.pixcorr(stimuli[:1], reconstructions[:1], pixel_size=None)
    other = reconstructions[0]
    channels_first = np.moveaxis(other, 2, 0)
    for given in (stimuli[0], Image.fromarray(stimuli[0]), files[0], str(files[0]), np.moveaxis(stimuli[0], 2, 0)):
        for decoded in (other, channels_first, Image.fromarray(other), [Image.fromarray(other)]):
            found = ng.pixcorr(given, decoded, pixel_size=None)
            assert found.to_dict() == expected.to_dict()
    with pytest.raises(ng.DataError, match=r"reference.*1.*6|6.*1"):
        ng.pixcorr(stimuli[0], reconstructions)


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1", "CMYK"])
def test_modes_of_pillow_are_files_of_that_mode(mode: str, tmp_path: Path, stimuli: Any) -> None:
    image = Image.fromarray(stimuli[0]).convert(mode)
    path = tmp_path / ("image.tiff" if mode == "CMYK" else "image.png")
    image.save(path)
    plain = np.asarray(Image.open(path).convert("RGB"))
    assert ng.pixcorr(image, plain, pixel_size=None).mean == pytest.approx(1.0)
    assert ng.metrics.psnr(image, np.bitwise_xor(plain, 1), pixel_size=None).mean == pytest.approx(20 * np.log10(255))
    if mode != "CMYK":
        from_file, from_memory = (ng.pixcorr(one, stimuli[0], pixel_size=None) for one in (path, image))
        assert from_file.to_dict() == from_memory.to_dict()


def test_arrays_have_the_axes_that_files_may_have(stimuli: Any) -> None:
    x, y = np.random.default_rng(1).integers(0, 256, (2, 4, 16, 12), dtype=np.uint8)
    colours, others = (np.repeat(side[..., None], 3, axis=3) for side in (x, y))
    expected = ng.pixcorr(colours, others, pixel_size=None)
    for grey in (x, x[:, None], x[..., None], list(x), list(x[:, None])):
        assert ng.pixcorr(grey, y, pixel_size=None).to_dict() == expected.to_dict()
        run = ng.score(grey, others, metrics="pixcorr", set={"pixel_size": "own"}, progress=False)
        assert run["pixcorr"].per_pair.tobytes() == expected.per_pair.tobytes()
    opaque = np.concatenate([colours, np.full_like(x, 255)[..., None]], axis=3)
    assert ng.pixcorr(opaque, y, pixel_size=None).to_dict() == expected.to_dict()
    clear = opaque.copy()
    clear[:, :8, :, 3] = 0
    for given in (clear, (clear / 255).astype(np.float32)):
        with pytest.raises(ng.DataError, match="reference: transparent pixels hide colours in 4 of 4 images"):
            ng.pixcorr(given, y, pixel_size=None)
    with pytest.raises(ng.DataError, match="alpha"):
        ng.score(clear, y, metrics="pixcorr", progress=False)
    white = np.where(clear[..., 3:] == 0, 255, colours).astype(np.uint8)
    run = ng.score(clear, y, metrics="pixcorr", set={"pixel_size": "own", "alpha": "white"}, progress=False)
    assert run["pixcorr"].per_pair.tobytes() == ng.pixcorr(white, y, pixel_size=None).per_pair.tobytes()


def test_lists_may_hold_images_of_several_sizes(stimuli: Any, reconstructions: Any) -> None:
    x, y = ([side[0], side[1, :16], side[2, :, :20]] for side in (stimuli, reconstructions))
    expected = [ng.pixcorr(a, b, pixel_size=16).mean for a, b in zip(x, y, strict=True)]
    for scale in (1, np.float32(1 / 255)):
        lists = ([image * scale for image in side] for side in (x, y))
        run = ng.score(*lists, metrics="pixcorr", set={"pixel_size": 16}, progress=False)
        assert run["pixcorr"].per_pair == pytest.approx(expected, abs=1e-6)


def test_images_of_several_sizes_or_depths_are_refused(tmp_path: Path, stimuli: Any, files: list[Path]) -> None:
    small = Image.fromarray(stimuli[0]).resize((8, 8))
    with pytest.raises(ng.DataError, match=r"reference\[1\]: shape \(8, 8, 3\), and reference\[0\] has \(24, 32, 3\)"):
        ng.pixcorr([files[0], small], stimuli[:2])
    with pytest.raises(ng.DataError, match=r"reconstruction: an image of mode 'I;16'"):
        ng.pixcorr(stimuli[0], Image.fromarray(stimuli[0, ..., 0].astype(np.uint16)))
    (tmp_path / "broken.png").write_bytes(b"no image")
    with pytest.raises(ng.DataError, match=r"reference: .*broken\.png"):
        ng.pixcorr(tmp_path / "broken.png", stimuli[0])
    with pytest.raises(ng.DataError, match="reference: "):
        ng.pixcorr(tmp_path, stimuli[0])


class Bfloat16:
    """A tensor of 16-bit floats that NumPy has no type for, as torch has them."""

    dtype = "torch.bfloat16"

    def __init__(self, values: Any, is_float: bool = False) -> None:
        self.values = values
        self.is_float = is_float
        self.shape = values.shape
        if is_float:
            self.dtype = "torch.float32"

    def detach(self) -> Bfloat16:
        return self

    def cpu(self) -> Bfloat16:
        return self

    def float(self) -> Bfloat16:
        return Bfloat16(self.values, is_float=True)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if not self.is_float:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values


def test_tensors_of_bfloat16_are_read_as_what_they_hold() -> None:
    # These numbers are exact with 8 bits of mantissa.
    drawn = np.random.default_rng(0).integers(0, 257, (2, 4, 3, 10, 12)) / 256
    x, y = drawn.astype(np.float32)
    expected = ng.pixcorr(x, y, layout="NCHW", pixel_size=None)
    assert ng.pixcorr(Bfloat16(x), Bfloat16(y), pixel_size=None).to_dict() == expected.to_dict()
    lists = ([Bfloat16(image) for image in side] for side in (x, y))
    assert ng.pixcorr(*lists, pixel_size=None).to_dict() == expected.to_dict()
    rows = [side.reshape(4, -1) for side in (x, y)]
    found = ng.two_way_identification(*(Bfloat16(side) for side in rows))
    assert found.to_dict() == ng.two_way_identification(*rows).to_dict()


def test_tensors_of_torch_in_bfloat16() -> None:
    torch = pytest.importorskip("torch")
    x, y = torch.rand(2, 4, 3, 10, 12, generator=torch.Generator().manual_seed(0)).bfloat16().requires_grad_()
    expected = ng.pixcorr(x.detach().float().numpy(), y.detach().float().numpy(), layout="NCHW", pixel_size=None)
    assert ng.pixcorr(x, y, pixel_size=None).to_dict() == expected.to_dict()
    assert ng.pixcorr(list(x), list(y), pixel_size=None).to_dict() == expected.to_dict()


def test_arrays_of_bfloat16() -> None:
    types = pytest.importorskip("ml_dtypes")
    x, y = np.random.default_rng(0).random((2, 4, 10, 12, 3)).astype(types.bfloat16)
    expected = ng.pixcorr(x.astype(np.float32), y.astype(np.float32), pixel_size=None)
    assert ng.pixcorr(x, y, pixel_size=None).to_dict() == expected.to_dict()


class Column:
    """A column of a data set of Hugging Face's: a sequence that decodes the requested items."""

    def __init__(self, images: list[Any]) -> None:
        self.images = images

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, place: int) -> Any:
        return self.images[place]


def test_columns_of_data_sets_are_lists(stimuli: Any, reconstructions: Any) -> None:
    columns = (Column([Image.fromarray(image) for image in side]) for side in (stimuli, reconstructions))
    assert (
        ng.pixcorr(*columns, pixel_size=None).to_dict()
        == ng.pixcorr(stimuli, reconstructions, pixel_size=None).to_dict()
    )
    rows = np.random.default_rng(0).normal(size=(2, 5, 8))
    found = ng.two_way_identification(*(Column(side.tolist()) for side in rows))
    assert found.to_dict() == ng.two_way_identification(*rows).to_dict()


def test_captions_may_be_any_column_of_texts() -> None:
    captions = ["a dog on a mat", "a cat", "two cats"]
    expected = ng.cap_sim(captions, captions[::-1], encoder="placeholder").to_dict()
    pandas = pytest.importorskip("pandas")
    columns: list[Any] = [tuple, UserList, Column, np.array, lambda texts: np.array(texts, dtype=object), pandas.Series]
    for column in columns:
        assert ng.cap_sim(column(captions), column(captions[::-1]), encoder="placeholder").to_dict() == expected
    for other in ({"a": "a dog"}, {"a dog"}, None):
        with pytest.raises(ng.DataError, match="reconstruction: .*expected numbers"):
            ng.cap_sim(captions, other, encoder="placeholder")


class Labelled:
    """Like xarray and data sets: values with labels, which can become a DataFrame."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def to_pandas(self) -> Any:
        return self.frame


def test_labelled_ratings_and_scores_are_joined_by_their_labels() -> None:
    pandas = pytest.importorskip("pandas")
    human = pandas.DataFrame({"a": [1, 2, 3, 5], "b": [1, 3, 3, 4]}, index=pandas.Index(list("wxyz"), name="item"))
    scores = pandas.DataFrame({"mine": [4.0, 1.0, 3.0, 2.5]}, index=pandas.Index(list("zwyx"), name="item"))
    expected = ng.agreement(human, scores, higher_is_better=["mine"], permutations=10)
    found = ng.agreement(Labelled(human), Labelled(scores), higher_is_better=["mine"], permutations=10)
    assert found.to_dict() == expected.to_dict() and found.statistic("mine", "spearman") > 0.9
    single = ng.agreement(Labelled(human), Labelled(scores["mine"]), higher_is_better=["mine"], permutations=10)
    assert single.statistic("mine", "pearson") == expected.statistic("mine", "pearson")


def test_data_sets_of_hugging_face_and_arrays_of_xarray(stimuli: Any, reconstructions: Any) -> None:
    datasets, xarray = pytest.importorskip("datasets"), pytest.importorskip("xarray")
    expected = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    sides = {"gt": stimuli, "recon": reconstructions}
    columns = {name: [Image.fromarray(image) for image in side] for name, side in sides.items()}
    data = datasets.Dataset.from_dict(columns, features=datasets.Features({name: datasets.Image() for name in sides}))
    assert ng.pixcorr(data["gt"], data["recon"], pixel_size=None).to_dict() == expected.to_dict()
    arrays = (xarray.DataArray(side, dims=("stimulus", "y", "x", "channel")) for side in sides.values())
    assert ng.pixcorr(*arrays, pixel_size=None).to_dict() == expected.to_dict()
    ratings = xarray.DataArray(
        [[1, 2], [3, 3], [5, 4]], dims=("item", "rater"), coords={"item": list("abc"), "rater": ["r", "s"]}
    )
    table = datasets.Dataset.from_dict({"item": list("cab"), "mine": [0.9, 0.1, 0.5]})
    found = ng.agreement(ratings, table, higher_is_better=["mine"], permutations=10)
    assert found.n_raters == 2 and found.statistic("mine", "spearman") == pytest.approx(1.0)
