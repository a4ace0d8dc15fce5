"""The readable engine on several processes: the same steps in the same order.

Finding where games begin is cheap, judging them is not. So one process cuts the stream into regions and the others judge
them. Regions travel with their tokens: what a token is can depend on text far behind it, which a part of the stream lacks.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from array import array
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import NamedTuple

from chesstools.reference.engine import STEP_BYTES, Judge, batch_regions, position_of
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.segment import Region, Segmenter
from chesstools.step import Job, Position, Step

_KINDS = tuple(Kind)
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


class Packed(NamedTuple):
    """A region in few large objects, which travel faster than many small ones."""

    is_game: bool
    offset: int
    line: int
    data: bytes
    kinds: bytes
    starts: array[int]
    ends: array[int]
    terminator: int | None
    glued: list[Token]
    too_long: bool


def pack(region: Region) -> Packed:
    """A region as it travels."""
    tokens = region.tokens
    return Packed(
        region.is_game,
        region.offset,
        region.line,
        region.data,
        bytes([_NUMBERS[token.kind] for token in tokens]),
        array("q", [token.start for token in tokens]),
        array("q", [token.end for token in tokens]),
        region.terminator,
        region.glued,
        region.too_long,
    )


def unpack(packed: Packed) -> Region:
    """The region that was packed."""
    kinds = [_KINDS[number] for number in packed.kinds]
    tokens = list(map(Token, kinds, packed.starts, packed.ends))
    return Region(
        packed.is_game,
        packed.offset,
        packed.line,
        packed.data,
        tokens,
        packed.terminator,
        packed.glued,
        packed.too_long,
    )


class Stretch(NamedTuple):
    """Consecutive regions, the number of their first game, and the place behind them."""

    regions: list[Packed]
    game_index: int
    end: Position


def judge_stretch(job: Job, stretch: Stretch) -> Step:
    """Judge the regions of one stretch."""
    judge = Judge(job, stretch.game_index)
    for region in stretch.regions:
        judge.add(unpack(region))
    return judge.step(stretch.end)


def run_parallel(segmenter: Segmenter, job: Job, game_index: int, jobs: int) -> Generator[Step, None, None]:
    """As `chesstools.reference.engine.run`, on `jobs` processes; on none of them where there is one stretch only."""
    stretches = cut(segmenter, game_index, batch_regions(job))
    first, stretch = next(stretches, None), next(stretches, None)
    if first is None:
        return
    if stretch is None:
        yield judge_stretch(job, first)
        return
    under_way: deque[Future[Step]] = deque()
    # Started afresh, not forked: a fork would copy the locks of Arrow's threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=start_worker)
    strangers = set(multiprocessing.active_children())
    try:
        under_way.append(pool.submit(judge_stretch, job, first))
        while under_way:
            while stretch is not None and len(under_way) < 2 * jobs:
                under_way.append(pool.submit(judge_stretch, job, stretch))
                stretch = next(stretches, None)
            yield under_way.popleft().result()
    except BaseException:  # an interrupt above all: no one waits for what is under way
        for child in set(multiprocessing.active_children()) - strangers:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def start_worker() -> None:
    """Leave interrupts to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def cut(segmenter: Segmenter, game_index: int, batch_games: int) -> Generator[Stretch, None, None]:
    """The stream in stretches, each as large as a step of `chesstools.reference.engine.run`."""
    regions: list[Packed] = []
    first_game = game_index
    size = 0
    for region in segmenter:
        regions.append(pack(region))
        size += len(region.data)
        game_index += region.is_game
        if len(regions) >= batch_games or size >= STEP_BYTES:
            yield Stretch(regions, first_game, position_of(segmenter, game_index))
            first_game, regions, size = game_index, [], 0
    if regions:
        yield Stretch(regions, first_game, position_of(segmenter, game_index))
