# === vulnerable: flask args concatenated into a sqlite3 cursor.execute
import sqlite3
from flask import Flask, request, jsonify

app = Flask(__name__)


@app.route("/users")
def find_user():
    name = request.args.get("name", "")
    conn = sqlite3.connect("app.db")
    cur = conn.cursor()
    cur.execute("SELECT id, email FROM users WHERE name = '" + name + "'")
    return jsonify(cur.fetchall())

# === vulnerable: psycopg2 query built with an f-string from a form field
import os
import psycopg2
from flask import Blueprint, request, render_template

bp = Blueprint("orders", __name__)


@bp.post("/orders/search")
def search_orders():
    status = request.form["status"]
    query = f"SELECT * FROM orders WHERE status = '{status}' ORDER BY created_at DESC"
    with psycopg2.connect(os.environ["DATABASE_URL"]) as conn:
        with conn.cursor() as cur:
            cur.execute(query)
            rows = cur.fetchall()
    return render_template("orders.html", rows=rows)

# === vulnerable: django Model.objects.raw with percent formatting
from django.shortcuts import render
from shop.models import Product


def product_list(request):
    category = request.GET.get("category")
    products = Product.objects.raw(
        "SELECT * FROM shop_product WHERE category = '%s'" % category
    )
    return render(request, "shop/list.html", {"products": products})

# === vulnerable: django connection.cursor with str.format
from django.db import connection
from django.http import JsonResponse


def report(request):
    sql = "SELECT count(*) FROM visits WHERE page = '{page}' AND day > '{day}'".format(
        page=request.GET["page"], day=request.GET["since"]
    )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        (total,) = cursor.fetchone()
    return JsonResponse({"total": total})

# === vulnerable: fastapi query parameter inside sqlalchemy text()
from fastapi import Depends, FastAPI
from sqlalchemy import text
from sqlalchemy.orm import Session

from .db import get_session

app = FastAPI()


@app.get("/customers")
def list_customers(city: str, session: Session = Depends(get_session)):
    stmt = text(f"SELECT id, name FROM customers WHERE city = '{city}'")
    return [dict(row._mapping) for row in session.execute(stmt)]

# === vulnerable: asyncpg fetch with an order by column from the query string
import asyncpg
from aiohttp import web


async def list_items(request: web.Request) -> web.Response:
    sort = request.query.get("sort", "id")
    pool: asyncpg.Pool = request.app["pool"]
    async with pool.acquire() as conn:
        rows = await conn.fetch("SELECT id, title FROM items ORDER BY " + sort)
    return web.json_response([dict(r) for r in rows])


app = web.Application()
app.router.add_get("/items", list_items)

# === vulnerable: helper of the same file builds the where clause from joined request pairs
import sqlite3
from flask import Flask, request

app = Flask(__name__)


def build_where(filters):
    parts = []
    for key, value in filters.items():
        parts.append(key + " = '" + value + "'")
    return " AND ".join(parts)


@app.route("/tickets")
def tickets():
    where = build_where(request.args)
    db = sqlite3.connect("tickets.db")
    rows = db.execute("SELECT * FROM tickets WHERE " + where).fetchall()
    return {"tickets": rows}

# === vulnerable: tornado handler with mysql connector and incremental string building
import mysql.connector
import tornado.web


class InvoiceHandler(tornado.web.RequestHandler):
    def get(self):
        customer = self.get_argument("customer")
        sql = "SELECT number, amount FROM invoices WHERE 1 = 1"
        if customer:
            sql += " AND customer = '%s'" % customer
        conn = mysql.connector.connect(host="db", user="app", database="billing")
        cur = conn.cursor(dictionary=True)
        cur.execute(sql)
        self.write({"invoices": cur.fetchall()})

# === vulnerable: repository class method receives the json body value
import sqlite3
from flask import Flask, request


class AccountRepository:
    def __init__(self, path):
        self.conn = sqlite3.connect(path)

    def remove(self, account_id):
        self.conn.execute(f"DELETE FROM accounts WHERE id = {account_id}")
        self.conn.commit()


app = Flask(__name__)
repo = AccountRepository("bank.db")


@app.delete("/accounts")
def delete_account():
    body = request.get_json()
    repo.remove(body["id"])
    return "", 204

# === vulnerable: executescript with a command line argument
import sqlite3
import sys


