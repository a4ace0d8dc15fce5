"""What a run of `ingest` finds in its folder: nothing, or what a run of the same job has left, with which it goes on."""

from __future__ import annotations

from chesstools.errors import DatasetError, OptionError
from chesstools.folder import Folder, check_parts, read_manifest, refuse_strangers, remove_unlisted, write_manifest
from chesstools.manifest import COMPLETE, START, Manifest
from chesstools.missing import beside_missing, give_up, missing
from chesstools.source import Source


def resume_or_start(
    folder: Folder, plan: Manifest, sources: list[Source], *, overwrite: bool, without_missing: bool
) -> tuple[Manifest, list[Source]]:
    """The manifest to go on with: that in the folder if it is of the same job and unfinished, else a new one; and its sources."""
    try:
        old = read_manifest(folder)
        has_manifest = old is not None
    except DatasetError:
        if not overwrite:
            raise
        old, has_manifest = None, True
    refuse_strangers(folder, has_manifest=has_manifest)
    given = sources
    if not given and (old is None or overwrite):
        raise OptionError("Name at least one source: a file, a folder, a glob, or - for standard input.")
    if old is not None and not overwrite:
        plan, sources = beside_missing(old, plan, given)
        _begin_changed(old, plan)
    if old is None or overwrite:
        manifest = plan
    elif old.state == COMPLETE:
        raise DatasetError(
            f"The folder {folder} holds a complete dataset; give --overwrite to replace it, or choose another folder."
        )
    elif old.on_cluster != plan.on_cluster:
        begun, how = ("on a cluster", "add --cluster") if old.on_cluster else ("without a cluster", "leave out --cluster")
        raise DatasetError(
            f"The folder {folder} holds an unfinished dataset that was begun {begun}; {how} to go on with it (--cluster local is "
            "this machine), or give --overwrite to start anew."
        )
    elif (other := difference(old, plan)) is not None:
        raise DatasetError(
            f"The folder {folder} holds an unfinished dataset that was made {other}; give --overwrite to start anew, "
            "or choose another folder."
        )
    elif not without_missing and (names := missing(old, given)):
        raise DatasetError(
            f"The folder {folder} holds an unfinished dataset that was begun with {names} too; give the same sources to go on, "
            "--without-missing to finish it without them, or --overwrite to start anew."
        )
    elif pipe := next((source.name for source in sources if not source.resumable), None):
        raise DatasetError(
            f"The folder {folder} holds an unfinished dataset, and {pipe} cannot be read again from where that run stopped; "
            "give --overwrite to start anew."
        )
    else:
        manifest = old
        check_parts(folder, manifest)
        give_up(manifest, given)
    write_manifest(folder, manifest)  # first: from here on everything that is not listed is rubbish
    remove_unlisted(folder, manifest)
    return manifest, sources


def _begin_changed(old: Manifest, plan: Manifest) -> None:
    """Take sources as they are now of which nothing was read, or nothing was kept, as they were changed meanwhile."""
    planned = {entry.name: entry for entry in plan.sources}
    for entry in old.sources:
        if entry.done or entry.parts or entry.position != START or entry.surveyed is not None:
            continue
        if (now := planned.get(entry.name)) is not None:
            entry.size, entry.mtime_ns = now.size, now.mtime_ns


def difference(old: Manifest, plan: Manifest) -> str | None:
    """How a dataset that is there was made otherwise than `plan` says, in words; None if it is the same job."""
    if old.tool_version != plan.tool_version:
        return f"by chesstools {old.tool_version}, not {plan.tool_version}"
    if old.profile != plan.profile:
        return f"with profile {old.profile}, not {plan.profile}"
    if old.tables != plan.tables:
        return f"with tables {','.join(old.tables)}, not {','.join(plan.tables)}"
    if old.also != plan.also:
        had, asked = (",".join(codes) or "none" for codes in (old.also, plan.also))
        return f"with optional rules {had}, not {asked}"
    for name in {**plan.options, **old.options}:
        if old.options.get(name, 0) != plan.options.get(name, 0):
            return f"with {name} {old.options.get(name, 0)}, not {plan.options.get(name, 0)}"
    ours, theirs = [{entry.name: None for entry in manifest.sources} for manifest in (old, plan)]
    if missing := next((name for name in ours if name not in theirs), None):
        return f"from {missing} too"
    if added := next((name for name in theirs if name not in ours), None):
        return f"without {added}"
    if list(ours) != list(theirs):
        return "with the sources in another order"
    for mine, other in zip(old.sources, plan.sources, strict=True):
        if (mine.size, mine.mtime_ns) != (other.size, other.mtime_ns):
            return f"before {mine.name} changed"
    return None
