"""The readable engine on several processes: the same steps in the same order.

Finding where games begin is cheap, judging them is not. So one process cuts the stream into stretches of whole games and
the others judge them; each reads its stretch anew from the bytes, as a run does that goes on in the middle of a file.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ProcessPoolExecutor

from chesstools.reference.engine import STEP_BYTES, Job, Judge, Position, Step, position_of
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window


def judge_stretch(job: Job, before: bytes, data: bytes, start: Position, end: Position) -> Step:
    """Judge the games of one stretch. `before` is the byte that stands before it, if there is one."""
    window = Window([before + data], start.byte_offset - len(before))
    segmenter = Segmenter(window, start.byte_offset, start.line, glued=start.glued, too_long=start.too_long)
    judge = Judge(job, start.game_index)
    for region in segmenter:
        judge.add(region)
    return judge.step(end)


def run_parallel(segmenter: Segmenter, job: Job, game_index: int, jobs: int) -> Generator[Step, None, None]:
    """As `chesstools.reference.engine.run`, on `jobs` processes; on none of them where there is one stretch only."""
    stretches = _stretches(segmenter, game_index, job.batch_games)
    first, stretch = next(stretches, None), next(stretches, None)
    if first is None:
        return
    if stretch is None:
        yield judge_stretch(job, *first)
        return
    under_way: deque[Future[Step]] = deque()
    # Started afresh, not forked: a fork would copy the locks of Arrow's threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    try:
        under_way.append(pool.submit(judge_stretch, job, *first))
        while under_way:
            while stretch is not None and len(under_way) < 2 * jobs:
                under_way.append(pool.submit(judge_stretch, job, *stretch))
                stretch = next(stretches, None)
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stretches(
    segmenter: Segmenter, game_index: int, batch_games: int
) -> Generator[tuple[bytes, bytes, Position, Position], None, None]:
    """The byte before, the bytes, the start and the end of each stretch of whole regions."""
    start = position_of(segmenter, game_index)
    before = b""
    gathered: list[bytes] = []
    regions = size = 0
    for region in segmenter:
        gathered.append(region.data)
        regions += 1
        size += len(region.data)
        game_index += region.is_game
        if regions >= batch_games or size >= STEP_BYTES:
            data = b"".join(gathered)
            end = position_of(segmenter, game_index)
            yield before, data, start, end
            start, before, gathered, regions, size = end, data[-1:], [], 0, 0
    if gathered:
        yield before, b"".join(gathered), start, position_of(segmenter, game_index)
