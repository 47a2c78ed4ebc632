"""Goldens of the preparation of images for models, as pixels.

References: torchvision's transforms, Pillow, timm's and open_clip's transforms, transformers' CLIPImageProcessorPil,
BlipImageProcessorPil and DINOv3ViTImageProcessor. One thread.

Writes golden/preprocess.json: {reference, probes, inputs, cases}. `inputs` names the images: a
photograph of the scikit-image wheel, whole or its central window. A case is {image, steps..., and the
record of model_goldens.py: shape (channels first), mean, std, max_abs, values}. Kinds of cases:
  float   on a float32 tensor in [0, 1]: Resize((256, 256)) if first_px is 256, then Resize(resize_px) of the shorter
          side, bilinear, with `antialias`, no crop, then normalised. MindEye2's evaluation does this (`antialias` is
          false in torchvision 0.16 and true since 0.17).
  preset  weights.transforms() of a torchvision checkpoint, from an image of Pillow (`input` "pillow":
          resized by Pillow in 8 bits) or from a uint8 tensor ("tensor": by PyTorch, in 8 bits)
  pillow  Resize, CenterCrop, ToTensor, Normalize on an image of Pillow, as in SwAV's, DINO's and OpenAI's CLIP's
          evaluations
  timm    timm's transform for its default configuration of a checkpoint (`resolve_model_data_config`), on an image of
          Pillow
  open_clip                  open_clip's transform with its settings of a checkpoint, on an image of Pillow
  clip_image_processor       transformers' with its defaults, on an image of Pillow
  dinov3_image_processor     transformers' with its defaults, which resizes floats, on an image of Pillow
  videomae_image_processor   transformers' with its defaults, on a clip of one image of Pillow
  blip_image_processor       transformers' with the size of BLIP-2's repositories, on an image of Pillow
"""

import json
from pathlib import Path

import numpy as np
import open_clip
import PIL.Image
import timm.data
import timm.models
import torch
import torchvision.models
from torchvision import transforms
from torchvision.transforms import InterpolationMode
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.dinov3_vit.image_processing_dinov3_vit import DINOv3ViTImageProcessor
from transformers.models.videomae.image_processing_pil_videomae import VideoMAEImageProcessorPil

from model_goldens import CLIP, GOLDEN, IMAGENET, line, photograph, record, versions, window

N_PROBES = 32
# name -> photograph, height and width of the central window
INPUTS = {
    "astronaut": ("astronaut", (512, 512)),
    "coffee": ("coffee", (400, 600)),
    "portrait": ("coffee", (301, 199)),
}
# For the processors of transformers that cut out a square. The proportions are those of 640 x 427 px, the most common
# size of COCO's images: 111 columns are left over in both cases, and transformers begins at 55, torchvision at 56.
CUT = {**INPUTS, "landscape": ("coffee", (267, 400))}
MODELS = [
    "alexnet",
    "convnext_tiny",
    "efficientnet_b1",
    "inception_v3",
    "resnet18",
    "resnet50",
    "swin_t",
    "vgg16",
    "vit_b_16",
]
# SwAV's own training and evaluation divide by 0.228; MindEye2 evaluates it with 0.229.
SWAV = {"mean": [0.485, 0.456, 0.406], "std": [0.228, 0.224, 0.225]}
# name -> shorter side, crop, filter, normalisation
PILLOW = {
    "swav": (256, 224, "bilinear", SWAV),
    "dino": (256, 224, "bicubic", IMAGENET),
    "clip_openai": (224, 224, "bicubic", CLIP),
}

# id -> timm's checkpoint
TIMM = {
    "siglip2_vit_so400m_14": "vit_so400m_patch14_siglip_224.v2_webli",
    "siglip2_vit_so400m_16": "vit_so400m_patch16_siglip_256.v2_webli",
    "siglip2_vit_so400m_16_gap": "vit_so400m_patch16_siglip_gap_256.v2_webli",
    "siglip2_vit_b_16": "vit_base_patch16_siglip_224.v2_webli",
    "dfn_clip_vit_l_14": "vit_large_patch14_clip_quickgelu_224.dfn2b",
    "mobileclip2_vit_b": "vit_base_mci_224.apple_mclip2_dfndr2b",
    "pe_core_vit_b_16": "vit_pe_core_base_patch16_224.fb",
    "pe_core_vit_l_14_336": "vit_pe_core_large_patch14_336.fb",
    "dinov2_vit_b_14": "vit_base_patch14_dinov2.lvd142m",
    "dinov3_vit_b_16": "vit_base_patch16_dinov3.lvd1689m",
    "clip_vit_b_32": "vit_base_patch32_clip_quickgelu_224.openai",
    "clip_vit_b_16": "vit_base_patch16_clip_quickgelu_224.openai",
    "clip_vit_l_14": "vit_large_patch14_clip_quickgelu_224.openai",
}

