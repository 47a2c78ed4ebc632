"""Goldens of YOLO-World v2 (from an image and names, boxes and logits) with synthetic checkpoints.

Reference: the modules below, written in PyTorch from the published description (Cheng et al. 2024, arXiv 2401.17270,
and the published configurations), with the names of the published files: a backbone of YOLOv8, a neck in which maps
attend to the texts by the maximum of a sigmoid, and a head of boxes as distributions and of products with the texts.
The text tower is transformers' CLIP. No other implementation has terms that allow its use here, so the
names and shapes must be checked wherever a published file is available.

The networks are narrow; the depths are those of S and of L. Besides what model_goldens.py describes, a golden has,
instead of `runs`,
  cases  per image and names: image, height, width, `ids` of each name with the tokens around it, and `taps`: records
         (without the batch dimension, channels last) of text, stage2 to stage4, neck.0 to neck.2, logits and distances
         (all positions of all levels)

Run from `reference/`. Writes golden/models/yolo_world_{s,l}_reduced.json.
"""

import numpy as np
import torch
import transformers
from torch import nn
from torch.nn import functional

from model_goldens import GOLDEN, fill, image, line, record, versions

N_PROBES = 48
EPSILON = 1e-3
N_BINS = 16


class Conv(nn.Module):
    """A convolution without a bias, its normalisation, and SiLU if `active`."""

    def __init__(self, n_in, n_out, size, stride=1, active=True):
        super().__init__()
        self.conv = nn.Conv2d(n_in, n_out, size, stride, size // 2, bias=False)
        self.bn = nn.BatchNorm2d(n_out, eps=EPSILON)
        self.active = active

    def forward(self, x):
        x = self.bn(self.conv(x))
        return functional.silu(x) if self.active else x


class Bottleneck(nn.Module):
    def __init__(self, width, residual):
        super().__init__()
        self.conv1, self.conv2 = Conv(width, width, 3), Conv(width, width, 3)
        self.residual = residual

    def forward(self, x):
        inner = self.conv2(self.conv1(x))
        return x + inner if self.residual else inner


class TextAttention(nn.Module):
    """Scales the heads of a map by how well each position matches the best of the texts."""

    def __init__(self, width, n_text, n_embed, n_heads):
        super().__init__()
        self.n_heads, self.head = n_heads, n_embed // n_heads
        self.guide_fc = nn.Linear(n_text, n_embed)
        self.bias = nn.Parameter(torch.zeros(n_heads))
        self.embed_conv = Conv(width, n_embed, 1, active=False) if n_embed != width else None
        self.project_conv = Conv(width, width, 3, active=False)

    def forward(self, x, texts):
        batch, width, height, columns = x.shape
        guide = self.guide_fc(texts).view(-1, self.n_heads, self.head)
        embed = self.embed_conv(x) if self.embed_conv is not None else x
        embed = embed.view(batch, self.n_heads, self.head, height, columns)
        fit = torch.einsum("bmchw,nmc->bmnhw", embed, guide).amax(dim=2) / self.head**0.5
        weight = torch.sigmoid(fit + self.bias[None, :, None, None])
        x = self.project_conv(x).view(batch, self.n_heads, -1, height, columns)
        return (x * weight[:, :, None]).view(batch, width, height, columns)


class Csp(nn.Module):
    """Two halves, a chain of bottlenecks from the second, and optionally attention after the last, all concatenated."""

    def __init__(self, n_in, n_out, n, residual, attention=None):
        super().__init__()
        half = n_out // 2
        self.main_conv = Conv(n_in, 2 * half, 1)
        self.blocks = nn.ModuleList(Bottleneck(half, residual) for _ in range(n))
        if attention is not None:
            self.attn_block = TextAttention(half, *attention)
        self.final_conv = Conv((2 + n + (attention is not None)) * half, n_out, 1)

    def forward(self, x, texts=None):
        parts = list(self.main_conv(x).chunk(2, dim=1))
        for block in self.blocks:
            parts.append(block(parts[-1]))
        if hasattr(self, "attn_block"):
            parts.append(self.attn_block(parts[-1], texts))
        return self.final_conv(torch.cat(parts, dim=1))


class Sppf(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1, self.conv2 = Conv(width, width // 2, 1), Conv(2 * width, width, 1)

    def forward(self, x):
        parts = [self.conv1(x)]
        for _ in range(3):
            parts.append(functional.max_pool2d(parts[-1], 5, 1, 2))
        return self.conv2(torch.cat(parts, dim=1))


class Backbone(nn.Module):
    def __init__(self, widths, depths):
        super().__init__()
        self.stem = Conv(3, widths[0], 3, 2)
        for stage, depth in enumerate(depths, start=1):
            layers = [Conv(widths[stage - 1], widths[stage], 3, 2), Csp(widths[stage], widths[stage], depth, True)]
            if stage == 4:
                layers.append(Sppf(widths[stage]))
            setattr(self, f"stage{stage}", nn.Sequential(*layers))

    def forward(self, x):
        x = self.stage1(self.stem(x))
        maps = []
        for stage in (self.stage2, self.stage3, self.stage4):
            maps.append(x := stage(x))
        return maps


class TextModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.model = transformers.CLIPTextModelWithProjection(config)

    def forward(self, ids):
        texts = [self.model(torch.tensor([one])).text_embeds[0] for one in ids]
        return functional.normalize(torch.stack(texts), dim=1)


class Both(nn.Module):
    def __init__(self, image_model, text_model):
        super().__init__()
        self.image_model, self.text_model = image_model, text_model


class Neck(nn.Module):
    def __init__(self, widths, depth, n_text, embeds, heads):
        super().__init__()
        third, fourth, fifth = widths

        def csp(n_in, level):
            return Csp(n_in, widths[level], depth, False, (n_text, embeds[level], heads[level]))

        self.top_down_layers = nn.ModuleList([csp(fifth + fourth, 1), csp(fourth + third, 0)])
        self.downsample_layers = nn.ModuleList([Conv(third, third, 3, 2), Conv(fourth, fourth, 3, 2)])
        self.bottom_up_layers = nn.ModuleList([csp(third + fourth, 1), csp(fourth + fifth, 2)])

    def forward(self, maps, texts):
        third, fourth, fifth = maps

        def wider(x):
            return functional.interpolate(x, scale_factor=2, mode="nearest")

        fourth = self.top_down_layers[0](torch.cat([wider(fifth), fourth], dim=1), texts)
        third = self.top_down_layers[1](torch.cat([wider(fourth), third], dim=1), texts)
        fourth = self.bottom_up_layers[0](torch.cat([self.downsample_layers[0](third), fourth], dim=1), texts)
        fifth = self.bottom_up_layers[1](torch.cat([self.downsample_layers[1](fourth), fifth], dim=1), texts)
        return [third, fourth, fifth]


class Contrast(nn.Module):
    def __init__(self, n_text):
        super().__init__()
        self.norm = nn.BatchNorm2d(n_text, eps=EPSILON)
        self.bias = nn.Parameter(torch.zeros([]))
        self.logit_scale = nn.Parameter(-torch.ones([]))

    def forward(self, x, texts):
        fit = torch.einsum("bchw,nc->bnhw", self.norm(x), functional.normalize(texts, dim=1))
        return fit * self.logit_scale.exp() + self.bias


class HeadModule(nn.Module):
    def __init__(self, widths, n_text, n_training_names=80):
        super().__init__()
        of_class, of_box = max(widths[0], n_training_names), max(16, widths[0] // 4, 4 * N_BINS)

        def branch(n_in, width, n_out):
            return nn.Sequential(Conv(n_in, width, 3), Conv(width, width, 3), nn.Conv2d(width, n_out, 1))

        self.cls_preds = nn.ModuleList(branch(width, of_class, n_text) for width in widths)
        self.reg_preds = nn.ModuleList(branch(width, of_box, 4 * N_BINS) for width in widths)
        self.cls_contrasts = nn.ModuleList(Contrast(n_text) for _ in widths)

    def forward(self, maps, texts):
        logits, distances = [], []
        for level, x in enumerate(maps):
            fit = self.cls_contrasts[level](self.cls_preds[level](x), texts)
            logits.append(fit.flatten(2).transpose(1, 2))
            sides = self.reg_preds[level](x).flatten(2).transpose(1, 2).unflatten(2, (4, N_BINS))
            distances.append(sides.softmax(dim=3) @ torch.arange(N_BINS, dtype=sides.dtype))
        return torch.cat(logits, dim=1), torch.cat(distances, dim=1)


class Head(nn.Module):
    def __init__(self, *arguments):
        super().__init__()
        self.head_module = HeadModule(*arguments)


class YoloWorld(nn.Module):
    def __init__(self, widths, depths, text):
        super().__init__()
        n_text = text["projection_dim"]
        self.backbone = Both(Backbone(widths, depths), TextModel(transformers.CLIPTextConfig(**text)))
        # Heads have 32 channels, as in all published sizes.
        embeds = [widths[2] // 2, widths[3] // 2, widths[4] // 2]
        embeds = [max(32, embed // 32 * 32) for embed in embeds]
        self.neck = Neck(widths[2:], depths[0], n_text, embeds, [embed // 32 for embed in embeds])
        self.bbox_head = Head(widths[2:], n_text)

    def forward(self, pixels, ids):
        taps = {"text": self.backbone.text_model(ids)[None]}
        maps = self.backbone.image_model(pixels)
        taps |= {f"stage{stage}": x for stage, x in zip((2, 3, 4), maps)}
        maps = self.neck(maps, taps["text"][0])
        taps |= {f"neck.{level}": x for level, x in enumerate(maps)}
        taps["logits"], taps["distances"] = self.bbox_head.head_module(maps, taps["text"][0])
        return taps


TEXT = {
    "vocab_size": 120,
    "hidden_size": 128,
    "intermediate_size": 96,
    "projection_dim": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 12,
    "bos_token_id": 118,
    "eos_token_id": 119,
    "pad_token_id": 119,
    "hidden_act": "quick_gelu",
}
# In the last model, the embedding has as many channels as half a map, so that no convolution is needed between them.
MODELS = {
    "yolo_world_s_reduced": ([8, 16, 40, 72, 136], [1, 2, 2, 1]),
    "yolo_world_l_reduced": ([16, 24, 64, 80, 128], [3, 6, 6, 3]),
}
NAMES = [[118, 5, 119], [118, 17, 60, 119], [118, 9, 9, 31, 80, 119], [118, 2, 119]]
CASES = [("coffee", 96, 64, NAMES), ("astronaut", 64, 64, NAMES[1:2]), ("noise", 32, 96, NAMES)]


def taps_of(model, case, dtype):
    name, height, width, ids = case
    pixels = torch.from_numpy(image(name, height, width)).permute(2, 0, 1)[None].to(dtype)
    with torch.no_grad():
        found = model.to(dtype)(pixels, ids)
    last = {tap: x.movedim(1, -1) if x.ndim == 4 else x for tap, x in found.items()}
    return {tap: np.ascontiguousarray(x[0].numpy()) for tap, x in last.items()}


def main():
    torch.set_num_threads(1)
    for model_name, (widths, depths) in MODELS.items():
        model = YoloWorld(widths, depths, TEXT)
        listing = fill(model)
        cases = []
        for case in CASES:
            single, double = (taps_of(model, case, dtype) for dtype in (torch.float32, torch.float64))
            model.to(torch.float32)
            for tap, values in single.items():
                error = np.abs(values - double[tap]).max() / values.std()
                assert error < 3e-5, (model_name, tap, error)
            taps = {tap: record(values.astype(np.float32), N_PROBES) for tap, values in single.items()}
            cases.append({"image": case[0], "height": case[1], "width": case[2], "ids": case[3], "taps": taps})
        golden = {
            "model": model_name,
            "reference": f"YoloWorld of models_yolo_world.py, {versions('torch', 'transformers', 'numpy')}",
            "seed": 0,
            "probes": N_PROBES,
            **listing,
        }
        head = [f"{line(key)}: {line(value)}" for key, value in golden.items()]
        head.append('"cases": [\n' + ",\n".join(line(case) for case in cases) + "\n]")
        (GOLDEN / "models" / f"{model_name}.json").write_text("{" + ",\n".join(head) + "}\n")


if __name__ == "__main__":
    main()
