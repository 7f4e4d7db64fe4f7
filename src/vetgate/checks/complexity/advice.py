"""How to bring a function under a limit: one or two sentences that name its costliest lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.definitions import COGNITIVE, CYCLOMATIC, LENGTH, NESTING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vetgate.checks.complexity.measures import Measures
    from vetgate.checks.complexity.trail import Addition

_CASES = frozenset({"case", "when", "match arm"})
_OPERATORS = frozenset({"&&", "||", "??", "and", "or"})


def advice(measure: str, function: Measures, limit: int) -> str:
    write = _WRITERS.get(measure)
    return write(function, limit) if write else _ON_PARAMETERS


_ON_PARAMETERS = (
    "Put the parameters that travel together into one object or type, or split the function by what callers use it for."
)


def _on_branches(function: Measures, limit: int) -> str:
    additions = function.trail.cyclomatic()
    kinds = [addition.what for addition in additions]
    if 2 * sum(kind in _CASES for kind in kinds) > len(kinds):
        return f"Replace the {sum(kind in _CASES for kind in kinds)} cases by a table from value to result or function."
    block = _costliest(additions, function, function.cyclomatic - limit)
    if block is not None:
        held = _held(additions, block)
        share = f"{held} of the {len(additions)} branches"
        return f"Extract {_lines(block)} (the `{block.what}`, with {share}) into a function of its own."
    if 2 * sum(kind in _OPERATORS for kind in kinds) > len(kinds):
        return "Move the long conditions into functions or variables that say what they mean."
    return "Split the function where its branches stop depending on each other."


def _on_thoughts(function: Measures, limit: int) -> str:
    additions = function.trail.cognitive()
    block = _costliest(additions, function, function.cognitive - limit)
    if block is None:
        return "Return early instead of nesting, and give long conditions a name."
    share = f"{_held(additions, block)} of {function.cognitive} points"
    return (
        f"Extract {_lines(block)} (the `{block.what}`, {share}) into a function of its own; "
        "return or continue early instead of nesting."
    )


def _on_nesting(function: Measures, limit: int) -> str:
    chain = function.trail.nesting()
    if len(chain) <= limit:
        return "Return or continue early instead of nesting."
    block = chain[max(1, limit - 1)] if limit > 1 else chain[-1]
    first = next((addition for addition in chain if addition.what == "if"), None)
    guard = (
        f"Turn the `if` on line {first.line} into a guard that returns or continues early, or extract"
        if first
        else "Extract"
    )
    return f"{guard} {_lines(block)} (the `{block.what}`) into a function of its own."


def _on_length(function: Measures, limit: int) -> str:
    blocks = [block for block in function.trail.cyclomatic() if _is_part(block, function)]
    if not blocks:
        return f"Split it into functions of at most {limit} lines, one per step of what it does."
    excess = function.length - limit
    enough = [block for block in blocks if _size(block) > excess]
    block = min(enough, key=_size) if enough else max(blocks, key=_size)
    return f"Extract {_lines(block)} (the `{block.what}`, {_size(block)} lines) into a function of its own."


_WRITERS: Mapping[str, Callable[[Measures, int], str]] = {
    CYCLOMATIC: _on_branches,
    COGNITIVE: _on_thoughts,
    NESTING: _on_nesting,
    LENGTH: _on_length,
}


def _lines(block: Addition) -> str:
    return f"line {block.line}" if block.line == block.end_line else f"lines {block.line}-{block.end_line}"


def _size(block: Addition) -> int:
    return block.end_line - block.line + 1


def _is_part(block: Addition, function: Measures) -> bool:
    """More than a line, and less than the whole function."""
    return 1 < _size(block) < function.length - 2


def _held(additions: Sequence[Addition], block: Addition) -> int:
    return sum(a.amount for a in additions if block.line <= a.line and a.end_line <= block.end_line)


def _costliest(additions: Sequence[Addition], function: Measures, excess: int) -> Addition | None:
    """The block whose removal suffices and leaves the two functions most alike; None when no block holds much."""
    total = sum(addition.amount for addition in additions)
    blocks = {(block.line, block.end_line): block for block in reversed(additions) if _is_part(block, function)}
    weighty = [block for block in blocks.values() if 4 * _held(additions, block) >= total]
    enough = [block for block in weighty if _held(additions, block) >= excess]
    if enough:
        return min(enough, key=lambda block: (_larger_half(additions, block, total), _size(block)))
    return max(weighty, key=lambda block: (_held(additions, block), -_size(block)), default=None)


def _larger_half(additions: Sequence[Addition], block: Addition, total: int) -> int:
    """What is left of the function, or of the block on its own, where nesting starts anew: whichever is more."""
    held = _held(additions, block)
    deeper = sum(a.amount > 1 for a in additions if block.line <= a.line and a.end_line <= block.end_line)
    return max(total - held, held - (block.amount - 1) * deeper)
