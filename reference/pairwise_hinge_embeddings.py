"""Goldens for the pairwise hinge loss of embeddings: all triples at once in PyTorch, with gradients by its autograd.

Run from `reference/` with the packages of requirements.txt. Writes golden/pairwise_hinge_embeddings.json.
"""

import itertools
import json
from pathlib import Path

import torch

import synthetic


def embeddings(name: str, n: int, n_features: int) -> torch.Tensor:
    values = synthetic.uniform(name, 0, (n, n_features))
    return torch.tensor(values, dtype=torch.float64) - 0.5


def loss(predicted, true, anchor, neighbours, include_self, normalise):
    """max(0, p_ik - p_ij) over all i, j, k with t_ij > t_ik."""
    unit = torch.nn.functional.normalize
    sides = {"true": unit(true, dim=1), "predicted": unit(predicted, dim=1)}
    t = sides["true"] @ sides["true"].T
    p = sides[anchor] @ sides[neighbours].T
    ordered = t[:, :, None] > t[:, None, :]
    if not include_self:
        own = torch.eye(len(true), dtype=torch.bool)
        ordered &= ~own[:, :, None] & ~own[:, None, :]
    total = (torch.relu(p[:, None, :] - p[:, :, None]) * ordered).sum()
    return total / {"sum": 1, "ordered": int(ordered.sum()), "all": len(true) ** 3}[normalise]


def main() -> None:
    cases = []
    sides = (("predicted", "predicted"), ("true", "predicted"), ("predicted", "true"))
    for (anchor, neighbours), include_self, (normalise, n, n_features) in itertools.product(
        sides, (True, False), (("sum", 7, 5), ("ordered", 9, 3), ("all", 6, 4))
    ):
        true = embeddings(f"true {n}", n, n_features)
        predicted = embeddings(f"predicted {n}", n, n_features).requires_grad_()
        value = loss(predicted, true, anchor, neighbours, include_self, normalise)
        value.backward()
        cases.append(
            {
                "n": n,
                "n_features": n_features,
                "anchor": anchor,
                "neighbours": neighbours,
                "include_self": include_self,
                "normalise": normalise,
                "value": value.item(),
                "gradient": predicted.grad.flatten().tolist(),
            }
        )
    golden = {"torch": torch.__version__, "cases": cases}
    Path("golden/pairwise_hinge_embeddings.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
