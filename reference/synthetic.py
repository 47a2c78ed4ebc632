"""Deterministic arrays with a twin in Rust (crates/core/src/synthetic.rs)."""

import numpy as np


def bits(name: str, seed: int, n: int) -> np.ndarray:
    """The first n 64-bit values of the array with this name and seed."""
    key = 0xCBF29CE484222325
    for byte in name.encode():
        key = ((key ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    index = np.arange(1, n + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = np.uint64(key ^ seed) + index * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def bytes_(name: str, seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform values in 0..255, uint8."""
    return (bits(name, seed, int(np.prod(shape))) >> np.uint64(56)).astype(np.uint8).reshape(shape)


def uniform(name: str, seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform multiples of 2**-24 in [0, 1), float32 (exact)."""
    z = bits(name, seed, int(np.prod(shape))) >> np.uint64(40)
    return (z.astype(np.float32) / np.float32(16777216.0)).reshape(shape)


def parameter(name: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """A tensor of a synthetic checkpoint; the Rust twin documents the rule."""
    u = uniform(name, seed, tuple(shape)).astype(np.float64)
    flat = len(shape) <= 1
    table = ("embedding", "embedding.weight", "class_token", "bias_table")
    if name.endswith(("running_var", "layer_scale")) or (flat and name.endswith("weight")):
        scale, shift = 1.0, 0.5
    elif len(shape) <= 3 and name.endswith(table):
        scale, shift = 1.0, -0.5
    elif flat:
        scale, shift = 0.2, -0.1
    else:
        bound = np.sqrt(6.0 / np.prod(shape[1:]))
        scale, shift = 2.0 * bound, -bound
    return (u * scale + shift).astype(np.float32)
