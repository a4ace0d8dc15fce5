"""One game, from its bytes to everything that is known about it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

import chess

from chesstools.finding import Finding
from chesstools.profile_choice import Choice, Chosen
from chesstools.reference import comments
from chesstools.reference.clock_findings import judge_clocks
from chesstools.reference.dead import first_dead
from chesstools.reference.diagnosis import diagnose
from chesstools.reference.draws import DrawWatch, watched
from chesstools.reference.eco import report_eco
from chesstools.reference.ending import Ending
from chesstools.reference.endings import judge
from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import FILLERS, Kind, Token
from chesstools.reference.line import Line, Ply
from chesstools.reference.long_lines import report_long_lines
from chesstools.reference.numbers import report_numbers
from chesstools.reference.position_key import position_key
from chesstools.reference.replay import Replay
from chesstools.reference.segment import Region
from chesstools.reference.start import Start, read_start
from chesstools.reference.tags import Tags, check_ply_count, check_tags, read_tags
from chesstools.reference.text import BLANKS

_FOUND = {Kind.NUL: "nul", Kind.BOM: "bom", Kind.INVISIBLE: "invisible"}


@dataclass(slots=True)
class GameFacts:
    """All that the engine knows of one game."""

    region: Region
    encoding: str
    tags: Tags
    start: Start
    start_fen: str | None
    mainline: Line
    final_fen: str | None
    ending: Ending
    watch: DrawWatch | None
    first_dead: int | None
    plies_written: int
    movetext: str
    chosen: Chosen
    findings: list[Finding] = field(default_factory=list)


class _Reading(Replay):
    """A replay that also reads what comments say, and works out position keys where they are wanted."""

    def __init__(self, facts: Facts, start: Start, watch: DrawWatch | None, tags: Tags, keys: bool) -> None:
        super().__init__(facts, start.board, watch)
        self._engines = comments.written_by_engine_match(tags.values)
        self._keys = keys and start.rules in ("standard", "chess960")

    def on_mainline(self, ply: Ply, board: chess.Board) -> None:
        super().on_mainline(ply, board)
        if self._keys:
            ply.position_key = position_key(board)

    def on_comment(self, line: Line, ply: Ply, token: Token, text: str) -> None:
        if not text:
            return
        raw = self.facts.text(token)
        read, start = 0, token.start
        for fault in comments.read_commands(raw, ply.annotations):
            start += len(raw[read : fault.start].encode(self.facts.encoding, "replace"))
            read = fault.start
            length = len(fault.text.encode(self.facts.encoding, "replace"))
            span = Token(token.kind, start, start + length)
            place = Place(ply.number, line.path)
            self.facts.add(fault.code, span, place, token=fault.text, tag=fault.tag, reason=fault.reason)
        if "=" in text:
            comments.read_tcec(text, ply.annotations)
        if self._engines and self.board is not None and line.path is None:
            comments.read_engine(text, ply.annotations, white_moved=self.board.turn == chess.BLACK)


def read_game(
    region: Region,
    source: str,
    game_index: int,
    choice: Choice,
    *,
    keys: bool = True,
    optional: Container[str] = frozenset(),
) -> GameFacts:
    """Read one game. `keys` says whether position keys are wanted (they take time), `optional` which optional rules."""
    facts = Facts(region, source, game_index, choice.undated.name)
    check_bytes(facts)
    tags = read_tags(facts)
    chosen = choice.of(tags.get)
    facts.profile = chosen.profile.name
    check_tags(facts, tags)
    start = read_start(facts, tags)
    start_fen = None if start.setup is None else start.setup.fen()
    judged = start.rules in ("standard", "chess960")
    first = None if start.board is None else start.board.copy(stack=False)
    watch = DrawWatch(chosen.profile) if judged else None
    replay = _Reading(facts, start, watch, tags, keys)
    replay.run()
    line = replay.mainline
    plies = line.plies_written
    if plies:
        check_ply_count(facts, tags, plies)
    else:
        facts.add("P113", _first(facts), token=None)
    _report_unjudged(facts, line, start)
    report_numbers(facts, tags, line, replay.wrong_numbers, replay.base_shift)
    if judged and first is not None:
        diagnose(facts, first, line)
    _settle_dead(replay, first)
    ending = judge(facts, tags, replay, start.rules, chosen)
    judge_clocks(facts, tags, start, line, ending)
    if "P112" in optional:
        report_long_lines(facts)
    if "T126" in optional:
        report_eco(facts, tags, start, first, line)
    return GameFacts(
        region,
        facts.encoding,
        tags,
        start,
        start_fen,
        line,
        start_fen if replay.board is None else replay.board.fen(),
        ending,
        replay.watch,
        replay.first_dead,
        plies,
        _movetext(facts),
        chosen,
        facts.findings(),
    )


def _settle_dead(replay: Replay, first: chess.Board | None) -> None:
    """Look for a dead position by lines and walls of pawns too, where the rule is that no series of moves leads to mate."""
    if replay.first_dead is not None:
        replay.dead_method = "material"
    if first is None or replay.watch is None or replay.watch.profile.dead_position != "any-series":
        return
    moves = [ply.move for ply in replay.mainline.plies]
    found = first_dead(first, moves, replay.first_dead)
    if found is None:
        return
    replay.first_dead, replay.dead_method = found
    if any(run.last >= replay.first_dead for run in replay.watch.runs):
        # Where the game was over nobody could claim anything.
        replay.watch = watched(first, moves, replay.watch.profile, replay.first_dead)


def read_quarantine(region: Region, source: str, choice: Choice) -> list[Finding]:
    """Findings on a region that belongs to no game: one that says so, and what is wrong with its bytes."""
    facts = Facts(region, source, None, choice.undated.name)
    check_bytes(facts)
    solid = [token for token in region.tokens if token.kind not in FILLERS]
    if solid:
        reason = "too-long" if region.too_long else "no-game"
        facts.add("P110", solid[0], reason=reason, count=len(region.data))
    return facts.findings()


def check_bytes(facts: Facts) -> None:
    """Report bytes that are not UTF-8, and NULs, byte order marks and invisible blanks (P101): each kind once."""
    region = facts.region
    if facts.encoding != "utf-8":
        data = region.data
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            span = Token(Kind.WORD, region.offset + error.start, region.offset + error.end)
            count = sum(byte >= 0x80 for byte in data)
            facts.add("P101", span, token=data[error.start : error.end].decode(facts.encoding), found=facts.encoding, count=count)
    seen: dict[str, list[Token]] = {}
    for token in region.tokens:
        if token.kind in _FOUND and not (token.kind is Kind.BOM and token.start == 0):
            seen.setdefault(_FOUND[token.kind], []).append(token)
    for found, tokens in seen.items():
        size = sum(token.end - token.start for token in tokens)
        facts.add("P101", tokens[0], token=None, found=found, count=size if found == "nul" else len(tokens))


def _first(facts: Facts) -> Token:
    return next(token for token in facts.region.tokens if token.kind not in FILLERS)


def _report_unjudged(facts: Facts, line: Line, start: Start) -> None:
    """Say how much of the mainline was not judged, behind a bad token or because there is no board (M390)."""
    if line.first_unjudged is None or line.over or start.rules is None:
        return
    ply = line.first_ply + len(line.plies) + (line.bad_token is not None)
    facts.add("M390", line.first_unjudged, Place(ply), count=line.unjudged)


def _movetext(facts: Facts) -> str:
    """Everything behind the tag section."""
    region = facts.region
    start = None
    for token in region.tokens:
        if token.kind in FILLERS:
            continue
        if token.kind not in (Kind.TAG, Kind.BAD_TAG):
            start = token.start
            break
    if start is None:
        return ""
    return region.data[start - region.offset :].decode(facts.encoding, "replace").strip(BLANKS)
