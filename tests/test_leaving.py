"""Commands by which code leaves, as the shell would run them."""

from __future__ import annotations

from pathlib import Path

import pytest

from vetgate.checks.unsafe_command.branch_moves import BranchMove
from vetgate.checks.unsafe_command.leaving import LeavingKind, leaving

PUSHES = {
    "git push": (),
    "git push origin": (),
    "git -C /repo/sub push -u origin topic": ("topic",),
    "git push origin +topic:main v1": ("topic", "v1"),
    "git push -o ci.skip --repo origin topic": ("topic",),
    "git push origin tag v1": ("v1",),
    "git pu''sh origin HEAD": ("HEAD",),
    "bash -c 'git push'": (),
    "x=push; git $x origin a": ("a",),
    "cd sub && git push": (),
    "true || (git push)": (),
    "sudo -u me git push origin b": ("b",),
    'git push origin "$(git branch --show-current)"': ("HEAD",),
    "git subtree push --prefix x origin y": (),
    "/usr/lib/git-core/git-push origin c": ("c",),
    "gh codespace ssh -c mine -- git push origin d": ("d",),
    "git http-push https://example.org/x.git topic": (),
    "git for-each-repo --config=maintenance.repo push": (),
    "devbox run -- git push origin e": ("e",),
    "retry -t 3 git push origin f": ("f",),
}
OTHERS = {
    "gh pr create --fill": LeavingKind.REQUEST,
    "gh pr merge 12 --squash": LeavingKind.REQUEST,
    "glab mr create": LeavingKind.REQUEST,
    "glab mr merge 3": LeavingKind.REQUEST,
    **dict.fromkeys(
        (
            *("gh api repos/o/r/pulls -f title=x -f head=a", "gh api -X POST repos/o/r/pulls --input body.json"),
            *("gh api -X PUT repos/o/r/pulls/3/merge", "gh api repos/o/r/merges -f base=main -f head=a"),
            "gh api graphql -f query='mutation { createPullRequest(input: {}) { clientMutationId } }'",
            *("glab api projects/1/merge_requests -X POST", "glab api -X PUT projects/1/merge_requests/3/merge"),
            *("curl -X POST -d @b https://api.github.com/repos/o/r/pulls", "git-town propose", "git town propose"),
            *(
                "git review",
                "git-review -R",
                "arc diff HEAD^",
                "arc land",
                "repo upload .",
                "git cl upload",
                "gt stack submit",
            ),
            "gh api graphql -f query='mutation { markPullRequestReadyForReview(input: {}) { x } }'",
            *("gh pr reopen 3", "glab mr reopen 3", "git imap-send < x.patch", "hub api repos/o/r/pulls -X POST"),
            *("hub api repos/o/r/pulls -F title=x", "aws codecommit create-pull-request --title x --targets y"),
            *(
                "gh api -X PATCH repos/o/r/pulls/3 -f state=open",
                "gh api repos/o/r/pulls/3 --method PATCH -fstate=open",
            ),
            "glab api -X PUT projects/1/merge_requests/3 -f state_event=reopen",
            "glab api -X PUT 'projects/1/merge_requests/3?state_event=reopen'",
            """curl -X PATCH -d '{"state": "open"}' https://api.github.com/repos/o/r/pulls/3""",
            """curl -X PATCH --json '{"status":"active"}' 'https://dev.azure.com/o/p/_apis/git/repositories/r/pullrequests/3?api-version=7.1'""",
            *(
                "http PATCH https://api.github.com/repos/o/r/pulls/3 state=open",
                "hub api -XPATCH repos/o/r/pulls/3 -F state=open",
            ),
            "gh api graphql -f query='mutation { reopenPullRequest(input: {}) { clientMutationId } }'",
            """gh api -X PATCH repos/o/r/pulls/3 --input - <<< '{"state":"open"}'""",
            """echo '{"state": "open"}' | curl -X PATCH https://api.github.com/repos/o/r/pulls/3 -d @-""",
            'gh api graphql --input - <<\'X\'\n{"query": "mutation { createPullRequest(input: {}) { x } }"}\nX',
            'gh api -X PATCH "repos/o/r/pulls/$N" -f state="$(cat x)"',
            *("tea pr reopen 3", "glab mr update 3 --ready"),
            *("gh stack submit", "git branchless submit", "git submit", "git spr update", "brew bump-formula-pr x"),
            *("gh pr revert 12", "gh alias set mk 'pr create'", "gh alias set -s mk 'gh pr create --fill'"),
            *("gh pr new", "gh api repos/o/r/pulls -fhead=x", "gh api -X post repos/o/r/pulls", "glab mr new"),
            *("gh api 'repos/o/r/pulls?x=1' -Ftitle=x", "hub pull-request -m x", "git send-email x.patch"),
            *(
                "wget --post-file=b https://api.github.com/repos/o/r/pulls",
                "curl -sSd@b https://x.org/api/v1/repos/o/r/pulls",
            ),
            *("http https://api.github.com/repos/o/r/pulls title=x", "xh post api.github.com/repos/o/r/pulls title=x"),
            *("curl --form a=b https://gitlab.com/api/v4/projects/1/merge_requests", "ghstack", "sl pr submit"),
            "pwsh -Command 'Invoke-RestMethod -Method Post -Uri https://api.github.com/repos/o/r/pulls -Body x'",
            """curl -d '{"query": "mutation { createPullRequest(input: {}) {x} }"}' https://api.github.com/graphql""",
        ),
        LeavingKind.REQUEST,
    ),
    **dict.fromkeys(
        (
            *("npm publish", "pnpm publish", "yarn npm publish", "bun publish", "cargo publish", "twine upload dist/*"),
            *("python -m twine upload dist/*", "uv publish", "poetry publish", "flit publish", "hatch publish"),
            *("gem push x.gem", "mvn deploy", "gradle publish", "./gradlew :lib:publish", "docker push me/x"),
            *("cargo smart-release --execute", "gem release", "sbt +publishSigned"),
            *("gh api -X POST repos/o/r/releases", "curl -X PUT https://registry.npmjs.org/x -d @body"),
            *(
                "curl -T x https://uploads.github.com/repos/o/r/releases/1/assets",
                "glab api projects/1/releases -X POST",
            ),
            *(
                "curl -F content=@x.whl https://upload.pypi.org/legacy/",
                "curl -F g=@x.gem https://rubygems.org/api/v1/gems",
            ),
            *(
                "cargo ws publish",
                "rake x:release",
                "sbt release",
                "mill __.publish",
                "clj -T:build deploy",
                "gleam publish",
            ),
            *("quarto publish gh-pages", "choco push x", "sam publish", "az artifacts universal publish --name x"),
            *("moon run app:publish", "earthly --push +all", "fab deploy", "doit publish", "composer release"),
            *("lerna run release", "nlx np", "node --run release"),
            *("npm pub", "npm publish --dry-run --no-dry-run", "pnpm changeset publish", "yarn changeset publish"),
            *("just publish", "task release", "mise run release", "nox -s publish", "npx -y @changesets/cli publish"),
            *(
                "npx nx run-many -t publish",
                "npx nx run app:publish",
                "turbo run publish",
                "npx turbo release --filter x",
            ),
            *(
                "nvm exec npm publish",
                "nvm exec 18 npm publish",
                "mise exec node@20 -- npm publish",
                "mise x npm publish",
            ),
            *("npx dotenv-cli npm publish", "bun x npm publish"),
            *("npx npm@latest publish", "npx -y npm@10 publish", "bunx lerna@6 publish", "uvx twine@5 upload dist/x"),
            *("node node_modules/.bin/changeset publish", "node -r ./x node_modules/@changesets/cli/bin.js publish"),
            *("poe publish", "pdm run publish", "hatch run publish", "hatch run docs:release", "poetry run release"),
            *("task release:npm", "mise run publish:npm", "mise r publish", "deno task publish", "just release:npm"),
            *("cargo +nightly publish", "mvn deploy:deploy-file", "docker buildx build -o type=registry ."),
        ),
        LeavingKind.PUBLISH,
    ),
    "gh api --method PUT repos/o/r/contents/a.py -f content=eA==": LeavingKind.REMOTE_EDIT,
    "gh api graphql -f query='mutation { createCommitOnBranch(input: {}) { x } }'": LeavingKind.REMOTE_EDIT,
    "aws codecommit put-file --branch-name main --file-path a.py": LeavingKind.REMOTE_EDIT,
    "gh api repos/o/r/git/refs -f ref=refs/heads/x -f sha=1": LeavingKind.REMOTE_EDIT,
    **dict.fromkeys(
        (
            *(
                "git commit -am x",
                "git cherry-pick topic",
                "git merge --no-ff topic",
                "git rebase topic",
                "git am x.patch",
            ),
            *("git pull . topic", "git pull origin topic", "git revert HEAD", "git update-ref refs/heads/main abc"),
            *("git branch -f main topic", "git branch -M main", "git switch -C main topic", "git checkout -B main"),
            *("git reset --hard topic", "git fetch . topic:main", "git-merge topic", "git merge --continue"),
            *("git reset --soft topic", "git reset topic", "git fetch origin topic:main"),
            *("git fetch x.bundle topic:main", "git fetch ../clone main:main"),
            *("git worktree add -B main ../m topic", "git subtree add -P x ../o main", "git subtree merge -P x topic"),
        ),
        LeavingKind.COMMIT,
    ),
}
NOTHING = (
    *("git status", "git pushd", "echo git push", "git push --dry-run", "git push -n", "git push origin :old"),
    *("git push --delete origin old", "grep 'git push' x", "gh pr view", "npm publish --dry-run", "cargo build"),
    *("gh api repos/o/r/pulls", "gh api repos/o/r/pulls/3", "curl https://api.github.com/repos/o/r/pulls"),
    *("glab api projects/1/merge_requests", "gh api repos/o/r/contents/a.py", "git-lfs pull", "git-status"),
    *(
        "git log --grep push",
        "git commit --dry-run",
        "git stash push",
        "git push --help",
        "git pull",
        "git merge --abort",
    ),
    *(
        "git pull --rebase origin",
        "git cherry-pick -n topic",
        "git branch topic",
        "git switch -c topic",
    ),
    *("git fetch origin topic:topic", "git update-ref refs/tags/v1 abc", "git town status", "pnpm deploy", "just test"),
    *(
        "gh pr create --dry-run",
        "http https://api.github.com/repos/o/r/pulls",
        "git rebase --abort",
        "cargo +nightly test",
    ),
    *(
        "git reset -p topic",
        "git reset HEAD x.py",
        "git reset -- topic",
        "git fetch origin main:main",
        "git worktree list",
    ),
    *("git worktree add ../x topic", "git subtree split -P x", "gh alias set v 'pr view'", "gh alias list"),
    *("curl -d @x http://localhost:3000/pulls", "http POST 127.0.0.1:8000/merge_requests a=b", "mise exec -- npm test"),
    *("nvm exec 18 npm test", "turbo run build", "npx nx run app:build", "nx affected -t test", "bun x tsc"),
    *("git review -d 12", "git flow feature start x", "git annex add x", "curl https://registry.npmjs.org/x"),
    *("git symbolic-ref HEAD", "git symbolic-ref HEAD refs/heads/x", "git symbolic-ref -d refs/heads/x"),
    *("npx npm@latest test", "npx npm@10 publish --dry-run", "node node_modules/.bin/changeset status", "node publish"),
    *("hub api repos/o/r/pulls", "gh codespace ssh -- git status", "gh codespace list", "gh pr close 3"),
    *("aws codecommit get-pull-request --pull-request-id 1", "aws codecommit list-branches", "git imap-fetch"),
    *("poe test", "pdm run test", "hatch run docs:build", "poetry run pytest", "uv run releases", "poe publisher"),
    *("task release-notes", "mise run prerelease", "mise r test", "deno task test", "just released"),
    *(
        "glab mr update 3 --title x",
        "gh api -X PATCH repos/o/r/pulls/3 -f body='the state of things'",
        "tea pr close 3",
    ),
    """gh api -X PATCH repos/o/r/pulls/3 --input - <<< '{"title":"x"}'""",
    *("gh api -X PATCH repos/o/r/pulls/3 -f state=closed", "gh api -X PATCH repos/o/r/pulls/3 -f title=opened"),
    *("gh api 'repos/o/r/pulls/3?state=open'", "gh api -X PUT repos/o/r/pulls/3/update-branch"),
    *(
        "glab api -X PUT projects/1/merge_requests/3 -f state_event=close",
        "gh api -X PATCH repos/o/r/issues/3 -f state=open",
    ),
    *("bumpp --no-push", "git branchless undo", "lerna run build", "moon run app:build", "earthly +all", "fab -l"),
    *("retry -t 3 npm test", "node --run test", "git http-fetch x y", "git for-each-repo --config=x maintenance run"),
    "curl -G https://api.github.com/repos/o/r/pulls -d state=open",
    *("gh api repos/o/r/releases", "arc diff --preview", "cargo smart-release", "git cl status"),
    *("http https://api.github.com/repos/o/r/pulls state==open", "curl -sSLo x https://api.github.com/repos/o/r/pulls"),
)


