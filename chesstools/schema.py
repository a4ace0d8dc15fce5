"""The Arrow schemas of the three tables: games, plies, findings.

Every column carries its meaning, unit and null rule in its field metadata (key ``meaning``), so that any Parquet reader
shows them. The join key of the tables is (`source`, `game_index`).

>>> GAMES.field("white_elo").metadata[b"meaning"].decode()
'Rating of White; null where the tag is missing, empty, 0 or not a number.'
"""

from __future__ import annotations

import pyarrow as pa

SCHEMA_VERSION = 1

TABLES = ("games", "plies", "findings")

_SOURCE = pa.dictionary(pa.int32(), pa.string())
_TEXTS = pa.list_(pa.string())
_TEXT_MAP = pa.map_(pa.string(), pa.string())
_PERIODS = pa.list_(
    pa.struct([("moves", pa.int32()), ("seconds", pa.float64()), ("increment", pa.float64()), ("delay", pa.float64())])
)


def _field(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = True) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"meaning": meaning})


def _tag(name: str, tag: str) -> pa.Field:
    return _field(name, pa.string(), f"Tag {tag}, exactly as written; null where the game has no such tag.")


_KEY = [
    _field("source", _SOURCE, "The file, or archive/member, that this was read from.", nullable=False),
    _field("game_index", pa.int64(), "Number of the game in its source, from 0.", nullable=False),
]

