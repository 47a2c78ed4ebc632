"""Takes the pictures of docs/pages/assets: terminals, pages and figures of the demo's scenes and of simulated data.

A command runs in the terminal emulator of the journeys, which keeps the colours. Its output becomes a page, and
Chromium (CHROMIUM=<program>) takes a screenshot of it, as of the pages that the program writes. `make screenshots`
builds what this needs."""

from __future__ import annotations

import asyncio
import base64
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pyte
from PIL import Image
from tornado.websocket import WebSocketClientConnection, websocket_connect

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "docs" / "pages" / "assets"
sys.path[:0] = [str(ROOT / "journeys"), str(ROOT / "journeys" / "releases")]

from inputs import prepare  # noqa: E402
from pages import environment  # noqa: E402
from terminal import ROWS, run  # noqa: E402

# Pixels of a picture per pixel of a page.
SCALE = 1.5
# Numbers of colours to try, until a picture has at most MOST_BYTES.
COLOURS = (256, 128, 64)
MOST_BYTES = 150_000
SECONDS = 30
# A file that a page shows, after a comment with its name.
CONFIGURATION = re.compile(r"```toml\n# (\S+\.toml)\n(.*?)```", re.DOTALL)

PAPER, INK = "#16181d", "#e4e6ea"
INKS = {
    "red": "#ff7b72",
    "green": "#7ee787",
    "brown": "#e3b341",
    "blue": "#79c0ff",
    "magenta": "#d2a8ff",
    "cyan": "#76e3ea",
}


def spans(line: dict[int, pyte.screens.Char], columns: int) -> str:
    """A line of a screen with its colours, as HTML."""
    parts = []
    for column in range(columns):
        cell = line[column]
        style = "" if cell.fg == "default" else f"color:{INKS.get(cell.fg.removeprefix('bright'), INK)};"
        style += "font-weight:bold;" if cell.bold else ""
        text = html.escape(cell.data)
        parts.append(f'<span style="{style}">{text}</span>' if style and cell.data.strip() else text)
    return "".join(parts).rstrip()


def terminal(command: str, here: Path, settings: dict[str, str], columns: int, first: int, last: int | None) -> str:
    """A page with the command and its output, from line `first` to before line `last`."""
    # Run by a shell, so that the program is called by its name and not by its path.
    ran = run(["sh", "-c", f"exec {command}"], here, settings, columns)
    if ran.code != 0:
        raise SystemExit(f"{command}\n{ran.text}")
    screen = pyte.Screen(columns, ROWS)
    pyte.Stream(screen).feed(ran.raw)
    shown = [spans(screen.buffer[row], columns) for row in range(len(ran.lines))][first:last]
    lines = [
        f'<b style="color:{INKS["green"]}">$</b> <b>{html.escape(command)}</b>',
        *(["..."] if first else []),
        *shown,
    ]
    lines += ["..."] if last is not None and last < len(ran.lines) else []
    pre = f"margin:0;padding:14px 18px;font:14px/1.35 'DejaVu Sans Mono',monospace;color:{INK};background:{PAPER};width:max-content"
    text = "\n".join(lines)
    return f'<!doctype html><meta charset="utf-8"><body style="margin:0"><pre style="{pre}">{text}</pre>'