def found(command):
    return leaving(command, Path("/repo"), Path("/repo"), Path("/home/me"))


@pytest.mark.parametrize(("command", "sources"), PUSHES.items())
def test_a_push_is_found_with_what_it_names(command, sources):
    (each,) = found(command)
    assert (each.kind, each.sources) == (LeavingKind.PUSH, sources)


@pytest.mark.parametrize(("command", "kind"), OTHERS.items())
def test_other_ways_out(command, kind):
    assert [each.kind for each in found(command)] == [kind]


@pytest.mark.parametrize("command", NOTHING)
def test_what_sends_nothing(command):
    assert found(command) == ()


def test_what_is_sent_for_real_whatever_stood_before():
    assert found("git push --dry-run --no-dry-run")[0].kind is LeavingKind.PUSH
    assert found("hub push origin x")[0].sources == ("x",)
    assert found("gh repo create x --source . --push")[0].kind is LeavingKind.PUSH
    assert found("npx bumpp")[0].kind is LeavingKind.PUSH
    assert found("ghp-import -p site")[0].kind is LeavingKind.PUSH
    assert found("git stack --push")[0].kind is LeavingKind.PUSH
    assert found("gh stack push")[0].kind is LeavingKind.PUSH
    assert found("git annex sync")[0].kind is LeavingKind.PUSH
    assert found("git flow release finish -p 1.0")[0].kind is LeavingKind.PUSH


