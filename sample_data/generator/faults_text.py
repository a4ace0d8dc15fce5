"""Broken movetext: encoding, comments, variations, results, unknown words, glyphs, commands in comments."""

from __future__ import annotations

from generator.annotate import move_number
from generator.faults import Maker, insert_after, kind, note_tail, pick_ply, prefix, stopped
from generator.score import ROSTER, Sheet, Tag, Token
from generator.styles import Draft

_WESTERN = ("Müller, Jürgen", "García, Inés", "Bjørn, Åse", "Lefèvre, Zoë")
_INVISIBLE = ("\u00a0", "\u200b", "\u2060")
_WORDS = ("foo", "resigns", "illegible", "Qd9", "Nf", "Xe5", "a9", "adjourned")
_TALK = ("White has a little more space here.", "Black can hold this.", "Other moves were tried as well.")
_PROSE = ("Games of the club, second part", "Round three follows", "From the archive of the library")


@kind("bad-encoding", "P101")
def bad_encoding(maker: Maker) -> Sheet | None:
    """Windows-1252 bytes, NUL bytes, a byte order mark or an invisible blank inside a game."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    found = maker.rng.choice(("cp1252", "nul", "bom", "invisible"))
    if found == "cp1252":
        return _western(maker, sheet)
    text = {"nul": "\0" * maker.rng.randrange(1, 20), "bom": "\ufeff", "invisible": maker.rng.choice(_INVISIBLE)}[found]
    stray = Token("stray", text)
    insert_after(sheet, pick_ply(maker, play), [stray])
    sheet.add("P101", "warning", None, stray, found)
    return sheet


def _western(maker: Maker, sheet: Sheet) -> Sheet | None:
    sheet.put(maker.rng.choice(("White", "Black")), maker.rng.choice(_WESTERN))
    sheet.encoding = "cp1252"
    text = "".join(tag.text() for tag in sheet.tags) + "".join(token.text for token in sheet.tokens)
    if any(not _in_cp1252(sign) for sign in text):
        return None
    first = next(tag for tag in sheet.tags if not tag.text().isascii())
    sheet.add("P101", "warning", None, first, "cp1252")
    return sheet


def _in_cp1252(sign: str) -> bool:
    try:
        sign.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@kind("unterminated-comment", "P102")
def unterminated_comment(maker: Maker) -> Sheet | None:
    """A comment that is never closed: it takes in everything up to the result."""
    play = maker.open_game(8)
    ply = maker.rng.randrange(2, len(play))
    draft = Draft.of(prefix(play, ply))
    sheet = maker.write(draft)
    marker = sheet.tokens.pop()
    comment = Token("comment", "{the usual move")
    sheet.tokens.append(comment)
    for later in range(ply + 1, len(play) + 1):
        sheet.tokens += [Token("swallowed", draft.number(later)), Token("swallowed", play.sans[later - 1])]
    sheet.tokens.append(marker)
    sheet.open_ended = True
    sheet.add("P102", "error", ply, comment, "never closed")
    return sheet


@kind("inner-brace", "P102")
def inner_brace(maker: Maker) -> Sheet | None:
    """A brace inside a comment: comments do not nest."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    nested = maker.rng.random() < 0.5
    text = "{see {the note} above}" if nested else "{see {the note above}"
    comment = Token("comment", text)
    ply = pick_ply(maker, play)
    insert_after(sheet, ply, [comment])
    sheet.add("P102", "error" if nested else "warning", ply, comment, "nested" if nested else "inner brace")
    return sheet


