"""Trains a small decoder in PyTorch on the CPU, and shows a metric rising from epoch to epoch.

    python examples/train_decoder_in_pytorch.py [--weight 1.0] [--first-epoch 4] [--ramp 4]

The data are those of train_decoder_with_order_loss.py, all simulated. The decoder, one hidden layer, is trained with

    SoftCLIP + weight * pairwise hinge loss

where a schedule starts the second loss at some epoch and increases it over the following ones. After every fourth epoch
the embeddings decoded from held-out voxels are evaluated: two-way identification, and retrieval among all held-out
images.
"""

import argparse

import numpy as np
import torch
from train_decoder_with_order_loss import evaluate, simulate

import neurogauge as ng


def train(training, testing, schedule, epochs, seed=0, batch=50, rate=3e-3):
    """The evaluation of held-out images after every fourth epoch."""
    torch.manual_seed(seed)
    voxels, embeddings = (torch.tensor(rows, dtype=torch.float32) for rows in training)
    decoder = torch.nn.Sequential(
        torch.nn.Linear(voxels.shape[1], 128), torch.nn.GELU(), torch.nn.Linear(128, embeddings.shape[1])
    )
    optimiser = torch.optim.AdamW(decoder.parameters(), lr=rate, weight_decay=0.1)
    contrastive = ng.losses.SoftClipLoss(temperature=0.05)
    order = ng.losses.PairwiseHingeLoss(normalise="ordered")
    figures = []
    for epoch in range(epochs):
        for chosen in torch.randperm(len(voxels)).split(batch):
            predicted, true = decoder(voxels[chosen]), embeddings[chosen]
            loss = contrastive(predicted, true)
            if (weight := schedule(epoch)) > 0:
                loss = loss + weight * order(predicted, true)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        if epoch % 4 == 0 or epoch == epochs - 1:
            with torch.no_grad():
                decoded = decoder(torch.tensor(testing[0], dtype=torch.float32)).numpy()
            figures.append((epoch, schedule(epoch), evaluate(decoded.astype(np.float64), testing[1])))
    return figures


def main(arguments=None):
    """Trains the decoder and prints its evaluations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weight", type=float, default=10.0, help="of the loss on orders [default: %(default)s]")
    parser.add_argument("--first-epoch", type=int, default=4, help="at which it sets in [default: %(default)s]")
    parser.add_argument("--ramp", type=int, default=4, help="epochs over which it rises [default: %(default)s]")
    parser.add_argument("--epochs", type=int, default=21, help="[default: %(default)s]")
    parser.add_argument("--seed", type=int, default=0, help="[default: %(default)s]")
    options = parser.parse_args(arguments)
    schedule = ng.losses.LossSchedule(options.weight, options.first_epoch, options.ramp)
    figures = train(*simulate(np.random.default_rng(options.seed), gain=0.5), schedule, options.epochs, options.seed)
    for epoch, weight, found in figures:
        shown = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
        print(f"epoch {epoch:2}, weight {weight:4.1f}: {shown}")
    return figures


if __name__ == "__main__":
    main()
