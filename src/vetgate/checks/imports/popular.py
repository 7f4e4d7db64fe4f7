"""Packages so popular that a name one slip away from theirs is a misspelling, whether a manifest names them or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import is_slip, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

PYTHON = frozenset(
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
NODE = frozenset(
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


_SHORT = 4


def meant(written: str, popular: frozenset[str], besides: Iterable[str] = ()) -> str:
    """The popular package that was meant; "" for none."""
    known = {name for name in (*popular, *besides) if len(name) > _SHORT}
    near = nearest(written, known) if written not in known else ""
    return near if near and is_slip(written, near) else ""