@kind("comment-position", "F230")
def comment_position(maker: Maker) -> Sheet | None:
    """A comment gives the position of another ply than the one it stands behind."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    ply = pick_ply(maker, play, first=2)
    fen = play.board_at(ply - 1).fen()
    comment = Token("comment", maker.rng.choice((f"{{{fen}}}", f"{{FEN: {fen}}}", f"{{the board [%fen {fen}] again}}")))
    insert_after(sheet, ply, [comment])
    sheet.add("F230", "warning", ply, comment, fen)
    return sheet


@kind("unbalanced-variation", "P103")
def unbalanced(maker: Maker) -> Sheet | None:
    """A closing parenthesis too much, or a variation to the last move that is never closed."""
    play = maker.open_game()
    if maker.rng.random() < 0.5:
        sheet = maker.write(Draft.of(play))
        stray = Token("stray", ")", glue=maker.rng.random() < 0.5)
        ply = pick_ply(maker, play)
        insert_after(sheet, ply, [stray])
        sheet.add("P103", "error", ply, stray, "stray")
        return sheet
    board = play.board_at(len(play) - 1)
    others = [move for move in board.legal_moves if move != play.moves[-1]]
    if not others:
        return None
    sheet = maker.write(Draft.of(play))
    opening = Token("open", "(")
    number = Token("number", move_number(board), glue=True)
    variation = [opening, number, Token("move", board.san(maker.rng.choice(others)))]
    marker = sheet.marker()
    assert marker is not None
    at = sheet.tokens.index(marker)
    sheet.tokens[at:at] = variation
    sheet.add("P103", "error", None, opening, "unclosed")
    return sheet


@kind("text-after-result", "P108")
def text_after_result(maker: Maker) -> Sheet | None:
    """Moves behind the termination marker, on the same line."""
    play = maker.open_game()
    draft = Draft.of(play)
    board = play.board.copy(stack=False)
    sheet = maker.write(draft)
    first = Token("number", move_number(board))
    more = [first]
    for _ in range(maker.rng.randrange(1, 4)):
        replies = list(board.legal_moves)
        if not replies:
            break
        more.append(Token("after", board.san_and_push(maker.rng.choice(replies))))
    sheet.tokens += more
    sheet.add("P108", "error", None, first, f"{len(more)} tokens")
    return sheet


@kind("no-terminator", "P109")
def no_terminator(maker: Maker) -> Sheet | None:
    """The movetext ends without a result."""
    draft = Draft.of(maker.open_game())
    draft.marker = None
    sheet = maker.write(draft)
    sheet.add("P109", "warning", None, sheet.tokens[-1])
    return sheet


@kind("unknown-word", "P110")
def unknown_word(maker: Maker) -> Sheet | None:
    """A word where a move should be: the line stops there."""
    play = maker.open_game()
    index = maker.rng.randrange(len(play))
    sheet = maker.write(stopped(play, index, maker.rng.choice(_WORDS), maker.rng.choice((0, 3, 200))))
    sheet.drop("PlyCount")
    sheet.add("P110", "error", index + 1, sheet.move(index + 1), "unknown word")
    note_tail(sheet, index + 2)
    return sheet


@kind("stray-symbol", "P110")
def stray_symbol(maker: Maker) -> Sheet | None:
    """A sign that means nothing; the game goes on."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    stray = Token("stray", maker.rng.choice("<>"))
    ply = pick_ply(maker, play)
    insert_after(sheet, ply, [stray])
    sheet.add("P110", "error", ply, stray, "stray symbol")
    return sheet


@kind("prose-between-games", "P110")
def prose(maker: Maker) -> Sheet | None:
    """A line of prose that belongs to no game."""
    if not maker.after_end and not maker.first:
        return None
    sheet = maker.write(Draft.of(maker.game()))
    sheet.lead = ("" if maker.first else "\n") + maker.rng.choice(_PROSE) + "\n\n"
    sheet.add("P110", "error", None, "lead", "outside of any game")
    return sheet


@kind("bad-nag", "P111")
def bad_nag(maker: Maker) -> Sheet | None:
    """A numeric glyph above 255, or without a number."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    nag = Token("nag", maker.rng.choice(("$300", "$", "$999")))
    ply = pick_ply(maker, play)
    insert_after(sheet, ply, [nag])
    sheet.add("P111", "warning", ply, nag)
    return sheet


@kind("long-line", "P112")
def long_line(maker: Maker) -> Sheet | None:
    """The whole movetext on one line, with a comment that alone makes it too long."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    insert_after(sheet, pick_ply(maker, play), [Token("comment", "{" + " ".join(maker.rng.choices(_TALK, k=12)) + "}")])
    sheet.width = None
    return sheet