class Browser:
    """A page of headless Chromium, controlled through its debugging protocol."""

    def __init__(self, folder: Path) -> None:
        program = os.environ.get("CHROMIUM", "chromium")
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--remote-debugging-port=0",
        ]
        self.process = subprocess.Popen(
            [program, *options, f"--user-data-dir={folder}", "about:blank"], stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stderr or ():
            if "DevTools listening on" in line:
                port = line.rsplit(":", 1)[1].split("/")[0]
                break
        pages = json.load(urlopen(f"http://127.0.0.1:{port}/json"))
        self.address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        self.count = 0

    async def ask(self, socket: WebSocketClientConnection, method: str, **given: Any) -> Any:
        self.count += 1
        await socket.write_message(json.dumps({"id": self.count, "method": method, "params": given}))
        while True:
            told = json.loads(await asyncio.wait_for(socket.read_message(), SECONDS) or "{}")
            if told.get("id") == self.count:
                return told["result"]

    async def photograph(self, page: str, width: int, script: str, at: str, height: int | None) -> bytes:
        """Takes a picture of the first element that `at` selects on a page of this width, after running a script; the
        height is limited."""
        socket = await websocket_connect(self.address, max_message_size=2**28)
        await self.ask(socket, "Page.enable")
        size = {"width": width, "height": 900, "deviceScaleFactor": SCALE, "mobile": False}
        await self.ask(socket, "Emulation.setDeviceMetricsOverride", **size)
        await self.ask(socket, "Page.navigate", url=page)
        await asyncio.sleep(2)
        await self.ask(socket, "Runtime.evaluate", expression=script, awaitPromise=True)
        await asyncio.sleep(1)
        where = f"JSON.stringify(document.querySelector({at!r})?.getBoundingClientRect())"
        told = await self.ask(socket, "Runtime.evaluate", expression=where)
        if "value" not in told["result"]:
            raise SystemExit(f"{page} has no {at}: {told}")
        found = json.loads(told["result"]["value"])
        clip = {
            "x": found["x"],
            "y": found["y"],
            "width": found["width"],
            "height": min(found["height"], height or 10_000),
            "scale": 1,
        }
        taken = await self.ask(socket, "Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        # Otherwise Chromium would not reload a page that differs from this one only in its fragment.
        await self.ask(socket, "Page.navigate", url="about:blank")
        socket.close()
        return base64.b64decode(taken["data"])


def save(name: str, picture: bytes, width: int | None = None) -> None:
    """Saves a picture with few colours and a limited width."""
    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    if width and image.width > width:
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    path = ASSETS / f"{name}.png"
    for colours in COLOURS:
        image.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= MOST_BYTES:
            break
    print(f"{path.relative_to(ROOT)}: {image.width} x {image.height}, {path.stat().st_size // 1000} kB")
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path}: larger than {MOST_BYTES} bytes")


def main() -> None:
    binary = Path(os.environ["NEUROGAUGE_BINARY"])
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        browser = Browser(root / "browser")

        def photograph(
            name: str, page: str, width: int = 1000, script: str = "", at: str = "body", height: int | None = None
        ) -> None:
            if not wanted or name in wanted:
                save(name, asyncio.run(browser.photograph(page, width, script, at, height)))

        def reader_of(page: str) -> tuple[Path, dict[str, str]]:
            """The folder and the settings of somebody who reads this page."""
            here = root / page.replace("/", "-")
            here.mkdir()
            settings = environment(binary, here)
            prepare(page, here, root / "demo-run", binary, settings)
            for name, text in CONFIGURATION.findall((ROOT / page).read_text(encoding="utf-8")):
                (here / name).write_text(text, encoding="utf-8")
            return here, settings

        def save_figure(name: str, figure: Path, width: int) -> None:
            if not wanted or name in wanted:
                save(name, figure.read_bytes(), width)

        def in_terminal(
            name: str,
            where: tuple[Path, dict[str, str]],
            command: str,
            first: int = 0,
            last: int | None = None,
            columns: int = 100,
        ) -> None:
            page = where[0] / f"{name}.html"
            page.write_text(terminal(command, *where, columns, first, last), encoding="utf-8")
            photograph(name, page.as_uri(), 1400, at="pre")

        do: Callable[..., None] = lambda where, *words: subprocess.run(  # noqa: E731
            [binary, *words], cwd=where[0], env=where[1], check=True, capture_output=True
        )
        try:
            home = (root, environment(binary, root))
            in_terminal("terminal-demo", home, "neurogauge demo")

            report = reader_of("docs/pages/how-to/report.md")
            do(report, "report", "runs/mine", "runs/blurred", "--out", "report.html")
            page = (report[0] / "report.html").as_uri()
            photograph("report-overview", page, 1280, height=900)
            photograph("report-pair", f"{page}#pair=scene-3", at="dialog[open]", height=1000)
            local_ssim = "document.querySelector('[data-key=s]').click()"
            photograph("report-map", f"{page}#pair=scene-3", script=local_ssim, at="dialog .figures")
            tiles = "#view=pairs&layout=tiles&metric=ssim&system=blurred&order=best"
            photograph("report-tiles", page + tiles, at="main > section:not([hidden])", height=520)

            chosen = ["--pick", "best,median,worst,largest-gain:blurred-mine", "--metric", "ssim"]
            do(report, "gallery", "--recon", "mine=runs/mine", "blurred=runs/blurred", *chosen, "--out", "gallery.png")
            save_figure("gallery", report[0] / "gallery.png", 680)

            people = reader_of("docs/pages/how-to/people.md")
            in_terminal(
                "terminal-meta",
                people,
                "neurogauge meta --human ratings.csv --metrics runs/mine other_metrics.csv --out meta",
                0,
                17,
            )

            brains = reader_of("docs/pages/how-to/recovery-profiles.md")
            in_terminal("terminal-align", brains, "neurogauge align --config align.toml --out runs/align", 0, 14)
            do(brains, "report", "--align", "runs/align", "--out", "recovery.html")
            photograph("recovery-page", (brains[0] / "recovery.html").as_uri(), 1440, at="#recovery", height=760)
            save_figure("recovery-curves", brains[0] / "runs/align/figures/recovery_curves.png", 760)

            systems = reader_of("docs/pages/how-to/compare.md")
            do(systems, "study", "--config", "study.toml", "--out", "study")
            photograph("study-page", (systems[0] / "study" / "study.html").as_uri() + "#view=study", height=900)

            do(
                report,
                "survey",
                "make",
                "--gt",
                "stimuli",
                "--recon",
                "A=recons/a",
                "B=recons/b",
                "--raters",
                "5",
                "--out",
                "survey",
            )
            page = (report[0] / "survey" / "pages" / "p1.html").as_uri()
            photograph("survey-question", page, 680, script="document.querySelector('button').click()", at="#survey")
        finally:
            browser.process.kill()


if __name__ == "__main__":
    main()
