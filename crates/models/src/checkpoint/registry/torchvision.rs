//! Models trained on ImageNet, as torchvision publishes them.
//!
//! torchvision publishes the first eight digits of a SHA-256, in the file's name. The other digits are given here if at
//! least two independent public records of the file agree on them; sizes likewise, if they agree with the size that
//! torchvision states.

use super::{Architecture, ModelEntry, ModelFile, Source};

const SERVER: Source = Source::Web("https://download.pytorch.org/models");
const LICENCE: &str = "BSD-3-Clause";
const TERMS: &str = "the licence is torchvision's; the weights were trained on ImageNet, whose terms \
                     are for non-commercial research, and torchvision leaves it to the user to \
                     determine whether these bind the weights";

const ALEXNET: ModelEntry = ModelEntry {
    id: "alexnet",
    architecture: Architecture::AlexNet,
    source: SERVER,
    revision: "IMAGENET1K_V1",
    files: &[ModelFile::pinned(
        "alexnet-owt-7be5be79.pth",
        244_408_911,
        "7be5be791159472b1fbf3c69796f7cb30dca7ad8466c2df70058c37116cdee02",
    )],
    licence: LICENCE,
    terms: Some(TERMS),
    citation: "Krizhevsky (2014), One weird trick for parallelizing convolutional neural networks",
    purpose: "features.4 and features.11 for AlexNet(2) and AlexNet(5); LPIPS",
};

pub(super) const MODELS: &[ModelEntry] = &[
    ALEXNET,
    ModelEntry {
        id: "inception_v3",
        architecture: Architecture::InceptionV3,
        files: &[ModelFile::pinned(
            "inception_v3_google-0cc3c7bd.pth",
            108_949_747,
            "0cc3c7bd75056d25e46cba549dc184522069b81e9787eff6df84f397bd52a5ef",
        )],
        citation: "Szegedy et al. (2016), Rethinking the Inception Architecture for Computer Vision, CVPR",
        purpose: "avgpool for Inception",
        ..ALEXNET
    },
    ModelEntry {
        id: "efficientnet_b1",
        architecture: Architecture::EfficientNetB1,
        revision: "IMAGENET1K_V2",
        files: &[ModelFile::of_hash("efficientnet_b1-c27df63c.pth", "c27df63c").of_values(7_856_232, 4)],
        citation: "Tan and Le (2019), EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, ICML",
        purpose: "avgpool for EffNet and SEED; class logits",
        ..ALEXNET
    },
    ModelEntry {
        id: "efficientnet_b1_v1",
        architecture: Architecture::EfficientNetB1,
        files: &[ModelFile::of_hash("efficientnet_b1_rwightman-bac287d4.pth", "bac287d4").of_values(7_856_232, 4)],
        citation: "Tan and Le (2019), EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, ICML",
        purpose: "torchvision's earlier weights of EfficientNet-B1, ported from R. Wightman's",
        ..ALEXNET
    },
    ModelEntry {
        id: "resnet18",
        architecture: Architecture::ResNet18,
        files: &[ModelFile::pinned(
            "resnet18-f37072fd.pth",
            46_830_571,
            "f37072fd47e89c5e827621c5baffa7500819f7896bbacec160b1a16c560e07ec",
        )],
        citation: "He et al. (2016), Deep Residual Learning for Image Recognition, CVPR",
        purpose: "source of alignment profiles: stages 1 to 4 and avgpool",
        ..ALEXNET
    },
    ModelEntry {
        id: "resnet50",
        architecture: Architecture::ResNet50,
        revision: "IMAGENET1K_V2",
        files: &[ModelFile::pinned(
            "resnet50-11ad3fa6.pth",
            102_540_417,
            "11ad3fa62ca79e40addfd354a8ec4b7c75143b3038b8d2a807fbc68deab379ca",
        )],
        citation: "He et al. (2016), Deep Residual Learning for Image Recognition, CVPR",
        purpose: "source of alignment profiles: stages 1 to 4 and avgpool",
        ..ALEXNET
    },
    ModelEntry {
        id: "resnet50_v1",
        architecture: Architecture::ResNet50,
        files: &[ModelFile::pinned(
            "resnet50-0676ba61.pth",
            102_530_333,
            "0676ba61b6795bbe1773cffd859882e5e297624d384b6993f7c9e683e722fb8a",
        )],
        citation: "He et al. (2016), Deep Residual Learning for Image Recognition, CVPR",
        purpose: "torchvision's earlier weights of ResNet-50, trained as in the paper",
        ..ALEXNET
    },
    ModelEntry {
        id: "vgg16",
        architecture: Architecture::Vgg16,
        files: &[ModelFile::pinned(
            "vgg16-397923af.pth",
            553_433_881,
            "397923af8e79cdbb6a7127f12361acd7a2f83e06b05044ddf496e83de57a5bf0",
        )],
        citation: "Simonyan and Zisserman (2015), Very Deep Convolutional Networks for Large-Scale Image Recognition, ICLR",
        purpose: "source of alignment profiles: features 4, 9, 16, 23, 30; LPIPS",
        ..ALEXNET
    },
    ModelEntry {
        id: "vit_b_16",
        architecture: Architecture::VitB16,
        files: &[ModelFile::pinned(
            "vit_b_16-c867db91.pth",
            346_328_529,
            "c867db91d3e12c6cbadabb610d73c24a546bf82d8c03a9fea34f43a712ddb0e9",
        )],
        citation: "Dosovitskiy et al. (2021), An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale, ICLR",
        purpose: "source of alignment profiles: blocks 0, 3, 7, 11",
        ..ALEXNET
    },
    ModelEntry {
        id: "convnext_tiny",
        architecture: Architecture::ConvNextTiny,
        files: &[ModelFile::of_hash(
            "convnext_tiny-983f1562.pth",
            "983f1562536e84ff750a1576fb08e54de751dbf2e17c0d8a4a13704341fdcd3d",
        )
        .of_values(28_589_128, 4)],
        citation: "Liu et al. (2022), A ConvNet for the 2020s, CVPR",
        purpose: "source of alignment profiles",
        ..ALEXNET
    },
    ModelEntry {
        id: "swin_t",
        architecture: Architecture::SwinT,
        files: &[ModelFile::pinned(
            "swin_t-704ceda3.pth",
            113_445_839,
            "704ceda373461b0a224fcdddd75cd2a5e9f8064512ed47adbddef7f343fd147b",
        )],
        citation: "Liu et al. (2021), Swin Transformer: Hierarchical Vision Transformer using Shifted Windows, ICCV",
        purpose: "source of alignment profiles",
        ..ALEXNET
    },
];
