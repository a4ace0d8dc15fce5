"""Whether a fix may stay: the game is judged again with it, and what it names must be gone, and nothing else be different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from chesstools.finding import Finding, Severity
from chesstools.fixes import families
from chesstools.fixes.edit import Change, Fix, Key, apply, changes_of, compose, in_order, key_of
from chesstools.fixes.judged import Context, Judged, judge, max_single, meaning

MAX_ROUNDS = 12
"""A fix can make way for another one, but not for ever."""

_AGAINST = frozenset({"T123", "N420", "N421"})
"""Where PlyCount or the move numbers speak against the moves that a fix makes, these are not the ones that were played."""

Wants = Callable[[str], bool]


@dataclass(slots=True)
class Repaired:
    """A game and what was done to it.

    Attributes:
        text: its bytes as they now stand.
        changes: what was changed, on the bytes as they stood, in order.
        before, findings: what is wrong with it, before and now.
        fixed: findings that are gone, by code.
        dropped: fixes that were tried and not made, as the game would not have been the same or something else would have
            been wrong, by code.
    """

    text: bytes
    before: list[Finding]
    findings: list[Finding]
    changes: list[Change] = field(default_factory=list)
    fixed: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def repair(text: bytes, context: Context, wants: Wants, *, unsafe: bool, is_game: bool = True) -> Repaired | None:
    """Make all fixes that may be made; None where `text` is not one game (or stretch of text of no game) in its context."""
    now = judge(text, context, is_game=is_game)
    if now is None:
        return None
    done = Repaired(text, now.findings, now.findings)
    refused: set[tuple[object, ...]] = set()
    for _ in range(MAX_ROUNDS):
        proposed = [fix for fix in families.propose(now, wants, unsafe) if _name(fix) not in refused]
        together, _ = in_order(proposed)
        if not together:
            break
        kept, then = _keep(now, together, refused)
        if then is not None:
            done.changes = compose(text, done.changes, changes_of(kept))
            done.fixed.update(key.code for fix in kept for key in fix.answers)
            now = then
            refused.clear()  # with these changes others may be possible
    done.text, done.findings = now.text, now.findings
    done.dropped.update(str(name[0]) for name in refused)
    return done


def _name(fix: Fix) -> tuple[object, ...]:
    """What tells a fix that was refused when it is proposed again, elsewhere in the text."""
    return fix.code, fix.answers, tuple((edit.end - edit.start, edit.text) for edit in fix.edits)


def _keep(now: Judged, fixes: Sequence[Fix], refused: set[tuple[object, ...]]) -> tuple[list[Fix], Judged | None]:
    """As many of the fixes as may be made, and the game with them."""
    then = tried(now, fixes)
    if then is not None:
        return list(fixes), then
    kept: list[Fix] = []
    best: Judged | None = None
    groups: dict[str, list[Fix]] = {}
    for fix in fixes:
        groups.setdefault(fix.code, []).append(fix)
    for group in groups.values():
        then = tried(now, [*kept, *group])
        if then is not None:
            kept, best = [*kept, *group], then
            continue
        singles = max_single(now.text) if len(group) > 1 else 0
        for number, fix in enumerate(group):
            then = tried(now, [*kept, fix]) if number < singles else None
            if then is not None:
                kept, best = [*kept, fix], then
            else:
                refused.add(_name(fix))
    return kept, best


def tried(now: Judged, fixes: Iterable[Fix]) -> Judged | None:
    """The game with these fixes; None where they may not be made."""
    listed = list(fixes)
    context = now.context
    if context.glued and any(fix.code == "P107" for fix in listed):
        context = replace(context, glued=False)
    then = judge(apply(now.text, changes_of(listed)), context, is_game=now.facts is not None)
    if then is None or not answers(now.findings, then.findings, listed) or not _same(now, then, listed):
        return None
    return then


def answers(now: Sequence[Finding], then: Sequence[Finding], fixes: Sequence[Fix]) -> bool:
    """Whether the findings that the fixes name are gone, and no others have come."""
    before, after = Counter(map(key_of, now)), Counter(map(key_of, then))
    named: Counter[Key] = Counter(key for fix in fixes for key in fix.answers)
    if any(after[key] > before[key] - count for key, count in named.items()):
        return False
    new = after - before
    if not new:
        return True
    if not any(fix.moves for fix in fixes):
        return False
    # More of the game is judged: what is then seen of it was there before, but no move may be wrong that was not.
    return not any(
        key_of(one) in new and (one.code in _AGAINST or (one.severity is Severity.ERROR and one.code[0] not in "ED"))
        for one in then
    )


def _same(now: Judged, then: Judged, fixes: Sequence[Fix]) -> bool:
    """Whether the game says the same as before, but for what the fixes say they change."""
    one, other = meaning(now), meaning(then)
    changed = frozenset().union(*(fix.tags for fix in fixes))
    if [pair for pair in one.tags if pair[0] not in changed] != [pair for pair in other.tags if pair[0] not in changed]:
        return False
    return (
        (one.result == other.result or any(fix.result for fix in fixes))
        and (one.start == other.start)
        and (one.moves == other.moves or any(fix.moves for fix in fixes))
        and (one.comments == other.comments or any(fix.comments or fix.moves for fix in fixes))
        and (one.unread == other.unread or any(fix.unread for fix in fixes))
    )
