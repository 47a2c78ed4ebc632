"""A score whose inputs are damaged, one file at a time: it says which file, or the file's item alone gets another value."""

import argparse
import csv
import random
import shutil
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from command import Failed, Torture, files

# Formats with a checksum of all that decides a pixel: damage is found, or changes nothing.
WITH_CHECKSUM = {".png"}


class Damaging(Torture):
    """One of the commands that score files with several pictures."""

    def prepare(self) -> None:
        super().prepare()
        places = [Path(self.words[self.words.index(side) + 1].split("#")[0]) for side in ("--gt", "--recon")]
        self.inputs = sorted({path for place in places for path in [place, *place.rglob("*")] if path.is_file()})
        self.sound_scores = self.scores()
        self.said: Counter[str] = Counter()

    def trials(self, args: argparse.Namespace, draws: random.Random, seconds: float) -> list[Callable[[], None]]:
        self.kept = args.keep
        return [*super().trials(args, draws, seconds), *[partial(self.damage, draws)] * args.damages]

    def scores(self) -> dict[str, list[str]]:
        """The row of each item."""
        with (self.state / "out" / "scores.csv").open(newline="") as table:
            return {row[0]: row[1:] for row in csv.reader(table)}

    def damage(self, draws: random.Random) -> None:
        path = draws.choice(self.inputs)
        sound = path.read_bytes()
        what, damaged = damage_of(draws, sound)
        after = f"{path.relative_to(self.work)} with {what}"
        try:
            path.write_bytes(damaged)
            # The cache has what the sound file gave.
            shutil.rmtree(self.state / "out", ignore_errors=True)
            warm = self.verdict(path, after, is_cut=what.startswith("a cut"))
            self.fresh()
            if self.verdict(path, after) != warm:
                raise Failed(f"{self.name}, {after}: results depend on what the cache has")
        except Failed:
            if self.kept:
                self.kept.mkdir(parents=True, exist_ok=True)
                (self.kept / f"{self.name}-{self.done['damaged inputs']}{path.suffix}").write_bytes(damaged)
            raise
        finally:
            path.write_bytes(sound)
        shutil.rmtree(self.state / "out", ignore_errors=True)
        ran = self.run(self.words)
        results = self.expected.keys() - {name for name in self.expected if name.startswith("cache/")}
        if ran.returncode != 0 or any(files(self.state).get(name) != self.expected[name] for name in results):
            raise Failed(f"{self.name}, restored after {after}: exit {ran.returncode}, or other results\n{ran.stderr}")
        self.done["damaged inputs"] += 1

    def verdict(self, path: Path, after: str, is_cut: bool = False) -> dict[str, bytes]:
        """The results of a run with the damaged file."""
        ran = self.run(self.words)
        self.accept(ran, after)
        if ran.returncode == 1:
            if path.name not in ran.stderr:
                raise Failed(f"{self.name}, {after}: the file is not named\n{ran.stderr}")
            self.said[ran.stderr.split(path.name, 1)[1].strip()[:120]] += 1
            self.done["refused"] += 1
            return {}
        sound, found = self.sound_scores, self.scores()
        if sound.keys() != found.keys():
            raise Failed(f"{self.name}, {after}: other items, {sorted(found)}")
        # A clip of frames is a folder, and a stack has all items.
        item = path.parent.name if self.name == "frames" else path.stem
        changed = [name for name in sound if found[name] != sound[name]]
        for name in changed:
            if self.name != "stacks" and name != item:
                raise Failed(f"{self.name}, {after}: {name} has {found[name]} for {sound[name]}")
            has_value = any(found[name])
            if has_value and (is_cut or path.suffix in WITH_CHECKSUM):
                raise Failed(f"{self.name}, {after}: {name} has {found[name]} for {sound[name]}, and not a word")
            self.done["other values" if has_value else "no value"] += 1
        self.done["same values"] += not changed
        return {name: content for name, content in files(self.state / "out").items() if not name.endswith(".jsonl")}


def damage_of(draws: random.Random, sound: bytes) -> tuple[str, bytes]:
    """The file with one kind of damage, and which."""
    at = draws.randrange(len(sound))
    # Heads are short and decide the most.
    if draws.random() < 0.3:
        at = draws.randrange(min(len(sound), 120))
    length = draws.randint(1, min(64, len(sound)))
    kinds = {
        f"a cut at {at}": sound[:at],
        f"a bit of byte {at} changed": sound[:at] + bytes([sound[at] ^ 1 << draws.randrange(8)]) + sound[at + 1 :],
        f"byte {at} set": sound[:at] + bytes([draws.choice([0, 1, 0x7F, 0x80, 0xFF])]) + sound[at + 1 :],
        f"{length} bytes lost at {at}": sound[:at] + sound[at + length :],
        f"{length} bytes twice at {at}": sound[: at + length] + sound[at:],
        f"{length} bytes of zero at {at}": sound[:at] + bytes(length) + sound[at + length :],
        f"{length} bytes of noise at {at}": sound[:at] + draws.randbytes(length) + sound[at + length :],
        f"noise from {at} on": sound[:at] + draws.randbytes(len(sound) - at),
    }
    return draws.choice(list(kinds.items()))