def main():
    table = sys.argv[1]
    owner = sys.argv[2]
    script = "\n".join(
        [
            f"UPDATE {table} SET owner = '{owner}';",
            f"DELETE FROM audit WHERE owner <> '{owner}';",
        ]
    )
    with sqlite3.connect("inventory.db") as db:
        db.executescript(script)


if __name__ == "__main__":
    main()

# === vulnerable: django queryset extra with an interpolated where
from django.http import JsonResponse
from library.models import Book


def books(request):
    author = request.GET.get("author", "")
    qs = Book.objects.extra(where=["lower(author) = lower('" + author + "')"])
    return JsonResponse({"books": list(qs.values("id", "title"))})

# === vulnerable: starlette path parameter into a databases query
import databases
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

database = databases.Database("postgresql://localhost/app")


async def show_post(request):
    slug = request.path_params["slug"]
    row = await database.fetch_one(query=f"SELECT * FROM posts WHERE slug = '{slug}'")
    return JSONResponse(dict(row))


app = Starlette(routes=[Route("/posts/{slug}", show_post)])

# === vulnerable: parameters given but one value is still formatted into the text
import psycopg
from flask import Flask, request

app = Flask(__name__)


@app.get("/events")
def events():
    kind = request.args["kind"]
    direction = request.args.get("dir", "asc")
    with psycopg.connect("dbname=events") as conn:
        rows = conn.execute(
            f"SELECT * FROM events WHERE kind = %s ORDER BY at {direction}", (kind,)
        ).fetchall()
    return {"rows": [str(r) for r in rows]}

# === vulnerable: aliased sqlalchemy text import with header value
from flask import Flask, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import text as sql

app = Flask(__name__)
app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite:///tenant.db"
db = SQLAlchemy(app)


@app.route("/tenant")
def tenant():
    tenant_id = request.headers.get("X-Tenant")
    statement = "SELECT plan FROM tenants WHERE id = '" + tenant_id + "'"
    return {"plan": db.session.execute(sql(statement)).scalar()}

# === vulnerable: pandas read_sql with a view argument
import pandas as pd
from flask import Flask, request
from sqlalchemy import create_engine

app = Flask(__name__)
engine = create_engine("postgresql+psycopg://localhost/metrics")


@app.route("/export.csv")
def export():
    region = request.args.get("region")
    frame = pd.read_sql("SELECT * FROM sales WHERE region = '%s'" % region, engine)
    return frame.to_csv(index=False), 200, {"Content-Type": "text/csv"}

# === safe: flask args bound with a qmark placeholder
import sqlite3
from flask import Flask, request, jsonify

app = Flask(__name__)


@app.route("/users")
def find_user():
    name = request.args.get("name", "")
    conn = sqlite3.connect("app.db")
    cur = conn.cursor()
    cur.execute("SELECT id, email FROM users WHERE name = ?", (name,))
    return jsonify(cur.fetchall())

# === safe: psycopg2 named parameters
import os
import psycopg2
from flask import Blueprint, request, render_template

bp = Blueprint("orders", __name__)


@bp.post("/orders/search")
def search_orders():
    params = {"status": request.form["status"], "limit": 50}
    query = "SELECT * FROM orders WHERE status = %(status)s LIMIT %(limit)s"
    with psycopg2.connect(os.environ["DATABASE_URL"]) as conn:
        with conn.cursor() as cur:
            cur.execute(query, params)
            rows = cur.fetchall()
    return render_template("orders.html", rows=rows)

# === safe: django raw with params list
from django.shortcuts import render
from shop.models import Product


def product_list(request):
    category = request.GET.get("category")
    products = Product.objects.raw(
        "SELECT * FROM shop_product WHERE category = %s", [category]
    )
    return render(request, "shop/list.html", {"products": products})

# === safe: sqlalchemy text with bound parameters
from fastapi import Depends, FastAPI
from sqlalchemy import text
from sqlalchemy.orm import Session

from .db import get_session

app = FastAPI()


@app.get("/customers")
def list_customers(city: str, session: Session = Depends(get_session)):
    stmt = text("SELECT id, name FROM customers WHERE city = :city")
    return [dict(row._mapping) for row in session.execute(stmt, {"city": city})]

# === safe: order by column taken from a dictionary of allowed columns
import asyncpg
from aiohttp import web

SORT_COLUMNS = {"name": "title", "newest": "created_at DESC", "id": "id"}


