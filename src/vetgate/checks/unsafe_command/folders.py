"""Names of what tools build and can build again, and of what nobody can."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from vetgate.known_agents import known_agents

if TYPE_CHECKING:
    from collections.abc import Sequence

_BUILT = frozenset(
    """
    dist build out target node_modules bower_components jspm_packages .venv venv .virtualenv __pycache__
    __pypackages__ coverage htmlcov .coverage .nyc_output .pytest_cache .mypy_cache .ruff_cache .tox .nox .eggs
    .hypothesis .pytype .ipynb_checkpoints .next .nuxt .svelte-kit .turbo .parcel-cache .cache .vite .angular
    .output .serverless .vercel .netlify .astro .docusaurus .gradle .dart_tool pods deriveddata .build .swiftpm
    _build _site .jekyll-cache .sass-cache .expo .expo-shared storybook-static tmp temp .tmp logs log test-results
    playwright-report .nx .rollup.cache .rpt2_cache .stack-work dist-newstyle zig-out zig-cache .zig-cache elm-stuff
    .lake wheelhouse pip-wheel-metadata .terraform .terragrunt-cache cdk.out .aws-sam .bundle obj cmakefiles testresults
    reports .phpunit.cache .eslintcache .stylelintcache .prettiercache .ds_store thumbs.db site .fleet dist-ssr
    release debug .metals .bloop .bsp .scala-build .cpcache caches _cacache .shadow-cljs .pnpm-store .yarn-cache lib-cov
    .lighthouseci .wrangler .pub-cache .pdm-build .hatch artifacts __snapshots__.tmp generated .generated
    __generated__ .snakemake .benchmarks .asv
    """.split()
)
_BUILT_GLOBS = tuple(
    """
    *.egg-info *.pyc *.pyo *.py[[]co] *.o *.so *.a *.class *.log *.tmp *.temp *.swp *.swo *.bak *.orig *.rej
    *.tsbuildinfo *.dist-info cmake-build-* bazel-* .coverage.* *.prof *.whl *.gcda *.gcno *.dsym *~ npm-debug.log*
    yarn-error.log* *.cache *_cache *-cache *.pid core.[0-9]* tmp-* tmp.*
    """.split()
)
# Git-ignored, and yet nobody can make them again.
_PRECIOUS = frozenset(
    {
        *(".git", ".env", ".vetgate", "data", "secrets", ".ssh", "storage", "uploads", "src"),
        *(agent.folder for agent in known_agents() if agent.gated),
    }
)


def is_build_output(names: Sequence[str]) -> bool:
    """Whether a folder on the way, or the name itself, is one that tools make. `.git` is never."""
    if ".git" in names:
        return False
    if "vendor/bundle" in "/".join(names):
        return True
    return any(name.casefold() in _BUILT or _is_built_name(name) for name in names)


def _is_built_name(name: str) -> bool:
    folded = name.casefold()
    if folded in ("*", ".*", "**", "*.*"):
        return False
    return any(fnmatchcase(folded, glob) for glob in _BUILT_GLOBS)


def is_precious(names: Sequence[str]) -> bool:
    return any(name.casefold() in _PRECIOUS or name.startswith(".env") for name in names)
