"""Doctests of a module that needs PyTorch are for where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["neurogauge/_torch_losses.py"]
