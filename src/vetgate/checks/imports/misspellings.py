"""Names that are nearly another one, above all a popular one: what may have been meant, and what can only be a slip."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_SEPARATORS = re.compile(r"[-_.]+")
_SHORT, _LONG = 4, 8
_SURE_SWAP, _SURE_LETTER = 5, 7


def nearest(written: str, known: Iterable[str]) -> str:
    """The known name that is one slip away, two for a long one; "" for none."""
    most = 2 if len(written) >= _LONG else 1
    best: tuple[int, str] | None = None
    for name in known:
        if name == written or len(name) < _SHORT or abs(len(name) - len(written)) > most:
            continue
        away = 0 if _bare(name) == _bare(written) else distance(written.lower(), name.lower(), most)
        if away <= most and (best is None or (away, name) < best):
            best = (away, name)
    return best[1] if best is not None else ""


def is_slip(written: str, known: str) -> bool:
    """Whether nobody would call another package by that: letters swapped or doubled, or one wrong inside a long name.

    At the start and the end names differ on purpose (`preact`, `boto3`, `parsers`), and so do numbers.
    """
    if _bare(written) == _bare(known):
        return True
    if len(known) < _SURE_SWAP or distance(written, known, 1) != 1:
        return False
    head = _shared(written, known)
    tail = _shared(written[::-1], known[::-1])
    if len(written) == len(known) and head + tail + 2 <= len(known):
        return True
    longer, shorter = (written, known) if len(written) > len(known) else (known, written)
    if len(longer) != len(shorter) and head and longer[head - 1] == longer[min(head, len(longer) - 1)]:
        return True
    odd = longer[min(head, len(longer) - 1)]
    return len(known) >= _SURE_LETTER and head > 0 and tail > 0 and odd.isalpha()


def is_slip_on_the_way(parts: Sequence[str], known: Sequence[str]) -> bool:
    """`github.com/gin-gonc/gin`: the same way, as far as the known one goes, but for one mistyped part of it."""
    wrong = [pair for pair in zip(parts, known, strict=False) if pair[0] != pair[1]]
    return len(parts) >= len(known) and len(wrong) == 1 and is_slip(*wrong[0])


def distance(one: str, other: str, most: int) -> int:
    """Letters to change, add, leave out or swap; anything above `most` is as good as `most + 1`."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, against in enumerate(other, 1):
            cost = min(last[column] + 1, here[-1] + 1, last[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        if min(here) > most:
            return most + 1
        before, last = last, here
    return last[-1]


def _bare(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def _shared(one: str, other: str) -> int:
    count = 0
    for letter, against in zip(one, other, strict=False):
        if letter != against:
            break
        count += 1
    return count


POPULAR_IN_PYTHON = frozenset(
    """
    aiofiles aiohttp airflow alembic altair anthropic asyncpg bcrypt bokeh boto3 botocore cachetools celery
    certifi charset_normalizer chardet click colorama cryptography cython datasets decorator django docker
    docutils elasticsearch factory fastapi flask fsspec gensim gevent gunicorn httpx huggingface_hub hypothesis
    idna importlib_metadata itsdangerous jinja2 joblib jsonschema jupyter keras kubernetes langchain lightgbm
    loguru marshmallow matplotlib mongoengine networkx nltk notebook numba numpy oauthlib openai openpyxl orjson
    packaging pandas paramiko passlib peewee pillow playwright plotly poetry polars psutil psycopg psycopg2
    pyarrow pydantic pygments pymongo pymysql pyparsing pyspark pytest pytz redis requests rich scipy scrapy
    seaborn selenium sentry_sdk setuptools simplejson sklearn spacy sphinx sqlalchemy sqlmodel starlette
    statsmodels streamlit stripe structlog sympy tabulate tenacity tensorflow tokenizers torch torchvision tornado
    tqdm transformers twisted typer typing_extensions ujson urllib3 uvicorn virtualenv websockets werkzeug xgboost
    """.split()
)
POPULAR_IN_NODE = frozenset(
    """
    @angular/core @babel/core @nestjs/common @nestjs/core @prisma/client @reduxjs/toolkit @tanstack/react-query
    @testing-library/react angular ajv apollo-server async autoprefixer axios babel-loader bcrypt bluebird
    body-parser bootstrap chalk cheerio chokidar classnames commander compression concurrently cookie-parser
    core-js cors cross-env css-loader cypress d3-array date-fns dayjs debug dotenv drizzle-orm ejs electron eslint
    esbuild execa express express-session fastify firebase framer-motion fs-extra glob graphql gulp handlebars
    helmet husky immer inquirer ioredis jest jquery js-yaml jsonwebtoken knex koa lodash lodash-es lucide-react
    mariadb marked minimist mobx mocha moment mongodb mongoose morgan multer mysql mysql2 next-auth nodemailer
    nodemon nuxt openai passport playwright postcss preact prettier prisma prop-types puppeteer react react-dom
    react-hook-form react-query react-redux react-router react-router-dom redux request rimraf rollup rxjs sass
    semver sequelize sharp sinon socket.io sqlite3 storybook stripe styled-components superagent supertest svelte
    tailwindcss three ts-jest ts-node typeorm typescript underscore undici uuid validator vitest webpack winston
    yargs zustand
    """.split()
)


def popular_meant(written: str, popular: frozenset[str], besides: Iterable[str] = ()) -> str:
    """The popular package that was meant; "" for none."""
    every = {*popular, *besides}
    known = {name for name in every if len(name) > _SHORT}
    near = nearest(written, known) if written not in every else ""
    return near if near and is_slip(written, near) else ""
