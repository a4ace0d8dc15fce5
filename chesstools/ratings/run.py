"""Rates games one after the other, under one or more methods, and writes down what happened to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from chesstools.errors import OptionError
from chesstools.ratings import periods
from chesstools.ratings.games import Game
from chesstools.ratings.initial import Initial
from chesstools.ratings.methods import SCORES, Elo, Glicko2, Method, Points
from chesstools.ratings.output import Output
from chesstools.ratings.players import Player, day_text
from chesstools.ratings.settings import Settings
from chesstools.ratings.state import State
from chesstools.ratings.tables import PLAYERS
from chesstools.rules import get_rule
from chesstools.schema import FINDINGS

AMBIGUOUS, SKIPPED = "G950", "G951"

UNDATED_PERIOD = "undated"

_LONG = 24  # signs of a difference that a finding tells


@dataclass(slots=True)
class Counts:
    """How many games."""

    games: int = 0
    """That were looked at."""
    counted: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """That were not counted, by reason (`chesstools.ratings.policy.REASONS`)."""
    tainted: int = 0
    """Counted games with an illegal move."""
    ambiguous: int = 0
    """Counted games for which the points system has not one answer."""
    rounded: int = 0
    """Counted games whose transfer of points was rounded."""


class Run:
    """Takes games in order (`add`), then tells of the players (`players`)."""

    def __init__(self, settings: Settings, initial: Mapping[str, Initial], state: State, output: Output) -> None:
        self.counts = Counts()
        self.state = state
        self._policy = settings.policy
        self._player = settings.policy.player()
        self._players: dict[str, Player] = {}
        self._methods = _methods(settings, initial)
        self._games = [output.games(method.name) for method in self._methods]
        self._findings = output.findings()
        named = {method.name: settings.period_of(method.name) for method in self._methods}
        self._numberings = {name: periods.numbering(period) for name, period in named.items() if period not in (None, "game")}
        self._severity = {code: get_rule(code).severity.value for code in (AMBIGUOUS, SKIPPED)}

    def take_up(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Go on with players as they are in a state."""
        methods = {method.name: method for method in self._methods}
        names = ("name", "games", "wins", "draws", "losses", "first_day", "last_day")
        for row in rows:
            key = row["player"]
            self._players.setdefault(key, Player(key, *(row[name] for name in names)))
            methods[row["method"]].read(row)

    def written(self) -> Iterable[dict[str, Any]]:
        """The rows of the state: all players, under each method."""
        names = ("name", "games", "wins", "draws", "losses", "first_day", "last_day")
        for method in self._methods:
            for key, player in self._players.items():
                told = {name: getattr(player, name) for name in names}
                yield {"method": method.name, "player": key, **told, **method.written(key)}

    def add(self, games: Sequence[Game]) -> None:
        """Rate games. Raises OptionError where the first comes before games that were rated already."""
        if games and self.state.place is not None and games[0].place < self.state.place:
            until = day_text(int(self.state.place[0]))
            first = f"Game {games[0].game_index} of {games[0].source} ({day_text(games[0].day)})"
            raise OptionError(
                f"{first} comes before games that the state counts (up to {until}); rate all games anew, without the state."
            )
        last: Game | None = None
        for game in games:
            self.counts.games += 1
            self.state.read += 1
            white, black = self._player(game.white), self._player(game.black)
            reason = self._policy.why_not(game, white, black)
            if reason is not None or white is None or black is None or game.result is None:
                self.counts.skipped[str(reason)] += 1
                self._find(game, SKIPPED, {"evidence": [("reason", reason)]})
                continue
            last = game
            self._rate(game, self._known(white, game.white, game.white_elo), self._known(black, game.black, game.black_elo))
        if last is not None:
            self.state.place = last.place

    def players(self) -> dict[str, pa.Table]:
        """The table of players of each method, the best first."""
        return {method.name: self._standings(method) for method in self._methods}

    def _known(self, key: str, name: str | None, elo_tag: int | None) -> Player:
        player = self._players.get(key)
        if player is None:
            player = self._players[key] = Player(key, self._policy.shown(name or ""))
            for method in self._methods:
                method.meet(player, elo_tag)
        return player

    def _rate(self, game: Game, white: Player, black: Player) -> None:
        counts, state = self.counts, self.state
        counts.counted += 1
        counts.tainted += game.illegal
        state.counted += 1
        assert game.result is not None
        common = (
            *(state.counted, game.source, game.game_index, game.game_id, day_text(game.day), white.name, black.name, game.result),
            *(game.illegal, white.games, black.games),
        )
        for method, rows in zip(self._methods, self._games, strict=True):
            if method.has_periods:
                number, name = self._period(method.name, game)
                rows.add((*common, name, *method.play(white, black, game.result, number)))
            else:
                rows.add((*common, *method.play(white, black, game.result, 0)))
                counts.rounded += method.has_rounded
            if method.ambiguous is not None:
                self._tell_ambiguous(game, method)
        if not game.is_dated:
            state.undated = True
        white.score(SCORES[game.result], game.day)
        black.score(1 - SCORES[game.result], game.day)

    def _period(self, method: str, game: Game) -> tuple[int, str | None]:
        """Number and name of the period. Games without a year are in one more, behind the last."""
        last = self.state.period.get(method, 0)
        numbering = self._numberings.get(method)
        name: str | None = None
        if numbering is None:
            number = self.state.counted
        elif game.is_dated:
            number, name = numbering(game.day)
        else:
            number, name = (last if self.state.undated else last + 1), UNDATED_PERIOD
        self.state.period[method] = number
        return number, name

    def _tell_ambiguous(self, game: Game, method: Method) -> None:
        self.counts.ambiguous += 1
        assert isinstance(method, Points)
        assert method.last is not None
        text = method.difference()
        found = text if len(text) <= _LONG else f"{text[:_LONG]}…"
        used = "undefined" if method.last.branch == "undefined" else method.last.kind
        self._find(game, AMBIGUOUS, {"found": found, "expected": used, "evidence": [("reason", method.ambiguous)]})

    def _find(self, game: Game, code: str, evidence: dict[str, Any]) -> None:
        row = {
            "source": game.source,
            "game_index": game.game_index,
            "code": code,
            "severity": self._severity[code],
            "line": game.line,
            "byte_offset": game.byte_offset,
            "byte_length": game.byte_length,
            "evidence": [],
            "profile": game.profile,
            **evidence,
        }
        self._findings.add([row.get(name) for name in FINDINGS.names])

    def _standings(self, method: Method) -> pa.Table:
        last = self.state.period.get(method.name, 0)
        ordered = sorted(self._players.values(), key=lambda player: player.name)
        ordered.sort(key=method.order, reverse=True)
        rows = []
        rank, before = 0, None
        for number, player in enumerate(ordered, 1):
            value = method.order(player)
            rank, before = (rank, before) if value == before else (number, value)
            common = (rank, player.name, player.games, player.wins, player.draws, player.losses)
            score = (player.wins + player.draws / 2) / player.games
            days = (day_text(player.first_day), day_text(player.last_day))
            rows.append((*common, score, *days, *method.standing(player, last)))
        schema = PLAYERS[method.name]
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
        return pa.Table.from_arrays(
            [pa.array(list(column), column_field.type) for column, column_field in zip(columns, schema, strict=True)],
            schema=schema,
        )


def _methods(settings: Settings, initial: Mapping[str, Initial]) -> list[Method]:
    found: list[Method] = []
    for name in dict.fromkeys(settings.methods):
        if name == "elo":
            found.append(Elo(settings.elo, initial[name]))
        elif name == "glicko2":
            found.append(Glicko2(settings.glicko2, initial[name], by_game=settings.period_of(name) == "game"))
        else:
            found.append(Points(settings.points, initial[name]))
    return found
