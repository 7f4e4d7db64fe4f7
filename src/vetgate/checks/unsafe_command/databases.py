"""Data in databases: statements, shells, and the tasks of frameworks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import DESTROYS_DATA, MatchedEffect
from vetgate.checks.unsafe_command.table import CommandTable
from vetgate.expression import expression
from vetgate.model import Decision
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.source.shell.runs import ProgramRun

_TABLE = CommandTable(
    (
        DESTROYS_DATA,
        """
        dropdb|dropuser|pg_resetwal|pg_dropcluster
        pg_restore +-c|--clean
        mysqladmin drop|flush-*
        mongo|mongosh +--eval =*drop*
        mongorestore +--drop
        redis-cli|valkey-cli|keydb-cli .. flushall|flushdb|FLUSHALL|FLUSHDB|FlushAll|FlushDB|shutdown|SHUTDOWN
        redis-cli|valkey-cli .. del|DEL|unlink|UNLINK|EVAL|eval
        redis-cli|valkey-cli .. config|CONFIG set|SET
        redis-cli|valkey-cli .. script|SCRIPT flush|FLUSH
        rake|rails db:drop|db:reset|db:purge|db:truncate_all|db:migrate:reset|db:drop:all|db:setup|db:drop:_unsafe
        rake|rails db:schema:load|db:structure:load
        rails|rake db:rollback +STEP=*
        rails destroy
        rails runner =*delete_all*
        rails runner =*destroy_all*
        prisma migrate reset => make a new migration with `prisma migrate dev`
        prisma db push +--force-reset|--accept-data-loss
        drizzle-kit|dbmate drop
        drizzle-kit push +--force
        artisan|php .. migrate:fresh|migrate:reset|migrate:refresh|db:wipe
        php artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe|migrate:rollback
        django-admin|manage.py flush|reset_db|sqlflush
        python .. flush|reset_db
        python manage.py migrate * zero
        alembic downgrade base
        flask db downgrade
        knex migrate:rollback +--all
        knex migrate:down
        sequelize|sequelize-cli db:drop|db:migrate:undo:all
        typeorm|typeorm-ts-node-commonjs schema:drop|migration:revert
        mikro-orm schema:drop|schema:fresh|migration:fresh
        mix ecto.drop|ecto.reset
        diesel database reset|drop
        diesel migration redo|revert +--all|-a
        sqlx database drop|reset
        goose reset|down-to
        migrate .. drop
        flyway clean
        liquibase dropAll|drop-all|rollback
        atlas schema clean
        supabase db reset
        supabase db push +--include-all
        firebase database:remove|firestore:delete
        hasura migrate apply +--down|--rollback
        dotnet ef database drop
        mysqlsh|cassandra-cli =*drop*
        influx|dynamodb-admin|wal-g delete
        influx bucket|org delete
        influxd|meilisearch .. delete
        curator_cli delete_indices
        clickhouse-client +--query =*DROP*
        couchbase-cli bucket-delete|bucket-flush
        cbq =*delete*
        nodetool decommission|removenode|clearsnapshot|assassinate
        bq rm
        bq query =*DROP*
        neo4j-admin database .. --overwrite-destination
        arangosh =*_drop*
        heroku pg:reset|pg:kill|redis:cli
        wrangler d1 delete
        turso db destroy
        pscale database delete
        cockroach node decommission
        edgedb|gel database drop|wipe
        pgbackrest stanza-delete|expire
        """,
    ),
)
_CLIENTS = frozenset(
    """
    psql pgcli mysql mariadb mycli sqlite3 sqlite litecli duckdb sqlcmd mssql-cli cqlsh clickhouse-client clickhouse
    influx snowsql sqlplus usql cockroach trino presto beeline hive spark-sql isql tsql mongo mongosh vertica vsql
    impala-shell bq wrangler turso prisma heroku supabase db2 osql pscale arangosh cypher-shell neo4j questdb rails
    rake pgadmin neonctl d1 surreal
    """.split()
)
_STATEMENT = expression(
    r"""(?ix)
    \b(?:drop)\s+(?:database|schema|table|keyspace|index|view|materialized\s+view|user|role|owned|tablespace|sequence|function|type|column|
        measurement|series|retention|bucket|collection|graph|all|shard|dictionary|stage|warehouse|extension|trigger|policy|domain)\b
    | \btruncate\s+(?:table\s+)?["'`\[]?[\w.]+
    | \bdelete\s+from\s+["'`\[]?[\w."`\]]+\s*(?:;|$|"|')
    | \bdelete\s+from\s+\S+\s+where\s+(?:1\s*=\s*1|true)
    | \bupdate\s+["'`\[]?[\w."`\]]+\s+set\s+(?:(?!\bwhere\b)[^;]){0,400}(?:;|$)
    | \balter\s+table\s+\S+\s+drop\b
    | \b(?:dropDatabase|dropUser|dropIndexes|dropAllUsersFromDatabase)\s*\(
    | \.\s*drop\s*\(
    | \.\s*(?:deleteMany|remove|deleteOne)\s*\(\s*(?:\{\s*\})?\s*\)
    | \bshutdown\s+(?:immediate|abort)\b
    | \bdetach\s+delete\b
    | \b(?:flushall|flushdb)\b
    """
)
_COMMENT = expression(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
_MOST_TEXT = 20_000
_SCRATCH = expression(r":memory:|(?:.*/)?(?:tmp|temp)/.*")


# Tasks of frameworks work on the database of whoever runs them, unless told otherwise.
_FRAMEWORKS = frozenset(
    """
    rails rake prisma drizzle-kit artisan php django-admin manage.py python alembic flask knex sequelize sequelize-cli
    typeorm typeorm-ts-node-commonjs mikro-orm mix diesel sqlx dbmate goose supabase dotnet
    """.split()
)
_FOR_DEVELOPMENT = expression(
    r"(?i)(?:^|[^a-z0-9])(?:tests?|testing|dev|development|ci|tmp|scratch|sandbox|local|example)(?:[^a-z]|$)"
)
_FOR_OTHERS = expression(
    r"(?i)(?:^|[^a-z])(?:prod|production|live|staging|stage|preprod)(?:[^a-z]|$)|^--(?:linked|remote|db-url)\b"
    r"|://(?:[^/@\s]*@)?(?!localhost|127\.|0\.0\.0\.0|\[::1\]|/)[\w.-]+"
)
# A database of theirs is a file of the project.
_OVER_FILES = frozenset({"sqlite3", "sqlite", "litecli", "duckdb"})
_HOST_OPTIONS = ("-h", "--host", "--hostname", "-H")
_NEAR = frozenset({"localhost", "127.0.0.1", "::1", "/tmp", "/var/run/postgresql", ""})  # noqa: S108


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    near = _is_for_development(run)
    for each in _found(run):
        yield each._replace(decision=Decision.ASK) if near else each
    if run.code and _OF_ALL_RECORDS.search(run.code):
        yield MatchedEffect(DESTROYS_DATA, "its code deletes every record of a model", decision=Decision.ASK)


# Of Django, Rails and Laravel, told by how a model's records are named.
_OF_ALL_RECORDS = expression(
    r"\.objects\.all\(\)\.(?:_raw_)?delete\(|\b[A-Z]\w*\.(?:delete_all|destroy_all)\b|\b[A-Z]\w*::(?:truncate|query\(\)->delete)\("
)


def _is_for_development(run: ProgramRun) -> bool:
    """A database of this machine that its name or its task says is made for trying things out."""
    told = (*run.arguments, *run.env.values())
    if any(_FOR_OTHERS.search(each) for each in told):
        return False
    if any(UNKNOWN in each for each in run.arguments):
        return False
    if run.name in _FRAMEWORKS or run.name in _OVER_FILES:
        return True
    host = value_of(run.arguments, *_HOST_OPTIONS) or ""
    return host in _NEAR and any(_FOR_DEVELOPMENT.search(each) for each in run.arguments if not each.startswith("-"))


def _found(run: ProgramRun) -> Iterator[MatchedEffect]:
    yield from _TABLE.found(run)
    if run.name not in _CLIENTS and not run.name.endswith(("-cli", "sql")):
        return
    if any(_SCRATCH.fullmatch(each) for each in run.arguments):
        return
    for text in (*run.arguments, run.stdin):
        statement = _STATEMENT.search(_COMMENT.sub(" ", text[:_MOST_TEXT])) if len(text) > 7 else None
        if statement:
            yield MatchedEffect(DESTROYS_DATA, f"it runs `{shown(' '.join(statement[0].split()))[:80]}`")
            return
