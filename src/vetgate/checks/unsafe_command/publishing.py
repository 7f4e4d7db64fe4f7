"""What leaves for others to use: packages, images, releases, deployments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import PUBLISHES, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.web_requests import FORGES, request_of
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.placeholders import shown
from vetgate.source.shell.this_machine import is_this_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        PUBLISHES,
        """
        npm pub* !--dry-run => see what would go with --dry-run
        pnpm|bun|yarn|cargo publish !--dry-run|-n => see what would go with --dry-run
        npm|pnpm|yarn stage|recursive publish !--dry-run
        pnpm .. publish +-r|--recursive !--dry-run
        yarn npm publish !--dry-run|-n
        yarn workspaces|workspace .. publish !--dry-run
        npm dist-tag add
        npm access public|grant
        npm run|run-script publish|release|deploy|publish:*|release:*|deploy:prod*
        yarn|pnpm|bun run publish|release|deploy:prod*
        lerna|changeset|cli|rush|vsce|ovsx|opam|nimble|gleam|spago|elm|elm-json|quarto|sam|forge publish
        lerna version !--no-push
        lerna run publish|release|deploy
        nx release|publish !--dry-run
        nx run *:publish|*:release|*:deploy !--dry-run
        nx run-many|affected +publish|release|deploy !--dry-run
        turbo .. publish|release|deploy|publish:*|release:* !--dry-run|--dry
        semantic-release|release-it|np|standard-version|auto !--dry-run|-d
        auto shipit
        twine|conan|stack|cabal|luarocks|conda|anaconda|zef|fez|huggingface-cli|hf upload
        python .. twine upload
        uv|poetry|flit|hatch|pdm|maturin|rye|setuptools publish !--dry-run => build it, and look at the result
        maturin upload
        python setup.py .. upload
        cargo release|smart-release +--execute|-x|-e
        cargo workspaces|ws publish
        gem push|release
        bundle exec gem push
        rake release|*:release
        mvn|mvnw deploy|release:perform|release:prepare|nexus-staging:release
        mvn|mvnw .. deploy|deploy:*|jib:build
        gradle|gradlew .. jib
        pack build +--publish
        cachix|nuget|choco|docker|podman|nerdctl|buildah|img|docker-compose|hg|chg|sl|dulwich|gix|got|bzr|brz push
        rebar3 hex publish !--dry-run
        swift package-registry publish !--dry-run
        pub publish !--dry-run|-n
        gradle|gradlew .. publish|*:publish|publishAllPublications*|publishPlugins|publishTo*Central*
        gradle|gradlew .. uploadArchives|bintrayUpload
        gradle|gradlew .. closeAndRelease*|publishToSonatype
        sbt release|publish|publishSigned|+publish|+publishSigned|ci-release|sonatypeRelease
        lein|firebase|eb|sls|serverless|sam|sst|cdk|cdktf|mike|shuttle|modal deploy
        mill .. publish|*.publish|*.publishAll|*/publishAll|*.publishArtifacts|*.publishSonatype*
        clj|clojure =-T* deploy
        dotnet nuget push
        pod trunk push
        pod repo push
        fastlane deliver|release|pilot|supply|upload_to_*|beta|deploy
        xcrun altool|notarytool +--upload-app
        eas submit|update
        jsr|deno publish !--dry-run
        dart|flutter pub publish !--dry-run|-n
        dart|flutter packages pub publish
        mix hex.publish
        cabal upload +--publish
        charmcraft upload|release
        az artifacts universal publish
        moon run *:publish|*:release|*:deploy
        earthly +--push
        fab|doit|invoke deploy|publish|release
        cpan-upload|dzil|dput|dupload|surge
        dzil release
        composer .. publish|release
        helm push|cm-push
        docker|podman image|manifest push
        docker buildx build|bake +--push
        docker build +--push
        docker buildx build|bake =*type=registry*
        docker buildx build|bake =*push=true*
        docker compose push
        docker compose build +--push
        skopeo copy =docker://*
        crane push|copy
        oras|ko|kaniko push|publish
        ko apply|resolve|build
        jj git push !--dry-run => push with git, so that the hook looks at it
        gh repo create +--push
        svn commit|ci|import
        fossil push|sync
        p4 submit
        git svn dcommit
        git p4 submit
        git send-email !--dry-run => let a person send it
        git daemon +--export-all => let a person serve it
        gh release create|edit|upload => let a person make the release
        glab release create|upload
        hub release create|edit
        goreleaser release !--snapshot|--skip=publish
        goreleaser !check|build|healthcheck|init|jsonschema|--snapshot|--version
        snapcraft upload|push|release
        flatpak-builder +--repo
        copr-cli build
        chrome-webstore-upload|web-ext sign|upload
        vercel|now +--prod|--production|promote => deploy a preview, without --prod
        vercel promote|alias|rollback
        netlify deploy +--prod|-p => deploy a draft, without --prod
        wrangler deploy|publish !--dry-run
        wrangler pages deploy|publish
        fly|flyctl deploy|launch
        railway up
        heroku container:release|container:push
        terraform|tofu|terragrunt|tf apply !-destroy|--destroy|-auto-approve|--auto-approve => show it with `plan`
        helm install|upgrade !--dry-run => show it with `helm template`, or add --dry-run
        helmfile apply|sync
        skaffold run|deploy
        git push heroku|dokku|piku !--dry-run|-n => push to a branch that does not deploy
        gcloud app|functions|run deploy
        gcloud builds submit
        az webapp|functionapp .. deploy*|up
        az functionapp deployment
        func azure .. publish
        amplify publish|push
        copilot|dokku .. deploy
        gh-pages +-d
        mkdocs gh-deploy
        cap production|deploy
        kamal deploy|redeploy|rollback
        wandb artifact put
        docsearch .. upload
        ansible-galaxy collection|role publish|import
        terraform|pulumi .. publish
        truffle|hardhat .. deploy +--network
        anchor|solana deploy|program
        cast send
        make|gmake|ninja|just deploy|publish|release|publish:*|release:* !-n|--dry-run|--just-print|--recon
        task|go-task|rake|invoke|inv|mage|ant deploy|publish|release|publish:*|release:* !-n|--dry|--dry-run
        poe|mise deploy|publish|release|publish:*|release:*
        mise|xc run|r deploy|publish|release|publish:*|release:*
        pdm|hatch|poetry|pipenv|rye|uv run deploy|publish|release|*:publish|*:release
        deno task deploy|publish|release|publish:*|release:*
        nox|tox +deploy|publish|release
        yarn|bun deploy|release|release:*
        pnpm release|release:*
        gh pr merge => let a person merge it
        glab mr merge|accept
        tea pr|pulls merge
        gh secret|variable set => let a person set it
        glab variable set|update
        fly|flyctl secrets set|import
        heroku config:set
        vercel env add
        vercel|now deploy => build it with `vercel build`
        netlify deploy => build it with `netlify build`
        netlify env:set
        wrangler secret put|bulk
        gh gist create
        """,
    ),
    decision=Decision.ASK,
)


_TO_A_CLUSTER = CommandTable(
    (PUBLISHES, "kubectl|oc|k apply|replace !--dry-run => add --dry-run=client, or show it with `kubectl diff`"),
    decision=Decision.ASK,
)
_CLUSTER_OF_THIS_MACHINE = expression(
    r"(?i)(?:^|[^a-z0-9])(?:dev|development|local|localhost|tests?|kind|minikube|k3d|k3s|colima|docker-desktop|examples?)(?:[^a-z]|$)"
)
# What a host keeps of a repository, by the addresses under which it is changed.
_REPOSITORY = expression(
    r"(?i)/(?:contents(?:/|\?|\Z)|git/(?:blobs|trees|commits|refs|tags)\b|repository/(?:files|commits)\b)"
)
_MUTATION = expression(r"(?i)createCommitOnBranch|(?:create|update)Refs?\b|mergeBranch")
_HOSTS = expression(r"(?i)api\.github\.com/|/api/v[34]/")
_SOURCE_AND_TARGET = 2
# Programs that copy into a bucket, with the words that do.
_BUCKET_COPIES = (
    ("aws", ("s3",), ("cp", "sync", "mv")),
    ("gcloud", ("storage",), ("cp", "rsync", "mv")),
    ("gsutil", (), ("cp", "rsync", "mv")),
    ("s3cmd", (), ("put", "sync")),
    ("s5cmd", (), ("cp", "sync", "mv")),
    ("rclone", (), ("copy", "copyto", "sync", "move", "moveto")),
)
_BUCKET = expression(r"(?:s3|gs)://|(?!https?:|file:|[A-Za-z]:[\\/])[\w.-]+:")
_REMOTE = expression(r"(?:(?:scp|rsync)://)?(?:[^/@:]+@)?(?P<host>[^/:]+):")


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    for each in (run, *_run_in_place(run)):
        yield from _TABLE.found(each)
    if not any(_CLUSTER_OF_THIS_MACHINE.search(each) for each in run.arguments):
        yield from _TO_A_CLUSTER.found(run)
    if _deploys_by_itself(run):
        yield MatchedEffect(PUBLISHES, shown(" ".join(run.argv))[:120], "build it with `vercel build`", Decision.ASK)
    if host := _copied_to(run):
        what = f"it copies files to {shown(host)}"
        yield MatchedEffect(PUBLISHES, what, "leave the copy to a person", Decision.ASK)
    if _writes_to_a_repository(run):
        what = "it writes to a repository past git, so that no hook looks at it"
        yield MatchedEffect(PUBLISHES, what, "commit it, and push with git")


def _run_in_place(run: ProgramRun) -> Iterator[ProgramRun]:
    """What a package manager runs of its own where it has no such command, and cargo under another toolchain."""
    arguments = run.arguments
    if run.name in ("pnpm", "yarn", "bun"):
        plain = Words(arguments).plain
        if plain:
            yield replace(run, argv=arguments[arguments.index(plain[0]) :])
    elif run.name == "cargo" and arguments[:1] and arguments[0].startswith("+"):
        yield replace(run, argv=("cargo", *arguments[1:]))


def _deploys_by_itself(run: ProgramRun) -> bool:
    """`vercel` without a word, or with a folder, deploys."""
    words = Words(run.arguments)
    if run.name not in ("vercel", "now") or words.has("--help", "-h", "--version", "-v"):
        return False
    return not words.plain or words.plain[0].startswith((".", "/"))


def _copied_to(run: ProgramRun) -> str:
    """The other machine that files are copied to; "" for a copy from there, and on this machine."""
    words = Words(run.arguments)
    if target := _bucket(run.name, words):
        return target
    if run.name not in ("scp", "rsync") or words.is_dry_run or words.has("-n") or len(words.plain) < _SOURCE_AND_TARGET:
        return ""
    target = words.plain[-1]
    found = _REMOTE.match(target)
    return target if found and not is_this_machine(found["host"]) else ""


def _bucket(program: str, words: Words) -> str:
    """The bucket that files are copied to; what comes from one does not leave."""
    for name, area, verbs in _BUCKET_COPIES:
        at = next((index for index, word in enumerate(words.plain) if word in verbs), None)
        if program == name and at is not None and words.plain[: len(area)] == area and not words.is_dry_run:
            return next((each for each in words.plain[at + 2 :] if _BUCKET.match(each)), "")
    return ""


def _writes_to_a_repository(run: ProgramRun) -> bool:
    request = request_of(run)
    if request is None or not request.writes:
        return False
    is_forge = run.name in FORGES
    addresses = [each for each in request.addresses if is_forge or _HOSTS.search(each)]
    if any("graphql" in each for each in addresses) and _MUTATION.search(request.text):
        return True
    return any(_REPOSITORY.search(each) for each in addresses)
