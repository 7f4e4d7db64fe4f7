"""`.gitattributes` that keep changes out of a reviewer's sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

_HIDES = expression(
    r"(?<!\S)(?:-diff|binary|diff=(?:none|off|nodiff|false)|(?:linguist|gitlab)-(?:generated|vendored)(?:=true)?)(?!\S)"
)
# What nobody reads anyway, and what cannot be read.
_NOT_READ = expression(
    r"(?:^|[/*.])(?:dist|build|out|vendor|third_party|node_modules|generated|__generated__|gen|snapshots"
    r"|__snapshots__|fixtures"
    r"|testdata|cassettes|\.yarn|\.pnp)(?:$|[/*.])|lock(?:\.\w+|file)?$|\.lock|go\.sum|-lock\.|\.min\.|_pb2|\.pb\."
    r"|\.generated\.|\.g\.\w+$"
    r"|\.(?:png|jpe?g|gif|ico|webp|avif|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|mov|zip|gz|bz2|xz|7z"
    r"|tar|jar|war|exe"
    r"|dll|so|dylib|a|o|bin|dat|db|sqlite3?|parquet|npz?|h5|pkl|onnx|pt|wasm|class|snap|svg|map|csv|docx?|xlsx?"
    r"|pptx?|psd|ai|keystore"
    r"|p12|jks|gpg|ipynb|bundle|snk|pyc|glb|gltf|fbx|blend)$"
)


def hidden_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Each line that hides readable files: its number, what it is about, and how it hides it."""
    for number, line in enumerate(text.split("\n"), 1):
        pattern, _, attributes = line.strip().partition(" ")
        if not pattern or pattern.startswith(("#", "[")) or _NOT_READ.search(pattern.strip('"').lower()):
            continue
        hides = [each[0] for each in _HIDES.finditer(attributes.replace("\t", " "))]
        if hides:
            yield number, pattern, " ".join(hides)