# id -> open_clip's model, checkpoint
OPEN_CLIP = {
    "siglip2_vit_so400m_14": ("ViT-SO400M-14-SigLIP2", "webli"),
    "siglip2_vit_so400m_16": ("ViT-SO400M-16-SigLIP2-256", "webli"),
    # open_clip has no model with the mean instead of the learned query; others of this size are prepared in the same
    # way.
    "siglip2_vit_so400m_16_gap": ("ViT-SO400M-16-SigLIP2-256", "webli"),
    "siglip2_vit_b_16": ("ViT-B-16-SigLIP2", "webli"),
    "dfn_clip_vit_l_14": ("ViT-L-14-quickgelu", "dfn2b"),
    "mobileclip2_vit_b": ("MobileCLIP2-B", "dfndr2b"),
    "pe_core_vit_b_16": ("PE-Core-B-16", "meta"),
    "pe_core_vit_l_14_336": ("PE-Core-L-14-336", "meta"),
    "clip_vit_b_32": ("ViT-B-32-quickgelu", "openai"),
}


def pixels(name: str) -> np.ndarray:
    source, size = CUT[name]
    return window(photograph(source), *size).copy()


def float_case(name: str, first: int | None, size: int, antialias: bool, normalisation: dict) -> dict:
    tensor = torch.from_numpy(pixels(name)).permute(2, 0, 1).to(torch.float32) / 255
    steps = [transforms.Resize((first, first), antialias=antialias)] if first else []
    steps += [
        transforms.Resize(size, interpolation=InterpolationMode.BILINEAR, antialias=antialias),
        transforms.Normalize(**normalisation),
    ]
    result = transforms.Compose(steps)(tensor)
    return {
        "kind": "float",
        "image": name,
        "first_px": first,
        "resize_px": size,
        "antialias": antialias,
        **normalisation,
        **record(result.numpy(), N_PROBES),
    }


def float_cases() -> list[dict]:
    sizes = [(224, IMAGENET), (224, CLIP), (255, IMAGENET), (256, IMAGENET), (342, IMAGENET)]
    return [
        float_case(name, first, size, antialias, normalisation)
        for name in INPUTS
        for first in (256, None)
        for size, normalisation in sizes
        for antialias in (False, True)
    ]


def preset_cases() -> list[dict]:
    cases = []
    for model in MODELS:
        for weights in torchvision.models.get_model_weights(model):
            preset = weights.transforms()
            for name in INPUTS:
                array = pixels(name)
                forms = {
                    "pillow": PIL.Image.fromarray(array),
                    "tensor": torch.from_numpy(array).permute(2, 0, 1).contiguous(),
                }
                for form, given in forms.items():
                    case = {
                        "kind": "preset",
                        "image": name,
                        "input": form,
                        "checkpoint": f"{model}.{weights.name}",
                        "file": weights.url.rsplit("/", 1)[1],
                        "resize_px": preset.resize_size[0],
                        "crop_px": preset.crop_size[0],
                        "filter": preset.interpolation.value,
                        "antialias": preset.antialias,
                        "mean": preset.mean,
                        "std": preset.std,
                    }
                    cases.append({**case, **record(preset(given).numpy(), N_PROBES)})
    return cases


def pillow_cases() -> list[dict]:
    cases = []
    for protocol, (resize, crop, filter_, normalisation) in PILLOW.items():
        steps = transforms.Compose(
            [
                transforms.Resize(resize, interpolation=InterpolationMode(filter_)),
                transforms.CenterCrop(crop),
                transforms.ToTensor(),
                transforms.Normalize(**normalisation),
            ]
        )
        for name in INPUTS:
            case = {
                "kind": "pillow",
                "image": name,
                "protocol": protocol,
                "resize_px": resize,
                "crop_px": crop,
                "filter": filter_,
                **normalisation,
            }
            result = steps(PIL.Image.fromarray(pixels(name))).numpy()
            cases.append({**case, **record(result, N_PROBES)})
    return cases


