"""The results of a shard as an archive, for machines that see neither the run's folder nor the cache."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

# What a worker needs: the plan, and the record that marks the folder as a run's.
_PLAN_FILES = ("plan.json", "request.json", "run.json")
_JOURNAL = ".jsonl"


def plan_files(run: Path) -> dict[str, bytes]:
    """The files of a plan that a worker needs."""
    return {name: (run / name).read_bytes() for name in _PLAN_FILES if (run / name).exists()}


def pack(scratch: Path, known: set[str]) -> bytes:
    """All that was made below ``scratch``, in ``run`` and ``cache``; ``known`` names what came with the plan."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz", compresslevel=1) as archive:
        for path in sorted(scratch.rglob("*")):
            name = path.relative_to(scratch)
            is_known = name.parent == Path("run") and name.name in known
            # Locks and partial files begin with a dot.
            if path.is_file() and not is_known and not path.name.startswith("."):
                archive.add(path, arcname=name.as_posix())
    return content.getvalue()


def take_over(content: bytes, run: Path, cache: Path) -> None:
    """Puts the contents of an archive into the folder of a run and into the cache.

    Journals become further segments beside those that are there; everything else has a name that depends on its
    content. Keys come after their files, and the record of the shard comes last, so that a call that is stopped leaves
    nothing that looks finished.

    Raises:
        ValueError: the archive names a file outside of its folders.
    """
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        for member in sorted(members, key=lambda member: (_rank(member.name), member.name)):
            parts = PurePosixPath(member.name).parts
            if len(parts) < 2 or parts[0] not in ("run", "cache") or ".." in parts:
                raise ValueError(f"{member.name}: not a file of a shard")
            path = (run if parts[0] == "run" else cache).joinpath(*parts[1:])
            file = archive.extractfile(member)
            if file is not None:
                _write(path, file.read())


def _rank(name: str) -> int:
    return 2 if name.endswith("/shard.json") else int(name.endswith(".keys.json"))


def _write(path: Path, content: bytes) -> None:
    """Writes a file completely or not at all. A journal is written beside existing ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        if path.suffix != _JOURNAL:
            os.replace(temporary, path)
            return
        stem, number = path.name.removesuffix(_JOURNAL), 1
        while True:
            try:
                os.link(temporary, path.with_name(f"{stem}{'' if number == 1 else f'.{number}'}{_JOURNAL}"))
                return
            except FileExistsError:
                number += 1
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