async def list_items(request: web.Request) -> web.Response:
    column = SORT_COLUMNS.get(request.query.get("sort"), "id")
    pool: asyncpg.Pool = request.app["pool"]
    async with pool.acquire() as conn:
        rows = await conn.fetch(f"SELECT id, title FROM items ORDER BY {column}")
    return web.json_response([dict(r) for r in rows])

# === safe: number of placeholders generated and values bound
import sqlite3
from flask import Flask, request

app = Flask(__name__)


@app.route("/bulk")
def bulk():
    ids = request.args.getlist("id")
    marks = ",".join("?" for _ in ids)
    db = sqlite3.connect("tickets.db")
    rows = db.execute(f"SELECT * FROM tickets WHERE id IN ({marks})", ids).fetchall()
    return {"tickets": rows}

# === safe: int conversion before formatting
import mysql.connector
import tornado.web


class PageHandler(tornado.web.RequestHandler):
    def get(self):
        page = int(self.get_argument("page", "1"))
        offset = (page - 1) * 20
        conn = mysql.connector.connect(host="db", user="app", database="billing")
        cur = conn.cursor()
        cur.execute(f"SELECT number FROM invoices LIMIT 20 OFFSET {offset}")
        self.write({"invoices": cur.fetchall()})

# === safe: psycopg2.sql composition with Identifier
import psycopg2
from psycopg2 import sql
from flask import Flask, request

app = Flask(__name__)


@app.get("/table")
def table():
    column = request.args["column"]
    value = request.args["value"]
    stmt = sql.SQL("SELECT * FROM parts WHERE {} = %s").format(sql.Identifier(column))
    with psycopg2.connect("dbname=parts") as conn, conn.cursor() as cur:
        cur.execute(stmt, (value,))
        return {"rows": cur.fetchall()}

# === safe: sqlalchemy orm filters
from flask import Flask, request
from sqlalchemy import select

from .models import User, db

app = Flask(__name__)


@app.route("/people")
def people():
    name = request.args.get("name", "")
    stmt = select(User).where(User.name == name).order_by(User.id)
    users = db.session.execute(stmt).scalars().all()
    return {"people": [u.name for u in users]}

# === safe: django filter with user value
from django.http import JsonResponse
from library.models import Book


def books(request):
    author = request.GET.get("author", "")
    qs = Book.objects.filter(author__iexact=author).order_by("title")
    return JsonResponse({"books": list(qs.values("id", "title"))})

# === safe: execute method of a thread pool wrapper and not a database
from flask import Flask, request


class CommandBus:
    def __init__(self):
        self.handlers = {}

    def execute(self, name):
        handler = self.handlers.get(name)
        return handler() if handler else None


app = Flask(__name__)
bus = CommandBus()


@app.post("/dispatch")
def dispatch():
    bus.execute("select " + request.form["name"])
    return "ok"

# === safe: sql assembled only from constants
import sqlite3
from flask import Flask, request

app = Flask(__name__)
COLUMNS = ("id", "title", "price")
BASE = "SELECT " + ", ".join(COLUMNS) + " FROM books"


@app.route("/books")
def books():
    sql = BASE
    params = []
    if "max" in request.args:
        sql += " WHERE price <= ?"
        params.append(request.args["max"])
    db = sqlite3.connect("books.db")
    return {"books": db.execute(sql, params).fetchall()}

# === safe: direction picked by comparison
import psycopg
from flask import Flask, request

app = Flask(__name__)


@app.get("/events")
def events():
    direction = "DESC" if request.args.get("dir") == "desc" else "ASC"
    with psycopg.connect("dbname=events") as conn:
        rows = conn.execute(f"SELECT * FROM events ORDER BY at {direction}").fetchall()
    return {"rows": [str(r) for r in rows]}

# === safe: membership check rejects unknown table names
import sqlite3
from flask import Flask, abort, request

app = Flask(__name__)
TABLES = {"customers", "suppliers"}


@app.get("/count")
def count():
    table = request.args.get("table")
    if table not in TABLES:
        abort(400)
    db = sqlite3.connect("crm.db")
    (total,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
    return {"total": total}

# === safe: executemany with rows from the json body
import sqlite3
from flask import Flask, request

app = Flask(__name__)


@app.post("/import")
def import_rows():
    rows = [(r["sku"], r["qty"]) for r in request.get_json()["rows"]]
    with sqlite3.connect("stock.db") as db:
        db.executemany("INSERT INTO stock (sku, qty) VALUES (?, ?)", rows)
    return {"imported": len(rows)}