GAMES = pa.schema(
    [
        *_KEY,
        _field("byte_offset", pa.int64(), "First byte of the game in its (decompressed) source, from 0.", nullable=False),
        _field("byte_length", pa.int64(), "Bytes up to the start of the next game or quarantined region.", nullable=False),
        _field("line", pa.int64(), "Line of the first byte, from 1.", nullable=False),
        _field("game_id", pa.string(), "Identity of the game: the same roster tags and moves give the same id.", nullable=False),
        _field("moves_hash", pa.uint64(), "Hash of the start position and the legal mainline moves.", nullable=False),
        _tag("event", "Event"),
        _tag("site", "Site"),
        _tag("date", "Date"),
        _field("date_value", pa.date32(), "Date as a day; null unless year, month and day are all known and possible."),
        _field("year", pa.int16(), "Year of Date; null where unknown."),
        _field("month", pa.int8(), "Month of Date, 1-12; null where unknown."),
        _field("day", pa.int8(), "Day of Date, 1-31; null where unknown."),
        _tag("round", "Round"),
        _tag("white", "White"),
        _tag("black", "Black"),
        _tag("result", "Result"),
        _field(
            "result_value",
            pa.string(),
            "1-0, 0-1, 1/2-1/2 or *: the Result tag, or else the termination marker, in its standard spelling; "
            "null where neither can be read as one of the four.",
        ),
        _field(
            "termination_marker", pa.string(), "The result token that ends the movetext, as written; null where there is none."
        ),
        _tag("white_elo_text", "WhiteElo"),
        _field("white_elo", pa.int16(), "Rating of White; null where the tag is missing, empty, 0 or not a number."),
        _tag("black_elo_text", "BlackElo"),
        _field("black_elo", pa.int16(), "Rating of Black; null where the tag is missing, empty, 0 or not a number."),
        _tag("white_title", "WhiteTitle"),
        _tag("black_title", "BlackTitle"),
        _tag("eco", "ECO"),
        _tag("opening", "Opening"),
        _tag("variant", "Variant"),
        _field(
            "rules",
            pa.string(),
            "The rules the moves were judged by: standard, chess960, or a variant's name; null where the variant is not known.",
        ),
        _tag("time_control", "TimeControl"),
        _field(
            "time_base_s", pa.float64(), "Seconds on the clock at the start; null unless TimeControl is one sudden-death period."
        ),
        _field("time_increment_s", pa.float64(), "Seconds added per move; null unless TimeControl is one sudden-death period."),
        _field("time_stages", _TEXTS, "The periods of TimeControl, as written; null where it is missing or cannot be parsed."),
        _field(
            "time_control_kind",
            pa.string(),
            "unknown, none, sudden_death, increment, delay, periods, per_move, correspondence or sandclock; "
            "null where TimeControl is missing or cannot be parsed.",
        ),
        _field(
            "time_periods",
            _PERIODS,
            "The periods of TimeControl: moves (null: the rest of the game), seconds, seconds of increment or delay per move. "
            "The last one repeats if it has moves. Null where there are none.",
        ),
        _tag("utc_date", "UTCDate"),
        _tag("utc_time", "UTCTime"),
        _tag("annotator", "Annotator"),
        _tag("termination", "Termination"),
        _field("tags", _TEXT_MAP, "Every tag in order, with its exact value; duplicates are kept.", nullable=False),
        _field(
            "unread_tags",
            _TEXTS,
            "Lines that look like tag pairs but could not be read, as they stood; null where there are none.",
        ),
        _field("encoding", pa.string(), "How the bytes of this game were read: utf-8, cp1252 or latin-1.", nullable=False),
        _field("movetext", pa.string(), "Everything after the tag section, as it stood.", nullable=False),
        _field("comment", pa.string(), "Comment before the first move; null where there is none."),
        _field("ply_count", pa.int32(), "Mainline plies as written, judged or not.", nullable=False),
        _field("legal_ply_count", pa.int32(), "Mainline plies replayed, up to the first that could not be.", nullable=False),
        _field("start_fen", pa.string(), "Start position; null where the FEN tag cannot be played from."),
        _field("final_fen", pa.string(), "Position after the last replayed mainline ply; null as for start_fen."),
        _field(
            "final_status",
            pa.string(),
            "What the final position is on the board: checkmate, stalemate, dead (by material) or none; null as for start_fen.",
        ),
        _field(
            "end_reason",
            pa.string(),
            "Why the game ended, as far as the board, the Termination tags, the last comment or the clocks tell; else null. "
            "A draw by repetition or 50 moves that only the board shows could be claimed at the end.",
        ),
        _field("end_basis", pa.string(), "What end_reason rests on: board, termination, comment or clock; null with it."),
        _field(
            "first_threefold_ply",
            pa.int32(),
            "First ply after which a position stood for the third time (9.2), under any profile; null if none.",
        ),
        _field(
            "first_fivefold_ply",
            pa.int32(),
            "First ply after which a position stood for the fifth time (9.6.1), under any profile; null if none.",
        ),
        _field(
            "first_fifty_ply",
            pa.int32(),
            "First ply after which 50 moves by each side had passed (9.3), under any profile; null if none.",
        ),
        _field("first_seventyfive_ply", pa.int32(), "The same for 75 moves (9.6.2); null if none."),
        _field(
            "first_dead_ply",
            pa.int32(),
            "First ply after which neither side could mate, by the profile and as far as it is proved (5.2.2); null if none.",
        ),
        _field(
            "white_repetition_first_ply",
            pa.int32(),
            "First position at which White could claim a draw by repetition (9.2), 0 is the start; null if none.",
        ),
        _field("white_repetition_last_ply", pa.int32(), "The last such position."),
        _field(
            "black_repetition_first_ply",
            pa.int32(),
            "First position at which Black could claim a draw by repetition (9.2), 0 is the start; null if none.",
        ),
        _field("black_repetition_last_ply", pa.int32(), "The last such position."),
        _field(
            "white_fifty_first_ply",
            pa.int32(),
            "First position at which White could claim a draw by the 50-move rule (9.3), 0 is the start; null if none.",
        ),
        _field("white_fifty_last_ply", pa.int32(), "The last such position."),
        _field(
            "black_fifty_first_ply",
            pa.int32(),
            "First position at which Black could claim a draw by the 50-move rule (9.3), 0 is the start; null if none.",
        ),
        _field("black_fifty_last_ply", pa.int32(), "The last such position."),
        _field(
            "first_automatic_draw_ply",
            pa.int32(),
            "First ply after which the game was drawn without a claim: fivefold, 75 moves, dead position; null if none.",
        ),
        _field("plies_past_automatic_draw", pa.int32(), "Plies that were played after it; null where it was not reached."),
        _field(
            "unclaimed_draw",
            pa.bool_(),
            "True where a player who could have claimed a draw lost; false where none did; null where not judged.",
        ),
        _field("errors", pa.int32(), "Findings of severity error.", nullable=False),
        _field("warnings", pa.int32(), "Findings of severity warning, without those of A860 (see codes).", nullable=False),
        _field("infos", pa.int32(), "Findings of severity info.", nullable=False),
        _field(
            "codes",
            _TEXTS,
            "Codes of the findings, each once, sorted; without A860, which is told only when all games were read.",
            nullable=False,
        ),
        _field("profile", pa.string(), "The edition of the Laws the game was judged by.", nullable=False),
        _field(
            "profile_reason",
            pa.string(),
            "Why that one: option (it was asked for), site, mode, event or date (the tag that tells), before-1985 (the date is "
            "before the first edition), date-incomplete (what is known of the date leaves several; the latest is taken) or "
            "date-unknown.",
            nullable=False,
        ),
    ]
)

