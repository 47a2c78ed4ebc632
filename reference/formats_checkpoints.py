"""Checkpoints in every layout in which published models come, as PyTorch and safetensors write them.

Reference: torch 2.15.0 (`torch.save`, `torch.jit.trace(...).save`), safetensors (`save_file`); the contents of each
file are what `torch.load`, `torch.jit.load` and `load_file` read from it. Writes `golden/formats_checkpoints/`: the
files, and `expected.json`, `{file: {"layout", "tensors": [{name, shape, dtype, values}]}}`. Files called `refused_*`
have no entry. Values are those of `synthetic.py`. What torch writes about the run itself is removed, so that every run
writes the same bytes (see `legacy_pt.py` and `without_sources`); TorchScript's code also needs PYTHONHASHSEED=0, which
orders its attributes.
"""

import json
import pickle
import struct
import warnings
import zipfile
from collections import OrderedDict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn

import legacy_pt
from synthetic import parameter

torch.set_num_threads(1)
warnings.filterwarnings("ignore")

OUT = Path(__file__).parent / "golden" / "formats_checkpoints"
EXPECTED = {}


def note(file: str, layout: str, state: dict, order=None) -> None:
    EXPECTED[file] = {
        "layout": layout,
        "tensors": [
            {
                "name": name,
                "shape": list(state[name].shape),
                "dtype": str(state[name].dtype).removeprefix("torch."),
                "values": [float(v) for v in state[name].detach().reshape(-1).to(torch.float64)],
            }
            for name in order or state
        ],
    }


class Block(nn.Module):
    """A convolution, its norm (with an integer buffer), and attributes that are not tensors."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.stride = 1
        self.label = "block"
        self.sizes = [n_in, n_out]
        self.conv = nn.Conv2d(n_in, n_out, 3, bias=False)
        self.bn = nn.BatchNorm2d(n_out)

    def forward(self, x):
        return self.bn(self.conv(x))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = Block(1, 2)
        self.layer = nn.Sequential(Block(2, 2), nn.ReLU())
        self.scale = nn.Parameter(torch.ones(()))
        self.register_buffer("input_resolution", torch.tensor(8))
        self.register_buffer("absent", None)
        self.fc = nn.Linear(2, 3)

    def forward(self, x):
        x = self.layer(self.stem(x))
        return self.fc(x.mean((2, 3)) * self.scale) * self.input_resolution


def net() -> Net:
    model = Net()
    state = model.state_dict()
    for name, value in state.items():
        if value.is_floating_point():
            state[name] = torch.tensor(parameter(name, tuple(value.shape))).reshape(value.shape)
    model.load_state_dict(state, strict=True)
    return model.eval()


def save(file: str, content, **options) -> None:
    torch.save(content, OUT / file, **options)


def save_legacy(file: str, content, **options) -> None:
    legacy_pt.save(content, OUT / file, **options)


def zipped(state: dict) -> None:
    save("zip.pth", state)
    note("zip.pth", "zip", torch.load(OUT / "zip.pth"))
    # torch names the archive's root after the file; this name has the length that a test needs.
    parallel = {"module." + name: value for name, value in state.items()}
    save("nested_state_dict.pth.tar", {"epoch": 3, "arch": "net", "best": torch.tensor(0.5), "state_dict": parallel})
    note("nested_state_dict.pth.tar", "zip", parallel)
    optimizer = {"state": {0: {"step": torch.tensor(1.0)}}, "param_groups": [{"lr": 0.1, "betas": (0.9, 0.999)}]}
    save("nested_model.pth", {"model": state, "optimizer": optimizer, "epoch": 1})
    note("nested_model.pth", "zip", state)
    student = {name: value + 1 for name, value in state.items()}
    save("nested_teacher.pth", {"student": student, "teacher": state, "epoch": 1})
    note("nested_teacher.pth", "zip", state)
    last = OrderedDict(
        weight=state["stem.conv.weight"].to(memory_format=torch.channels_last), part=state["fc.bias"][1:]
    )
    save("zip_views.pth", last)
    note("zip_views.pth", "zip", last)


class Python2Pickler(pickle._Pickler):
    """Writes what Python 2 and torch 0.1 wrote: byte strings for text, an ordered dict as a call of its class with a
    list of pairs, tensors by the first version of their constructor."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_str(self, text: str) -> None:
        data = text.encode("ascii")
        if len(data) < 256:
            self.write(b"U" + bytes([len(data)]) + data)
        else:
            self.write(b"T" + struct.pack("<i", len(data)) + data)
        self.memoize(text)

    dispatch[str] = save_str

    def reducer_override(self, obj):
        if type(obj) is OrderedDict:
            return OrderedDict, ([[name, value] for name, value in obj.items()],)
        if type(obj) is torch.Tensor:
            storage = obj._typed_storage()
            return torch._utils._rebuild_tensor, (storage, obj.storage_offset(), tuple(obj.shape), obj.stride())
        return NotImplemented