@kind("empty-game", "P113")
def empty_game(maker: Maker) -> Sheet | None:
    """Tags and a result, no moves."""
    play = prefix(maker.open_game(), 0)
    play.result, play.reason = maker.rng.choice((("*", "unfinished"), ("1-0", "resigned"), ("1/2-1/2", "agreed")))
    draft = Draft.of(play)
    sheet = maker.write(draft)
    sheet.tokens = [Token("result", play.result)]
    sheet.add("P113", "info", None, "first")
    return sheet


@kind("tag-after-movetext", "P107")
def tag_after_movetext(maker: Maker) -> Sheet | None:
    """A tag pair in the middle of the movetext, or a tag section without an empty line before it."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    if maker.after_end and not maker.first and maker.rng.random() < 0.5:
        sheet.lead = ""
        sheet.add("P107", "warning", None, sheet.tags[0], "no empty line before it")
        return sheet
    ply = pick_ply(maker, play)
    tag = Token("stray", '[Source "notebook"]', ends_line=True)
    insert_after(sheet, ply, [tag])
    sheet.tokens[sheet.tokens.index(tag) - 1].ends_line = True
    sheet.add("P107", "warning", None, tag, "in the movetext")
    return sheet


def _command(maker: Maker, code: str, text: str) -> Sheet | None:
    """Put a command in the comment behind a move, in place of one that is there already."""
    play = maker.open_game()
    sheet = maker.write(Draft.of(play))
    ply = pick_ply(maker, play)
    comment = Token("comment", "{[" + text + "]}" if maker.rng.random() < 0.5 else "{ [" + text + "] }")
    at = sheet.tokens.index(sheet.move(ply)) + 1
    if at < len(sheet.tokens) and sheet.tokens[at].kind == "comment":
        sheet.tokens[at] = comment
    else:
        insert_after(sheet, ply, [comment])
    sheet.add(code, "warning", ply, (comment, "[%"), text)
    return sheet


@kind("clock-syntax", "C701")
def clock_syntax(maker: Maker) -> Sheet | None:
    """A clock that is no time."""
    return _command(maker, "C701", maker.rng.choice(("%clk 1:99", "%clk soon", "%clk 0:75:00", "%emt 12", "%clk 1:00:00:00")))


@kind("eval-syntax", "C706")
def eval_syntax(maker: Maker) -> Sheet | None:
    """An evaluation that is none, or can be read in two ways."""
    return _command(maker, "C706", maker.rng.choice(("%eval M1", "%eval -M3", "%eval 0,17", "%eval better", "%eval +-")))


@kind("missing-tag", "P106")
def missing_tag(maker: Maker) -> Sheet | None:
    """Some of the seven tags of the roster are not there."""
    sheet = maker.write(Draft.of(maker.open_game()))
    names = maker.rng.sample(ROSTER, maker.rng.randrange(1, 4))
    for name in names:
        sheet.drop(name)
    sheet.add("P106", "warning", None, "first", ", ".join(names))
    return sheet


@kind("duplicate-tag", "P105")
def duplicate_tag(maker: Maker) -> Sheet | None:
    """A tag stands twice; the first value counts."""
    sheet = maker.write(Draft.of(maker.open_game()))
    name = maker.rng.choice([tag.name for tag in sheet.tags if tag.name not in ("FEN", "SetUp", "Variant")])
    first = sheet.tag(name)
    assert first is not None
    again = Tag(name, first.value if maker.rng.random() < 0.3 else "another")
    sheet.tags.insert(maker.rng.randrange(sheet.tags.index(first) + 1, len(sheet.tags) + 1), again)
    sheet.add("P105", "warning", None, again, name)
    return sheet


_BROKEN = (
    '[Source "The "Oak" Club"]',
    "[Source Oak]",
    '[Source "C:\\games\\"]',
    '[Source "Oak"',
    '[Source "Oak\nClub"]',
    '[Sour-ce "Oak"]',
)


@kind("bad-tag-pair", "P104")
def bad_tag_pair(maker: Maker) -> Sheet | None:
    """A line that should be a tag pair and is none: quotes, brackets or name are not as they should be."""
    sheet = maker.write(Draft.of(maker.open_game()))
    tag = Tag("Source", "", maker.rng.choice(_BROKEN))
    sheet.tags.insert(maker.rng.randrange(1, len(sheet.tags) + 1), tag)
    sheet.add("P104", "error", None, tag, (tag.raw or "").split("\n")[0])
    return sheet
