"""A warm answer behind a socket, to be quick and nothing else: without it the verdict is the same, byte for byte."""

from __future__ import annotations


def main() -> None:
    from vetgate.daemon.life import live  # noqa: PLC0415 - the command line asks for the daemon without becoming one

    live()
