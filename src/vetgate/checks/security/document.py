"""Write rules.json from the pages; without `--write`, only say whether it has drifted."""

from __future__ import annotations

import sys

import msgspec

from vetgate.checks.security.rule import COMPILED, RULES, rules_in


def compiled() -> bytes:
    # A rule a line, so that a change of one page is a change of one line.
    return b"[\n" + b",\n".join(msgspec.json.encode(rule) for rule in rules_in(RULES)) + b"\n]\n"


def main(arguments: list[str]) -> int:
    wanted = compiled()
    if COMPILED.exists() and COMPILED.read_bytes() == wanted:
        return 0
    if "--write" in arguments:
        COMPILED.write_bytes(wanted)
        return 0
    sys.stderr.write(f"{COMPILED} is not what the pages say; run python -m vetgate.checks.security.document --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
