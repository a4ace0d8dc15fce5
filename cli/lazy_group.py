"""A command with subcommands that are imported only when they are asked for, which keeps the start instant."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Knows where each subcommand lives: `modules` has the module beside this one, which defines it under its own name."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        module = self._modules[cmd_name]
        command = getattr(import_module(f".{module}", __package__), module)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        near = get_close_matches(args[0].lower(), self._modules, 1)
        if args[0] not in self._modules and near:
            raise click.UsageError(f"No such command '{args[0]}'. Did you mean '{near[0]}'?", ctx)
        return super().resolve_command(ctx, args)
