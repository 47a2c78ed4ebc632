"""Checkpoints in torch's format from before version 1.6, the same bytes in every run.

torch names each storage by its address in memory and orders storages by these names. Here a name is a number, in the
order in which storages are written. With a pickled module, torch stores the source of its class and the file's path;
one line replaces them.
"""

from pathlib import Path
from unittest import mock

import torch


def save(content: object, path: Path, **options) -> None:
    numbers: dict[int, int] = {}

    class Name(str):
        def __new__(cls, address: int) -> str:
            return f"{numbers.setdefault(address, len(numbers)):015d}"

    def source(of: type) -> tuple[list[str], int, str]:
        return [f"class {of.__name__}: ...\n"], 0, f"{of.__name__.lower()}.py"

    with (
        open(path, "wb") as file,
        mock.patch("torch.serialization.str", Name, create=True),
        mock.patch("torch.serialization.get_source_lines_and_file", source),
    ):
        torch.save(content, file, _use_new_zipfile_serialization=False, **options)