def clip_image_processor_cases() -> list[dict]:
    processor = CLIPImageProcessorPil()
    cases = []
    for name in CUT:
        result = processor(PIL.Image.fromarray(pixels(name)), return_tensors="np")["pixel_values"][0]
        case = {"kind": "clip_image_processor", "image": name, **CLIP}
        cases.append({**case, **record(result, N_PROBES)})
    assert processor.size == {"shortest_edge": 224} and processor.crop_size == {"height": 224, "width": 224}
    assert [*processor.image_mean] == CLIP["mean"] and [*processor.image_std] == CLIP["std"]
    return cases


def blip_image_processor_cases() -> list[dict]:
    processor = BlipImageProcessorPil(size={"height": 224, "width": 224})
    cases = []
    for name in INPUTS:
        result = processor(PIL.Image.fromarray(pixels(name)), return_tensors="np")["pixel_values"][0]
        case = {"kind": "blip_image_processor", "image": name, **CLIP}
        cases.append({**case, **record(result, N_PROBES)})
    assert [*processor.image_mean] == CLIP["mean"] and [*processor.image_std] == CLIP["std"]
    return cases


def timm_cases() -> list[dict]:
    cases = []
    for model, checkpoint in TIMM.items():
        settings = timm.data.resolve_data_config(pretrained_cfg=timm.models.get_pretrained_cfg(checkpoint).to_dict())
        transform = timm.data.create_transform(**settings)
        for name in INPUTS:
            result = transform(PIL.Image.fromarray(pixels(name))).numpy()
            case = {"kind": "timm", "image": name, "model": model, "checkpoint": checkpoint}
            cases.append({**case, **record(result, N_PROBES)})
    return cases


def open_clip_cases() -> list[dict]:
    cases = []
    for model, (architecture, checkpoint) in OPEN_CLIP.items():
        settings = open_clip.pretrained.get_pretrained_cfg(architecture, checkpoint)
        size = open_clip.get_model_config(architecture)["vision_cfg"].get("image_size", 224)
        keys = ("mean", "std", "interpolation", "resize_mode")
        transform = open_clip.image_transform(
            size, is_train=False, **{key: settings[key] for key in keys if key in settings}
        )
        for name in INPUTS:
            result = transform(PIL.Image.fromarray(pixels(name))).numpy()
            case = {"kind": "open_clip", "image": name, "model": model}
            cases.append({**case, **record(result, N_PROBES)})
    return cases


def dinov3_image_processor_cases() -> list[dict]:
    processor = DINOv3ViTImageProcessor()
    cases = []
    for name in INPUTS:
        result = processor(PIL.Image.fromarray(pixels(name)), return_tensors="pt")["pixel_values"][0]
        case = {"kind": "dinov3_image_processor", "image": name}
        cases.append({**case, **record(result.numpy(), N_PROBES)})
    return cases


def videomae_image_processor_cases() -> list[dict]:
    processor = VideoMAEImageProcessorPil(image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])
    cases = []
    for name in CUT:
        result = processor([PIL.Image.fromarray(pixels(name))], return_tensors="np")["pixel_values"][0][0]
        case = {"kind": "videomae_image_processor", "image": name}
        cases.append({**case, **record(result, N_PROBES)})
    return cases


def main() -> None:
    torch.set_num_threads(1)
    processors = [*clip_image_processor_cases(), *blip_image_processor_cases(), *dinov3_image_processor_cases()]
    processors += videomae_image_processor_cases()
    processors += [*timm_cases(), *open_clip_cases()]
    cases = [*float_cases(), *preset_cases(), *pillow_cases(), *processors]
    head = {
        "reference": versions("torchvision", "torch", "pillow", "transformers", "timm", "open_clip_torch"),
        "probes": N_PROBES,
        "inputs": {
            name: {"photograph": source, "height": size[0], "width": size[1]} for name, (source, size) in CUT.items()
        },
    }
    path = Path(GOLDEN) / "preprocess.json"
    path.write_text(line(head)[:-1] + ',"cases":[\n' + ",\n".join(map(line, cases)) + "]}\n")
    assert json.loads(path.read_text()) == {**head, "cases": cases}
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
