"""Replays movetext on a board: the mainline and every variation, each on its own.

A token that means no legal move stops the line it stands in, and nothing else: the variations around it, the mainline
around a bad variation, the result, and the next game are not touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from chesstools.finding import Severity
from chesstools.limits import MAX_TOKEN_CHARS, MAX_VARIATION_DEPTH
from chesstools.reference import illegal, san
from chesstools.reference.comment_position import is_on_board, position_in
from chesstools.reference.comments import comment_text
from chesstools.reference.draws import DrawWatch
from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import COMMENTS, FILLERS, Kind, Token
from chesstools.reference.line import Line, Ply
from chesstools.reference.material import is_dead
from chesstools.reference.notation import WrongNumber, check_form, check_number
from chesstools.reference.past import Past
from chesstools.reference.setup_check import side_name
from chesstools.tree import Comment, Nag, Unread

SUFFIX_NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_TAGS = frozenset({Kind.TAG, Kind.BAD_TAG})
_MOVES = frozenset({Kind.MOVE, Kind.NULL, Kind.WORD})


@dataclass(slots=True)
class Frame:
    """A line that is being replayed, and the board at its end."""

    line: Line
    board: chess.Board | None
    past: Past
    opened: Token | None = None
    number: Token | None = None
    """The move number read last, if no move has come since."""
    dots: str = ""
    shift: int = 0
    """By how much the numbers as written run ahead of the board's."""
    can_take_back: bool = False


