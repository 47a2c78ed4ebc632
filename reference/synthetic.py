"""Deterministic arrays with a twin in Rust (crates/core/src/synthetic.rs)."""

import numpy as np


def bits(name: str, seed: int, n: int) -> np.ndarray:
    """The first n 64-bit values of the array called `name` under `seed`."""
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
    """Uniform over 0..255, uint8."""
    return (bits(name, seed, int(np.prod(shape))) >> np.uint64(56)).astype(np.uint8).reshape(shape)


def uniform(name: str, seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform over the multiples of 2**-24 in [0, 1), float32 (exact)."""
    z = bits(name, seed, int(np.prod(shape))) >> np.uint64(40)
    return (z.astype(np.float32) / np.float32(16777216.0)).reshape(shape)
