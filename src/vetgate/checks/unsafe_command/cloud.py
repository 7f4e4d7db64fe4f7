"""Infrastructure, containers, registries and the services a project lives on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import DESTROYS_DATA, DESTROYS_INFRASTRUCTURE, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.fetching import urls
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        DESTROYS_INFRASTRUCTURE,
        """
        kubectl|oc|k|microk8s delete !--dry-run => show what would go with --dry-run=client
        kubectl|oc|k drain|cordon|evict !--dry-run
        kubectl|oc|k replace +--force
        kubectl|oc|k scale =--replicas=0
        kubectl|oc|k scale +--replicas =0
        kubectl|oc|k taint
        helm uninstall|delete|del|un|rollback !--dry-run => show it with --dry-run
        helmfile destroy|delete
        terraform|tofu|terragrunt|tf destroy => show it with `plan -destroy`
        terraform|tofu|terragrunt|tf run-all destroy
        terraform|tofu|terragrunt|tf apply +-destroy|--destroy => show it with `plan -destroy`
        terraform|tofu|terragrunt|tf state rm|push|mv|replace-provider
        terraform|tofu|terragrunt|tf workspace delete
        terraform|tofu|terragrunt|tf taint|force-unlock
        pulumi destroy|cancel => show it with `pulumi preview`
        pulumi stack rm
        pulumi state delete
        cdk|cdktf|vagrant destroy
        sls|serverless|sst remove
        sam|amplify|eksctl|kops|rosa|wrangler|lxc|incus|crane|skopeo|regctl|oras delete
        copilot app|env|svc delete
        eb terminate
        crossplane|linode-cli|hcloud|render|velero|openstack|planetscale|pscale|neonctl|confluent|auth0 .. delete
        sentry-cli|okta .. delete
        aws s3 rb|rm !--dryrun => list it with `aws s3 ls`, or add --dryrun
        aws s3 sync +--delete !--dryrun => add --dryrun
        aws s3 mv +--recursive !--dryrun
        aws * delete-*|terminate-*|remove-*|destroy-*|purge-*|deregister-*|batch-delete-*|wipe-* !--dry-run
        aws * disable-*|revoke-*|release-*|detach-*|stop-*|reboot-*|cancel-*|deactivate-* !--dry-run
        aws kms schedule-key-deletion
        aws route53 change-resource-record-sets =*DELETE*
        gcloud .. delete|destroy|remove-iam-policy-binding|reset|disable|stop|abandon-instances
        gcloud storage rm|rb
        gsutil rm|rb
        gsutil rsync +-d
        az .. delete|purge|stop|deallocate|remove
        doctl .. delete|destroy|d
        ibmcloud|rancher .. delete|rm
        oci|mongocli|atlas .. delete|terminate
        heroku apps:destroy|apps:delete|addons:destroy|domains:remove|releases:rollback|ps:stop|destroy
        vercel|now rm|remove
        vercel|now domains|dns|env|project|alias rm|remove
        netlify sites:delete|env:unset
        fly|flyctl destroy|suspend
        fly|flyctl apps|machine|machines|volumes|postgres destroy|delete
        railway down|delete
        wrangler kv:namespace|kv|r2|d1|queues|pages .. delete
        firebase .. delete|remove
        firebase firestore:delete|projects:delete|database:remove|hosting:disable|functions:delete
        supabase projects|branches|functions delete
        docker|podman|nerdctl system prune|reset => remove single images or containers by name
        docker|podman|nerdctl volume rm|remove|prune => leave volumes to a person: they hold data
        docker|podman|nerdctl compose .. down|rm +-v|--volumes|--rmi
        docker-compose|podman-compose down|rm +-v|--volumes|--rmi
        terraform|tofu|terragrunt|tf apply +-auto-approve|--auto-approve
        pulumi up +--yes|-y|--skip-preview
        kubectl|oc|k rollout undo
        docker|podman|nerdctl builder|buildx prune +-a|--all
        docker|podman|nerdctl image prune +-a|--all
        docker|podman|nerdctl swarm leave +-f|--force
        docker|podman|nerdctl stack|service|node|secret|config rm|remove
        docker|podman|nerdctl rm +-v +-f|--force
        multipass|rabbitmqadmin delete|purge
        virsh destroy|undefine|vol-delete|pool-delete
        VBoxManage|vboxmanage unregistervm +--delete
        argocd app|cluster|repo delete|rm
        flux uninstall|delete
        istioctl uninstall
        nomad job|system|namespace stop|purge|gc|delete
        nomad stop +-purge
        consul kv delete
        consul leave
        vault delete|unwrap
        vault kv delete|destroy|metadata
        vault secrets|auth|audit disable
        vault operator seal|rekey|raft
        vault lease revoke
        etcdctl del|defrag|member
        gh repo delete|archive|rename
        gh repo sync +--force
        gh release delete|delete-asset
        gh secret|variable|label|environment|ruleset|cache|run|gist|issue|codespace|ssh-key|gpg-key delete
        gh api +DELETE|-XDELETE
        gh repo edit +--visibility|--default-branch|--delete-branch-on-merge
        glab repo|project|release|variable delete
        glab api +DELETE
        npm|pnpm unpublish|deprecate
        yarn npm tag remove
        npm dist-tag rm
        npm owner|access rm|revoke
        npm|pnpm owner rm
        cargo yank|owner
        gem yank
        pypi-cleanup|kafka-delete-records|kafka-delete-records.sh
        regctl tag|image|manifest delete|rm
        s3cmd del|rm|rb
        mc rb|rm
        mc mirror +--remove
        rclone delete|purge|deletefile|rmdirs|sync|cleanup !-n|--dry-run => run it with --dry-run
        b2 delete-bucket|delete-file-version
        azcopy remove|rm
        azcopy sync +--delete-destination
        restic forget|prune !--dry-run|-n
        borg delete|prune|compact !--dry-run|-n
        duplicity remove-all-but-n-full|cleanup
        kafka-topics|kafka-topics.sh +--delete
        kafka-consumer-groups|kafka-consumer-groups.sh +--delete|--reset-offsets
        rabbitmqctl reset|force_reset|delete_queue|delete_vhost|purge_queue|stop_app|delete_user
        pm2 delete|kill
        ansible .. =*state=absent*
        dokku apps:destroy|postgres:destroy
        ceph .. destroy|purge|rm|delete
        rbd rm|remove|purge
        gluster volume delete|stop
        nova|cinder|neutron *-delete|delete
        turso db|group destroy
        stripe .. delete|cancel
        """,
    ),
)
# What comes back by itself, what can be deployed again, and data of this machine alone: a person decides.
_ASKS = CommandTable(
    (
        DESTROYS_INFRASTRUCTURE,
        """
        kubectl|oc|k|microk8s delete pod|pods|po|pod/* !--dry-run|--all|-A|--all-namespaces => add --dry-run=client
        terraform|tofu|terragrunt|tf apply +-auto-approve|--auto-approve => show it with `plan`
        pulumi up +--yes|-y|--skip-preview => show it with `pulumi preview`
        kubectl|oc|k rollout undo
        docker|podman|nerdctl compose .. down +-v|--volumes|--rmi => leave out -v: volumes hold data
        docker|podman|nerdctl compose .. rm +-v
        docker-compose|podman-compose down +-v|--volumes|--rmi => leave out -v: volumes hold data
        docker-compose rm +-v
        docker|podman|nerdctl volume rm|remove => leave volumes to a person: they hold data
        """,
    ),
    decision=Decision.ASK,
)
_LOCAL = expression(
    r"(?:[a-z]+://)?(?:[^/@]*@)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?::(?P<port>\d+))?(?:/|$)"
)
_STORES = frozenset({"9200", "9201", "5984", "8086", "6333", "8983", "8108", "7700", "2379", "8500"})


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    asks = [] if any(UNKNOWN in each for each in run.arguments) else list(_ASKS.found(run))
    yield from asks or _TABLE.found(run)
    if run.name in ("docker", "podman") and run.arguments[:1] in (("rm",), ("rmi",), ("kill",), ("stop",)):
        yield from _all_containers(run)
    if run.name in ("curl", "http", "https", "xh", "wget"):
        yield from _requests(run)


def _all_containers(run: ProgramRun) -> Iterator[MatchedEffect]:
    forced = Words(run.arguments).has("-f", "--force")
    unknown = any("\ufdd0" in each for each in run.arguments[1:])
    if forced and unknown:
        yield MatchedEffect(
            DESTROYS_INFRASTRUCTURE, "it removes containers or images that nobody named", "remove them by name"
        )


def _requests(run: ProgramRun) -> Iterator[MatchedEffect]:
    """DELETE asked of a service; of one on this machine only where it is a database."""
    method = value_of(run.arguments, "-X", "--request", "--method") or ""
    words = [each.upper() for each in run.arguments[:1]]
    if method.upper() != "DELETE" and words != ["DELETE"]:
        return
    addresses = urls(run.arguments) or [
        each for each in run.arguments if _LOCAL.match(each) or ("." in each and not each.startswith("-"))
    ]
    for address in addresses:
        local = _LOCAL.match(address)
        if local is None:
            yield MatchedEffect(DESTROYS_INFRASTRUCTURE, f"it asks {shown(address)} to delete something")
        elif local["port"] in _STORES:
            yield MatchedEffect(DESTROYS_DATA, f"it asks {shown(address)} to delete data")