class Replay:
    """Replays the tokens of one game. After `run`, `mainline` holds what was replayed."""

    def __init__(self, facts: Facts, board: chess.Board | None, watch: DrawWatch | None) -> None:
        self.facts = facts
        self.board = board
        """The board of the mainline; at the end, the final position. None where none could be set up."""
        self.watch = watch
        self.first_dead: int | None = None
        self.dead_method: str | None = None
        """What it rests on that the position was dead: a method of `chesstools.reference.winnable`."""
        self.mainline = Line(None, 1, stopped=board is None)
        past = Past() if board is None else Past.of(board)
        self._stack = [Frame(self.mainline, board, past)]
        self._too_deep = 0
        self.wrong_numbers: list[WrongNumber] = []
        """Those of the mainline, to be reported when it is known how it goes on."""
        self.base_shift = 0
        """By how much the numbers of the mainline ran ahead of the board's at the first one."""
        self._position_differs = False
        self._suffixes: list[tuple[Token, Place]] = []
        self._numbers: list[Token] = []
        """Move numbers and dots right before the next token."""
        self._raw: Line | None = None
        """The line whose end cannot be replayed and goes into the game tree as text."""
        self._raw_is_variation = False
        if watch is not None and board is not None:
            self._watch_position(board, 0)

    def run(self) -> None:
        """Go through the movetext up to the termination marker, and the comments behind it."""
        region = self.facts.region
        end = len(region.tokens) if region.terminator is None else region.terminator
        for token in region.tokens[:end]:
            if token.kind in FILLERS or token.kind in _TAGS:
                continue
            if self._raw is not None:
                self._keep(self._raw, token)
            if token.kind is Kind.OPEN:
                self._open(token)
            elif token.kind is Kind.CLOSE:
                self._close(token)
            elif not self._too_deep:
                self._token(token)
            if token.kind is Kind.NUMBER or token.kind is Kind.DOTS:
                self._numbers.append(token)
            elif self._numbers:
                self._numbers = []
        for frame in self._stack[1:]:
            if frame.opened is not None:
                self.facts.add("P103", frame.opened, found="(", reason="unclosed", token="(")
        del self._stack[1:]
        self._report_suffixes()
        self._raw = self.mainline  # what stands behind the game is no part of its lines
        for token in region.tokens[end + 1 :]:
            if token.kind in COMMENTS:
                self._comment(self._stack[0], token)

    # ------------------------------------------------------------------------------------------- tokens

    def _token(self, token: Token) -> None:
        frame = self._stack[-1]
        kind = token.kind
        if kind in _MOVES:
            self._move(frame, token)
        elif kind is Kind.NUMBER:
            frame.number, frame.dots = token, ""
        elif kind is Kind.DOTS:
            frame.dots = (frame.dots + self.facts.text(token))[:MAX_TOKEN_CHARS]
        elif kind in COMMENTS:
            self._comment(frame, token)
        elif kind is Kind.NAG or kind is Kind.SUFFIX:
            self._nag(frame, token)
        elif kind is Kind.BAD_NAG:
            self.facts.add("P111", token, self._place(frame))
            self._unread(frame, token)
        elif kind is Kind.EN_PASSANT:
            self._en_passant_mark(frame, token)
        elif kind is Kind.RESULT:
            # A result inside a variation ends nothing.
            self.facts.add("P108", token, self._place(frame), severity=Severity.INFO, reason="in-variation", count=1)
            self._unread(frame, token)
        elif kind is Kind.SYMBOL:
            self.facts.add("P110", token, self._place(frame), reason="stray-symbol")
            self._unread(frame, token)
        elif kind is Kind.OFFER:
            self._unread(frame, token)

    def _place(self, frame: Frame, ply: int | None = None) -> Place:
        number = ply if ply is not None else max(frame.line.next_ply - 1, 0)
        return Place(number or None, frame.line.path)

    def _comment(self, frame: Frame, token: Token) -> None:
        if token.kind is Kind.OPEN_COMMENT:
            self.facts.add("P102", token, self._place(frame), reason="never-closed", count=token.end - token.start)
        if token.kind is Kind.NESTED_COMMENT:
            self.facts.add("P102", token, self._place(frame), reason="nested", count=token.end - token.start)
        elif token.kind is Kind.INNER_BRACE_COMMENT:
            count = token.end - token.start
            self.facts.add("P102", token, self._place(frame), severity=Severity.WARNING, reason="inner-brace", count=count)
        text = comment_text(token, self.facts.text(token))
        if frame.line.stopped and frame.line.rest:
            return  # it belongs to a move that was not judged; the movetext keeps it
        target = frame.line.plies[-1].comments if frame.line.plies else frame.line.comments
        if text:
            target.append(text)
            self._item(frame, Comment(text))
        if frame.board is not None and not self._position_differs:
            self._compare_position(frame, frame.board, token, text)
        if frame.line.plies:
            self.on_comment(frame.line, frame.line.plies[-1], token, text)

    def _compare_position(self, frame: Frame, board: chess.Board, token: Token, text: str) -> None:
        """Report a comment that gives another position than the one on the board: the first of a game."""
        found = position_in(text)
        if found is None:
            return
        fen, men, turn = found
        if not is_on_board(board, men, turn):
            self.facts.add("F230", token, self._place(frame), expected=board.fen(), found=fen)
            self._position_differs = True

    def on_comment(self, line: Line, ply: Ply, token: Token, text: str) -> None:
        """A comment stands behind `ply`: a place for subclasses to read it."""

    def _nag(self, frame: Frame, token: Token) -> None:
        text = self.facts.text(token)
        if token.kind is Kind.SUFFIX:
            self._suffixes.append((token, self._place(frame)))
        number = int(text[1:]) if token.kind is Kind.NAG else SUFFIX_NAGS.get(text[:2], SUFFIX_NAGS[text[0]])
        if number > 255:
            self.facts.add("P111", token, self._place(frame))
            self._unread(frame, token)
            return
        if frame.line.plies and not frame.line.stopped:
            nags = frame.line.plies[-1].nags
        elif self._raw is None:
            nags = frame.line.nags
        else:
            return
        if number not in nags:
            nags.append(number)
            self._item(frame, Nag(number))

    def _report_suffixes(self) -> None:
        """Annotations as suffixes: one finding a game, at the first."""
        if self._suffixes:
            token, place = self._suffixes[0]
            text = self.facts.text(token)
            glyph = SUFFIX_NAGS.get(text[:2], SUFFIX_NAGS[text[0]])
            self.facts.add("N407", token, place, expected=f"${glyph}", count=len(self._suffixes))

    def _en_passant_mark(self, frame: Frame, token: Token) -> None:
        if frame.line.stopped:
            self._unread(frame, token)
            return
        if frame.line.plies and frame.line.plies[-1].en_passant:
            self.facts.add("N404", token, self._place(frame), expected=frame.line.plies[-1].san)
        else:
            self.facts.add("P110", token, self._place(frame), reason="stray-symbol")
            self._unread(frame, token)

    # ------------------------------------------------------------------------------------------ game tree

    def _item(self, frame: Frame, item: Comment | Nag | Unread | Line) -> None:
        """Put something into the game tree, behind the last move or before the first one."""
        if self._raw is None:
            line = frame.line
            (line.plies[-1].after if line.plies else line.before).append(item)

    def _unread(self, frame: Frame, token: Token) -> None:
        self._item(frame, Unread(self.facts.text(token)))

    def _begin_raw(self, line: Line, tokens: list[Token], *, in_variation: bool) -> None:
        """From here on nothing of `line` can be replayed: it is kept as it stands."""
        if self._raw is None:
            self._raw, self._raw_is_variation = line, in_variation
            line.raw = tokens

    def _keep(self, line: Line, token: Token) -> None:
        """Keep one more token of a part that is not replayed; the bracket that closes the line ends it."""
        if token.kind is Kind.CLOSE:
            if line.raw_open == 0 and self._raw_is_variation:
                self._raw = None
                return
            line.raw_open = max(0, line.raw_open - 1)
        elif token.kind is Kind.OPEN:
            line.raw_open += 1
        line.raw.append(token)

    # ---------------------------------------------------------------------------------------- variations

    def _open(self, token: Token) -> None:
        if self._too_deep or len(self._stack) > MAX_VARIATION_DEPTH:
            if not self._too_deep:
                self.facts.add("P103", token, self._place(self._stack[-1]), found="(", reason="too-deep")
                unplayed = Line(None, 0, stopped=True)
                self._item(self._stack[-1], unplayed)
                self._begin_raw(unplayed, [], in_variation=True)
            self._too_deep += 1
            return
        parent = self._stack[-1]
        line = parent.line
        board = None
        past = parent.past
        ply = line.next_ply
        if parent.board is not None and not (line.stopped and line.unjudged):
            if line.stopped or not line.plies or not parent.can_take_back:
                board = parent.board.copy(stack=False)
            else:
                board = parent.board.copy(stack=1)
                board.pop()
                if board.uci_variant == "crazyhouse":
                    # python-chess gives back the very pockets that it put by, which the next variation here wants unchanged.
                    board = board.copy(stack=False)
                ply -= 1
            past = past.branch(ply)
        owner = line.plies[-1] if line.plies and not line.stopped else None
        number = len(owner.variations) + 1 if owner is not None else 1
        step = f"{ply}.{number}"
        child = Line(step if line.path is None else f"{line.path}/{step}", ply, stopped=board is None)
        if owner is not None:
            owner.variations.append(child)
        self._item(parent, child)
        self._stack.append(Frame(child, board, past, token, shift=parent.shift))

    def _close(self, token: Token) -> None:
        if self._too_deep:
            self._too_deep -= 1
        elif len(self._stack) == 1:
            self.facts.add("P103", token, self._place(self._stack[0]), found=")", reason="stray")
            self._unread(self._stack[0], token)
        else:
            frame = self._stack.pop()
            line = self._stack[-1].line
            if line.path is None and line.plies and not line.stopped and frame.opened is not None:
                line.plies[-1].variation_spans.append((frame.opened.start, token.end))

    # --------------------------------------------------------------------------------------------- moves

    def _move(self, frame: Frame, token: Token) -> None:
        line, board = frame.line, frame.board
        number, dots = frame.number, frame.dots
        frame.number, frame.dots = None, ""
        if line.stopped or board is None:
            line.unjudged += 1
            line.first_unjudged = line.first_unjudged or token
            line.rest.append(self.facts.text(token))
            line.rest_tokens.append(token)
            self._begin_raw(line, [*self._numbers, token], in_variation=len(self._stack) > 1)
            return
        numbered = None
        if number is not None:
            text = self.facts.text(number) + dots
            if not line.plies and line.path is None and text.rstrip(".…") == "1":
                # Many programs count from 1 whatever move number the FEN gives.
                frame.shift = self.base_shift = 1 - board.fullmove_number
            numbered, wrong = check_number(board, number, text, frame.shift, self._place(frame, line.next_ply))
            if wrong is not None:
                frame.shift = wrong.shift
                if line.path is None:
                    self.wrong_numbers.append(wrong)
                else:
                    self.facts.add("N420", number, wrong.place, token=text, expected=wrong.expected, found=text)
        text = self.facts.text(token)
        if token.kind is Kind.NULL:
            self._null(frame, board, token, text)
            return
        written = san.read(text) if token.kind is Kind.MOVE else None
        move = None
        rivals: list[chess.Move] = []
        if written is not None:
            try:
                move = san.resolve(board, written)
            except san.Ambiguous as ambiguous:
                rivals = ambiguous.moves
        if move is None:
            self._bad(frame, board, token, text, written, rivals, numbered)
        else:
            self._make(frame, board, token, text, written, move)

    def _make(
        self,
        frame: Frame,
        board: chess.Board,
        token: Token,
        text: str,
        written: san.Written | None,
        move: chess.Move,
    ) -> None:
        line = frame.line
        number = line.next_ply
        body = san.standard_body(board, move)
        castling = None
        captured = None
        en_passant = False
        role = move.drop or board.piece_type_at(move.from_square)
        if body.startswith("O-O"):
            castling = "queenside" if body == "O-O-O" else "kingside"
        elif "x" in body:
            en_passant = board.is_en_passant(move)
            captured = chess.PAWN if en_passant else board.piece_type_at(move.to_square)
        frame.past.add(board, move, number)
        board.push(move)
        check, mate, mark = san.marks(board)
        standard = body + mark
        if text != standard and written is not None:
            place = self._place(frame, number)
            check_form(self.facts, board, token, text, written, body, check, mark == "#", place)
        ply = Ply(number, token, text, standard, move, role, captured, check, mate, castling, en_passant, board.halfmove_clock)
        line.plies.append(ply)
        frame.can_take_back = True
        if line.path is None:
            self.on_mainline(ply, board)

    def on_mainline(self, ply: Ply, board: chess.Board) -> None:
        """`ply` has just been made on the mainline."""
        if self.watch is not None:
            self._watch_position(board, ply.number)
            ply.repetition = self.watch.repetition

    def _watch_position(self, board: chess.Board, index: int) -> None:
        assert self.watch is not None
        if self.first_dead is None and chess.popcount(board.occupied) <= 16 and is_dead(board, self.watch.profile.dead_position):
            self.first_dead = index
            self.watch.over = True
        self.watch.add(board, index)

    def _null(self, frame: Frame, board: chess.Board, token: Token, text: str) -> None:
        """A null move is no move, but its meaning is plain: report it and go on. Out of check it cannot be."""
        place = self._place(frame, frame.line.next_ply)
        severity = None if frame.line.path is None else Severity.WARNING
        if not san.can_pass(board):
            self._bad(frame, board, token, text, None, [], None)
            return
        self.facts.add("M304", token, place, severity=severity, fen=board.fen(), side=side_name(board.turn))
        if frame.line.path is None:
            self.watch = None  # rights to claim are not judged in a game with passes
        board.push(chess.Move.null())
        frame.line.plies.append(
            Ply(
                frame.line.next_ply, token, text, "--", chess.Move.null(), None, None, board.is_check(), False, None, False,
                board.halfmove_clock,
            )
        )  # fmt: skip
        frame.can_take_back = True
        if frame.line.path is None:
            self.on_mainline(frame.line.plies[-1], board)

    def _bad(
        self,
        frame: Frame,
        board: chess.Board,
        token: Token,
        text: str,
        written: san.Written | None,
        rivals: list[chess.Move],
        numbered: chess.Color | None,
    ) -> None:
        """Report a token that means no legal move, and stop its line."""
        line = frame.line
        line.stopped = True
        line.bad_token = token
        line.rest.append(text)
        line.rest_tokens.append(token)
        self._begin_raw(line, [*self._numbers, token], in_variation=len(self._stack) > 1)
        place = self._place(frame, line.next_ply)
        fen = board.fen()
        if not any(board.generate_legal_moves()):
            line.over = True
            if token.kind is Kind.WORD:
                self.facts.add("P110", token, place, fen=fen, reason="unknown-word")
            return  # that the game went on is reported with the count of the moves that follow
        if rivals:
            full = [board.san(move) for move in rivals]
            self.facts.add("N401", token, place, fen=fen, legal_alternatives=full)
            return
        if token.kind is Kind.WORD:
            self.facts.add("P110", token, place, fen=fen, reason="unknown-word")
            return
        evidence: dict[str, object] = {"side": side_name(board.turn)}
        if token.kind is Kind.NULL:
            code = "M304"
        elif written is None:
            self.facts.add("P110", token, place, fen=fen, reason="unknown-word")
            return
        else:
            code, reasons = illegal.explain(board, written, frame.past, line.next_ply, numbered)
            evidence |= reasons
            line.wrong_side = code == "M301"
            choices = illegal.alternatives(board, written, text)
            evidence |= {"legal_alternatives": choices or None, "nearest": choices[0] if choices else None}
        self.facts.add(code, token, place, evidence, fen=fen)
