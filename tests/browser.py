"""A real browser for the tests of the report: Debian's Chromium, driven by Playwright, in which nothing may go wrong unseen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HOW_TO = (
    "There is no Chromium to look at the report with; install one (apt-get install chromium), or name its file in the "
    "environment variable CHESSTOOLS_CHROMIUM."
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str:
    """The browser's file. Without one the test is skipped; where CHESSTOOLS_BROWSER=required it fails."""
    named = os.environ.get("CHESSTOOLS_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        if os.environ.get("CHESSTOOLS_BROWSER") == "required":
            pytest.fail(HOW_TO)
        pytest.skip(HOW_TO)
    return found


@dataclass
class Seen:
    """What a page did that it should not do."""

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@contextmanager
def browser() -> Iterator[object]:
    """Chromium without a window."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Containers run as root, for whom there is no sandbox, and have little shared memory. What is looked at is our own file.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield started
        finally:
            started.close()


@contextmanager
def looked_at(started: object, page_file: Path, *, width: int = 1280, scheme: str = "light") -> Iterator[tuple[object, Seen]]:
    """The page in a new tab, when its plots are drawn. Every request but that for the file itself is refused and told of, and
    so are errors and warnings of the console."""
    context = started.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[attr-defined]
    tab = context.new_page()
    seen = Seen()
    own = page_file.resolve().as_uri()

    def decide(route: object) -> None:
        url = route.request.url  # type: ignore[attr-defined]
        if url.split("#")[0] == own:
            route.continue_()  # type: ignore[attr-defined]
        else:
            seen.requests.append(url)
            route.abort()  # type: ignore[attr-defined]

    tab.route("**/*", decide)
    tab.on("console", lambda message: seen.messages.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: seen.messages.append(f"error: {error}"))
    tab.on("dialog", lambda dialog: (seen.messages.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    try:
        tab.goto(own)
        tab.wait_for_selector("html[data-drawn=yes]", state="attached", timeout=60_000)
        yield tab, seen
    finally:
        context.close()
