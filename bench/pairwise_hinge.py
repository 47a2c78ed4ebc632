"""Times the pairwise hinge loss beside a vectorised PyTorch version that fits in memory, and checks that both agree.

    python bench/pairwise_hinge.py [--batch 2048] [--features 768] [--threads 1] [--repeats 5]

Value and gradient of one batch in double precision, the same embeddings, in one run. PyTorch takes the cosines of the
whole batch at once and the triples one anchor after the other (a matrix of `batch` by `batch` each, 32 MiB at 2048; all
triples at once would be 64 GiB), with the gradient of the similarities written out, so that no graph of triples is
kept, and its automatic gradient from there to the embeddings. Exits with 1 if the two differ by more than 1e-10
relative, or if the ratio is below `--least`.
"""

import argparse
import os
import statistics
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--batch", type=int, default=2048)
parser.add_argument("--features", type=int, default=768)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--repeats", type=int, default=5)
parser.add_argument("--least", type=float, default=100.0)
options = parser.parse_args()
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = str(options.threads)

import numpy as np  # noqa: E402
import torch  # noqa: E402

import neurogauge as ng  # noqa: E402

torch.set_num_threads(options.threads)


def chunked(predicted, true):
    """Value and gradient, one anchor at a time."""
    unit = torch.nn.functional.normalize
    with torch.no_grad():
        t = unit(true, dim=1) @ unit(true, dim=1).T
    leaf = predicted.clone().requires_grad_()
    p = unit(leaf, dim=1) @ unit(leaf, dim=1).T
    weights = torch.zeros_like(t)
    value = 0.0
    with torch.no_grad():
        for i in range(len(true)):
            lead = p[i][None, :] - p[i][:, None]
            reversed_ = (t[i][:, None] > t[i][None, :]) & (lead > 0)
            value += (lead * reversed_).sum().item()
            weights[i] = reversed_.sum(dim=0) - reversed_.sum(dim=1)
    p.backward(weights)
    return value, leaf.grad


def timed(function, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        found = function()
        times.append(time.perf_counter() - start)
    return statistics.median(times), found


rng = np.random.default_rng(0)
true, predicted = rng.normal(size=(2, options.batch, options.features))
tensors = torch.from_numpy(predicted), torch.from_numpy(true)
ours, (value, gradient) = timed(
    lambda: ng.losses.pairwise_hinge(predicted, true, return_gradient=True), options.repeats
)
theirs, (expected, slope) = timed(lambda: chunked(*tensors), 1)
slope = slope.numpy()
of_value = abs(value - expected) / expected
of_gradient = np.abs(gradient - slope).max() / np.abs(slope).max()
print(f"batch {options.batch}, {options.features} features, {options.threads} thread(s)")
print(f"neurogauge {ours:.3f} s, PyTorch {torch.__version__} {theirs:.1f} s, ratio {theirs / ours:.0f}")
print(f"relative difference: value {of_value:.1e}, gradient {of_gradient:.1e}")
sys.exit(int(max(of_value, of_gradient) > 1e-10 or theirs / ours < options.least))
