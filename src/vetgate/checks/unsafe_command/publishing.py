"""What leaves for others to use: packages, images, releases, deployments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import PUBLISHES, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        PUBLISHES,
        """
        npm|pnpm|bun|yarn publish !--dry-run|-n => see what would go with --dry-run
        npm|pnpm|yarn stage|recursive publish !--dry-run
        pnpm .. publish +-r|--recursive !--dry-run
        yarn npm publish !--dry-run|-n
        yarn workspaces|workspace .. publish !--dry-run
        npm dist-tag add
        npm access public|grant
        npm run|run-script publish|release|deploy|publish:*|release:*|deploy:prod*
        yarn|pnpm|bun run publish|release|deploy:prod*
        lerna publish
        lerna version !--no-push
        changeset publish
        nx release|publish !--dry-run
        rush publish
        semantic-release|release-it|np|standard-version|auto !--dry-run|-d
        auto shipit
        twine upload
        python .. twine upload
        uv|poetry|flit|hatch|pdm|maturin|rye|setuptools publish !--dry-run => build it, and look at the result
        maturin upload
        python setup.py .. upload
        cargo publish !--dry-run|-n => see what would go with --dry-run
        cargo release +--execute|-x
        cargo workspaces publish
        gem push
        bundle exec gem push
        rake release
        mvn|mvnw deploy|release:perform|release:prepare|nexus-staging:release
        mvn|mvnw .. deploy
        gradle|gradlew .. publish|*:publish|publishAllPublications*|publishPlugins|publishTo*Central*
        gradle|gradlew .. uploadArchives|bintrayUpload
        gradle|gradlew .. closeAndRelease*|publishToSonatype
        sbt publish|publishSigned|+publish|ci-release|sonatypeRelease
        lein deploy
        mill .. publish
        dotnet nuget push
        nuget push
        pod trunk push
        pod repo push
        fastlane deliver|release|pilot|supply|upload_to_*|beta|deploy
        xcrun altool|notarytool +--upload-app
        eas submit|update
        vsce|ovsx publish
        jsr publish !--dry-run
        deno publish !--dry-run
        dart|flutter pub publish !--dry-run|-n
        dart|flutter packages pub publish
        mix hex.publish
        stack|cabal upload
        cabal upload +--publish
        opam publish
        luarocks upload
        nimble publish
        conda upload
        anaconda upload
        cpan-upload|dzil
        dzil release
        composer .. publish
        zef|fez upload
        helm push|cm-push
        docker|podman|nerdctl|buildah|img push
        docker|podman image|manifest push
        docker buildx build|bake +--push
        docker build +--push
        docker compose push
        docker-compose push
        skopeo copy =docker://*
        crane push|copy
        oras|ko|kaniko push|publish
        ko apply|resolve|build
        gh release create|edit|upload => let a person make the release
        glab release create|upload
        hub release create|edit
        goreleaser release !--snapshot|--skip=publish
        goreleaser !check|build|healthcheck|init|jsonschema|--snapshot|--version
        snapcraft upload|push|release
        flatpak-builder +--repo
        dput|dupload
        copr-cli build
        chrome-webstore-upload|web-ext sign|upload
        vercel|now +--prod|--production|promote => deploy a preview, without --prod
        vercel promote|alias|rollback
        netlify deploy +--prod|-p => deploy a draft, without --prod
        firebase deploy
        wrangler deploy|publish !--dry-run
        wrangler pages deploy|publish
        fly|flyctl deploy|launch
        railway up
        heroku container:release|container:push
        eb deploy
        gcloud app|functions|run deploy
        gcloud builds submit
        az webapp|functionapp .. deploy*|up
        az functionapp deployment
        func azure .. publish
        sls|serverless deploy
        sam deploy
        sst deploy
        cdk|cdktf deploy
        amplify publish|push
        copilot .. deploy
        surge
        gh-pages +-d
        mike deploy
        mkdocs gh-deploy
        cap production|deploy
        kamal deploy|redeploy|rollback
        dokku .. deploy
        shuttle deploy
        modal deploy
        huggingface-cli|hf upload
        wandb artifact put
        docsearch .. upload
        ansible-galaxy collection|role publish|import
        terraform .. publish
        pulumi .. publish
        forge publish
        truffle|hardhat .. deploy +--network
        anchor|solana deploy|program
        cast send
        """,
    ),
)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    yield from _TABLE.found(run)
