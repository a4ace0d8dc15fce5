"""Facts to rows: one game becomes a row of games, its moves rows of plies, its findings rows of findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import chess
import pyarrow as pa
import xxhash

from chesstools.finding import Finding
from chesstools.reference import claims, values
from chesstools.reference.game import GameFacts
from chesstools.reference.line import Ply
from chesstools.reference.tags import ROSTER
from chesstools.reference.text import trim
from chesstools.schema import EVIDENCE_COLUMNS, SCHEMAS
from chesstools.time_control import TimeControl

_TYPED = {column.name: column.type for column in EVIDENCE_COLUMNS}
_SEPARATOR = "\x1f"


class Rows:
    """Rows of one table, gathered column by column."""

    def __init__(self, table: str) -> None:
        self.schema: pa.Schema = SCHEMAS[table]
        self._columns: list[list[Any]] = [[] for _ in self.schema]

    def add(self, row: Iterable[Any]) -> None:
        """Add one row: a value for each column but `source`, in the order of the schema."""
        for column, value in zip(self._columns[1:], row, strict=True):
            column.append(value)

    def batch(self, source: str) -> pa.RecordBatch:
        """The rows as one batch, with `source` in the first column."""
        count = len(self._columns[1])
        indices = pa.array([0] * count, pa.int32())
        arrays = [pa.DictionaryArray.from_arrays(indices, pa.array([source], pa.string()))]
        arrays += [pa.array(column, kind.type) for column, kind in zip(self._columns[1:], list(self.schema)[1:], strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def finding_row(finding: Finding) -> list[Any]:
    """One row of findings, without `source`."""
    where = finding.where
    typed = [finding.evidence.get(name) for name in _TYPED]
    rest = [(name, str(value)) for name, value in finding.evidence.items() if name not in _TYPED]
    return [
        where.game_index,
        finding.code,
        finding.severity.value,
        where.ply,
        where.line,
        where.byte_offset,
        where.byte_length,
        where.variation,
        finding.token,
        finding.fen_before,
        *typed,
        rest,
        finding.profile,
    ]


def game_row(game: GameFacts, game_index: int) -> list[Any]:
    """One row of games, without `source`."""
    tags, ending, watch = game.tags, game.ending, game.watch
    date = values.parse_date(tags.get("Date") or "") or values.Date()
    said = tags.get("TimeControl") or ""
    control = TimeControl.parse(said)
    counts = dict.fromkeys(("error", "warning", "info"), 0)
    for finding in game.findings:
        counts[finding.severity.value] += 1
    moves = moves_text(game)
    automatic = claims.first_automatic(watch, game.first_dead)
    return [
        game_index,
        game.region.offset,
        len(game.region.data),
        game.region.line,
        game_id(game, moves),
        xxhash.xxh3_64_intdigest(moves.encode()),
        tags.get("Event"),
        tags.get("Site"),
        tags.get("Date"),
        date.value,
        date.year,
        date.month,
        date.day,
        tags.get("Round"),
        tags.get("White"),
        tags.get("Black"),
        tags.get("Result"),
        ending.result,
        ending.marker,
        tags.get("WhiteElo"),
        values.parse_elo(tags.get("WhiteElo") or ""),
        tags.get("BlackElo"),
        values.parse_elo(tags.get("BlackElo") or ""),
        tags.get("WhiteTitle"),
        tags.get("BlackTitle"),
        tags.get("ECO"),
        tags.get("Opening"),
        tags.get("Variant"),
        game.start.rules,
        tags.get("TimeControl"),
        control.base_s if control else None,
        control.increment_s if control else None,
        trim(said).split(":") if control and control.periods else None,
        control.kind if control else None,
        [asdict(period) for period in control.periods] if control and control.periods else None,
        tags.get("UTCDate"),
        tags.get("UTCTime"),
        tags.get("Annotator"),
        tags.get("Termination"),
        tags.pairs,
        tags.unread or None,
        game.encoding,
        game.movetext,
        _joined(game.mainline.comments),
        game.plies_written,
        len(game.mainline.plies),
        game.start_fen,
        game.final_fen,
        ending.status,
        ending.reason,
        ending.basis,
        watch.first_threefold if watch else None,
        watch.first_fivefold if watch else None,
        watch.first_fifty if watch else None,
        watch.first_seventyfive if watch else None,
        game.first_dead,
        *(index for span in claims.spans(watch) for index in (span.first, span.last)),
        automatic,
        None if automatic is None else len(game.mainline.plies) - automatic,
        ending.unclaimed_draw,
        counts["error"],
        counts["warning"],
        counts["info"],
        sorted({finding.code for finding in game.findings}),
        game.chosen.profile.name,
        game.chosen.reason,
    ]


def compared_row(game: GameFacts, game_index: int) -> list[Any]:
    """What a game is compared with others by (`chesstools.schema.COMPARED`), without `source`."""
    return [
        game_index,
        game.region.offset,
        len(game.region.data),
        game.region.line,
        xxhash.xxh3_64_intdigest(moves_text(game).encode()),
        game.tags.get("White"),
        game.tags.get("Black"),
        game.plies_written,
        len(game.mainline.plies),
        game.chosen.profile.name,
    ]


def moves_text(game: GameFacts) -> str:
    """Start position (empty for the array) and the replayed mainline in UCI: what `moves_hash` is the hash of."""
    start = "" if game.start_fen in (None, chess.STARTING_FEN) else game.start_fen
    return f"{start}|" + " ".join(ply.move.uci() for ply in game.mainline.plies)


def game_id(game: GameFacts, moves: str) -> str:
    """32 hexadecimal digits made from the seven roster tags, the moves, and what stands behind a bad move."""
    roster = _SEPARATOR.join(game.tags.get(name) or "" for name in ROSTER)
    text = _SEPARATOR.join((roster, moves, " ".join(game.mainline.rest)))
    return xxhash.xxh3_128_hexdigest(text.encode("utf-8", "replace"))


def ply_row(game: GameFacts, game_index: int, ply: Ply) -> list[Any]:
    """One row of plies, without `source`."""
    move = ply.move
    null = not move
    drop = move.drop is not None
    notes = ply.annotations
    data, offset = game.region.data, game.region.offset
    variations = [data[start - offset : end - offset].decode(game.encoding, "replace") for start, end in ply.variation_spans]
    target = move.to_square
    if ply.castling and game.start.rules == "chess960":
        target = chess.square(6 if ply.castling == "kingside" else 2, chess.square_rank(move.from_square))
    return [
        game_index,
        ply.number,
        ply.written,
        ply.san,
        move.uci(),
        None if ply.role is None else chess.piece_name(ply.role),
        None if null or drop else chess.square_name(move.from_square),
        None if null else chess.square_name(target),
        None if ply.captured is None else chess.piece_name(ply.captured),
        None if move.promotion is None else chess.piece_name(move.promotion),
        ply.check,
        ply.mate,
        ply.castling,
        ply.en_passant,
        ply.position_key,
        ply.halfmove_clock,
        ply.repetition,
        notes.clock_ms,
        notes.elapsed_ms,
        ply.used_ms,
        notes.eval_cp,
        notes.eval_mate,
        notes.eval_depth,
        ply.nags or None,
        _joined(ply.comments),
        _joined(variations),
    ]


def _joined(texts: list[str]) -> str | None:
    return " ".join(texts) or None