class PickleOfPython2:
    """The part of the module `pickle` with which torch writes."""

    Pickler = Python2Pickler

    @staticmethod
    def dump(obj, f, protocol):
        Python2Pickler(f, protocol).dump(obj)


def legacy(model: Net, state: dict) -> None:
    save_legacy("legacy.pth", state)
    note("legacy.pth", "legacy", torch.load(OUT / "legacy.pth"))
    save_legacy("legacy_protocol4.pth", state, pickle_protocol=4)
    note("legacy_protocol4.pth", "legacy", state)
    parameters = OrderedDict(model.named_parameters())
    save_legacy("legacy_parameters.pth", parameters)
    note("legacy_parameters.pth", "legacy", parameters)
    plain = OrderedDict((name, value) for name, value in state.items() if value.is_floating_point())
    plain["a_long_name." + "x" * 300] = plain["fc.bias"].clone()
    save_legacy("legacy_python2.pth", plain, pickle_module=PickleOfPython2)
    note("legacy_python2.pth", "legacy", torch.load(OUT / "legacy_python2.pth", weights_only=False))
    shared = {"whole": state["fc.weight"], "row": state["fc.weight"][1], "turned": state["fc.weight"].t()}
    save_legacy("legacy_nested_shared.pth", {"state_dict": shared})
    note("legacy_nested_shared.pth", "legacy", shared)
    half = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}
    save_legacy("legacy_half.pth", half)
    note("legacy_half.pth", "legacy", half)


def without_sources(file: str) -> None:
    """Removes the source of each line of the code (paths on this machine, and lines of torch's own source) and the id
    computed from it. The data of each record begin at a multiple of 64 bytes, as torch aligns them."""
    with zipfile.ZipFile(OUT / file) as archive:
        records = [(record.filename, record.compress_type, archive.read(record)) for record in archive.infolist()]
    with zipfile.ZipFile(OUT / file, "w") as archive:
        for name, compression, data in records:
            if name.endswith((".debug_pkl", "/serialization_id")):
                continue
            record = zipfile.ZipInfo(name)
            n_padding = -(archive.fp.tell() + 30 + len(name) + 4) % 64
            record.extra = b"FB" + struct.pack("<H", n_padding) + b"Z" * n_padding
            archive.writestr(record, data, compression)


def scripted(model: Net) -> None:
    x = torch.from_numpy(parameter("input", (1, 1, 8, 8)))
    torch.jit.trace(model, x).save(OUT / "traced.pt")
    without_sources("traced.pt")
    back = torch.jit.load(OUT / "traced.pt").state_dict()
    note("traced.pt", "torchscript", back)
    half = net()
    half.stem.half(), half.layer.half(), half.fc.half()
    torch.jit.script(half).save(OUT / "scripted_half.pt")
    without_sources("scripted_half.pt")
    note("scripted_half.pt", "torchscript", torch.jit.load(OUT / "scripted_half.pt").state_dict())


def safetensors(state: dict) -> None:
    kept = dict(state, half=state["fc.weight"].half(), brain=state["fc.bias"].bfloat16(), empty=torch.zeros(0, 3))
    save_file({name: value.contiguous() for name, value in kept.items()}, OUT / "plain.safetensors", {"format": "pt"})
    back = load_file(OUT / "plain.safetensors")
    header = json.loads((OUT / "plain.safetensors").read_bytes()[8:].split(b"}}")[0] + b"}}")
    note("plain.safetensors", "safetensors", back, [name for name in header if name != "__metadata__"])


class Hostile:
    def __reduce__(self):
        return (exec, ("raise SystemExit('the pickle was executed')",))


def refused(model: Net, state: dict) -> None:
    save_legacy("refused_hostile_legacy.pth", {"weight": Hostile()})
    save("refused_empty.pth", {"epoch": 3})
    save("refused_container.pth", {"weight": state["fc.bias"], "history": [1, 2]})
    save_legacy("refused_whole_model.pth", model.fc)
    with zipfile.ZipFile(OUT / "refused_hostile_torchscript.pt", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("net/data.pkl"), pickle.dumps(Hostile(), protocol=2))
        archive.writestr(zipfile.ZipInfo("net/constants.pkl"), pickle.dumps((), protocol=2))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    model = net()
    state = model.state_dict()
    zipped(state)
    legacy(model, state)
    scripted(model)
    safetensors(state)
    refused(model, state)
    (OUT / "expected.json").write_text(json.dumps(EXPECTED, separators=(",", ":")))


if __name__ == "__main__":
    main()