def test_which_branch_moves_to_what():
    def moved(command):
        (each,) = found(command)
        return tuple(each.move)[:3], each.branch

    assert moved("git update-ref refs/heads/main abc") == (("main", "abc", False), "")
    assert moved("git switch main && git merge --no-ff topic -m x") == (("", "topic", True), "main")
    assert moved("git checkout -q main; git cherry-pick topic") == (("", "", False), "main")
    assert moved("git checkout main -- a.txt; git merge topic") == (("", "topic", True), "")
    assert moved("git symbolic-ref refs/heads/main refs/heads/topic") == (("main", "", False), "")
    assert moved("git fetch . topic:refs/heads/main")[0] == ("main", "topic", False)


def test_a_commit_before_it_in_the_same_command_is_known():
    commit, push = found("git add -A && git commit -m x && git push")
    assert (commit.kind, commit.after_commit) == (LeavingKind.COMMIT, False)
    assert (push.kind, push.after_commit) == (LeavingKind.PUSH, True)


def test_all_branches():
    assert found("git push --all origin")[0].sends_all
    assert found("git push --mirror")[0].sends_all
    assert found("git push origin :")[0].sends_all
    assert found("git push origin +:")[0].sends_all


def test_where_it_starts():
    assert found("cd /elsewhere && git -C sub push")[0].folder == Path("/elsewhere/sub")
    assert found('cd "$(cat where)" && git push')[0].folder is None


@pytest.mark.parametrize(
    ("command", "move"),
    {
        "git pull origin topic main": BranchMove(joins=True),
        "git pull --depth 1 origin main": BranchMove(source="origin/main", joins=True),
        "git pull origin +main:x": BranchMove(source="origin/main", joins=True),
        "git fetch -j 4 --depth 1 origin topic:main": BranchMove("main", "origin/topic"),
    }.items(),
)
def test_a_pull_brings_what_it_names(command, move):
    assert found(command)[0].move == move


def test_a_work_tree_that_git_cannot_make_is_not_where_a_commit_lands(tmp_path):
    (tmp_path / "app.py").touch()
    made, kept = (
        leaving(f"git worktree add {place} -b feat; cd {place}; git commit -qm x", tmp_path, tmp_path, tmp_path)[-1]
        for place in ("../new", ".")
    )
    assert (made.branch, kept.branch) == ("feat", "")