PLIES = pa.schema(
    [
        *_KEY,
        _field("ply", pa.int32(), "Number of the ply; ply 1 is the first move of the game.", nullable=False),
        _field("san", pa.string(), "The move as written.", nullable=False),
        _field("san_standard", pa.string(), "The move in standard algebraic notation.", nullable=False),
        _field("uci", pa.string(), "The move in UCI form (castling in Chess960: king takes own rook).", nullable=False),
        _field("role", pa.string(), "The man that moved: pawn, knight, bishop, rook, queen, king; null for a null move."),
        _field("from_square", pa.string(), "Square it left; null for a null move or a drop."),
        _field("to_square", pa.string(), "Square it went to (castling: the king's target); null for a null move."),
        _field("captured", pa.string(), "Role of the man captured; null where nothing was."),
        _field("promotion", pa.string(), "Role promoted to; null where the move is no promotion."),
        _field("check", pa.bool_(), "Whether the move gives check.", nullable=False),
        _field("mate", pa.bool_(), "Whether the move gives mate.", nullable=False),
        _field("castling", pa.string(), "kingside or queenside; null for other moves."),
        _field("en_passant", pa.bool_(), "Whether the move captures en passant.", nullable=False),
        _field(
            "position_key",
            pa.uint64(),
            "Polyglot hash of the position after the move, with en passant only where it is legal; "
            "null in variants other than standard and Chess960.",
        ),
        _field("halfmove_clock", pa.int32(), "Plies since the last capture or pawn move, after this move.", nullable=False),
        _field(
            "repetition", pa.int32(), "How often the position after the move has now stood in the game, from 1.", nullable=False
        ),
        _field("clock_ms", pa.int64(), "Time left to the player after the move, in milliseconds; null where not stated."),
        _field("elapsed_ms", pa.int64(), "Time spent on the move, in milliseconds; null where not stated."),
        _field(
            "used_ms",
            pa.int64(),
            "Time spent on the move, in milliseconds: elapsed_ms where stated; else derived, as clock_ms at the player's move "
            "before plus the increment minus clock_ms, as exact as these. Null where TimeControl does not tell all that was "
            "added in between (first move, delay, new period, perhaps no increment after Lichess's berserk), or where negative.",
        ),
        _field(
            "eval_cp", pa.int32(), "Evaluation after the move in centipawns, from White's side; null where not stated or a mate."
        ),
        _field("eval_mate", pa.int32(), "Moves to mate, positive if White mates; null where not stated or in centipawns."),
        _field("eval_depth", pa.int16(), "Search depth of the evaluation; null where not stated."),
        _field("nags", pa.list_(pa.int32()), "Numeric annotation glyphs; !, ?, !!, ??, !?, ?! count as 1 to 6. Null where none."),
        _field("comment", pa.string(), "Comments after the move, joined by a blank; null where none."),
        _field("variations", pa.string(), "Variations to this move, as text; null where none."),
    ]
)

EVIDENCE_COLUMNS = [
    _field("side", pa.string(), "white or black: whose move or right it is."),
    _field("expected", pa.string(), "What should stand there."),
    _field("found", pa.string(), "What stands there."),
    _field("count", pa.int32(), "How many (plies, tokens, windows, bytes: the rule says which)."),
    _field("limit", pa.int32(), "The limit in force."),
    _field("first_ply", pa.int32(), "First position index or ply concerned."),
    _field("last_ply", pa.int32(), "Last position index or ply concerned."),
    _field("occurrences", pa.list_(pa.int32()), "Indices of the positions that are the same: the first 100."),
    _field("effect", pa.string(), "What the unclaimed right did to the result."),
    _field("legal_alternatives", _TEXTS, "Legal moves that may have been meant, nearest first."),
]
"""Evidence that many rules share has a typed column; the rest is in the map `evidence`."""

FINDINGS = pa.schema(
    [
        _KEY[0],
        _field("game_index", pa.int64(), "Number of the game in its source, from 0; null outside of any game."),
        _field("code", pa.string(), "Code of the rule.", nullable=False),
        _field("severity", pa.string(), "error, warning or info.", nullable=False),
        _field("ply", pa.int32(), "The ply concerned; null where it is none."),
        _field("line", pa.int64(), "Line, from 1.", nullable=False),
        _field("byte_offset", pa.int64(), "First byte concerned, from 0.", nullable=False),
        _field("byte_length", pa.int64(), "Bytes concerned.", nullable=False),
        _field("variation", pa.string(), "Path of the variation; null on the mainline."),
        _field("token", pa.string(), "The text concerned, as written, cut to 200 characters."),
        _field("fen_before", pa.string(), "Position before the ply concerned; null where it is none."),
        *EVIDENCE_COLUMNS,
        _field("evidence", _TEXT_MAP, "Evidence of the rule that has no column of its own.", nullable=False),
        _field("profile", pa.string(), "The edition of the Laws the game was judged by.", nullable=False),
    ]
)

PLAYERS = pa.schema([GAMES.field(name) for name in ("source", "game_index", "white", "black")])
"""Who played the games with findings: not a table of datasets, but all that one who shows findings wants of games."""

COMPARED = pa.schema(
    [
        GAMES.field(name)
        for name in (
            *("source", "game_index", "byte_offset", "byte_length", "line", "moves_hash", "white", "black"),
            *("ply_count", "legal_ply_count", "profile"),
        )
    ]
)
"""What `chesstools.duplicates` compares games by: no table of datasets either."""

SCHEMAS = {"games": GAMES, "plies": PLIES, "findings": FINDINGS, "players": PLAYERS, "compared": COMPARED}
