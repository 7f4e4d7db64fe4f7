# === vulnerable: python-ldap search_s filter concatenation in flask
import ldap
from flask import Flask, request

app = Flask(__name__)


@app.route("/person")
def person():
    uid = request.args.get("uid")
    conn = ldap.initialize("ldap://directory.example.com")
    found = conn.search_s("ou=people,dc=example,dc=com", ldap.SCOPE_SUBTREE, "(uid=" + uid + ")")
    return {"count": len(found)}

# === vulnerable: ldap3 Connection.search with an f-string filter
from flask import Flask, request
from ldap3 import ALL, Connection, Server

app = Flask(__name__)
server = Server("ldaps://directory.example.com", get_info=ALL)


@app.post("/login")
def login():
    user = request.form["user"]
    with Connection(server, auto_bind=True) as conn:
        conn.search("dc=example,dc=com", f"(&(objectClass=person)(cn={user}))", attributes=["mail"])
        return {"mail": [str(e.mail) for e in conn.entries]}

# === vulnerable: bind DN built with percent formatting in django
import ldap
from django.http import HttpResponse, HttpResponseForbidden


def sign_in(request):
    dn = "uid=%s,ou=people,dc=example,dc=com" % request.POST["username"]
    conn = ldap.initialize("ldaps://directory.example.com")
    try:
        conn.simple_bind_s(dn, request.POST["password"])
    except ldap.INVALID_CREDENTIALS:
        return HttpResponseForbidden()
    return HttpResponse("welcome")

# === vulnerable: helper function joins filter parts in fastapi
from fastapi import FastAPI
from ldap3 import SUBTREE, Connection, Server

app = FastAPI()


def and_filter(**conditions):
    parts = ["({}={})".format(k, v) for k, v in conditions.items()]
    return "(&" + "".join(parts) + ")"


@app.get("/search")
def search(department: str, name: str):
    conn = Connection(Server("ldap://dir"), auto_bind=True)
    conn.search(
        search_base="dc=example,dc=com",
        search_filter=and_filter(department=department, cn=name),
        search_scope=SUBTREE,
    )
    return {"total": len(conn.entries)}

# === vulnerable: search base taken from the path in aiohttp
import ldap
from aiohttp import web


async def unit(request: web.Request) -> web.Response:
    ou = request.match_info["ou"]
    base = f"ou={ou},dc=example,dc=com"
    client = ldap.initialize("ldap://dir")
    rows = client.search_ext_s(base, ldap.SCOPE_ONELEVEL, "(objectClass=*)")
    return web.json_response({"entries": len(rows)})


app = web.Application()
app.router.add_get("/units/{ou}", unit)

# === vulnerable: tornado argument in an async python-ldap search
import ldap
import tornado.web


class GroupHandler(tornado.web.RequestHandler):
    def initialize(self):
        self.conn = ldap.initialize("ldap://dir")

    def get(self):
        flt = "(&(objectClass=group)(member="
        flt += self.get_argument("member")
        flt += "))"
        msgid = self.conn.search("dc=example,dc=com", ldap.SCOPE_SUBTREE, flt)
        _, data = self.conn.result(msgid)
        self.write({"groups": len(data)})

# === vulnerable: directory class receives the json body
from flask import Flask, request
from ldap3 import Connection, Server


class Directory:
    def __init__(self, host):
        self.conn = Connection(Server(host), auto_bind=True)

    def by_mail(self, mail):
        query = "(mail={0})".format(mail)
        self.conn.search("dc=example,dc=com", query)
        return self.conn.entries


app = Flask(__name__)
directory = Directory("dir")


@app.post("/lookup")
def lookup():
    payload = request.get_json()
    return {"hits": len(directory.by_mail(payload["mail"]))}

# === vulnerable: command line surname in an ldap3 filter
import sys
from ldap3 import Connection, Server


def main(argv):
    name = argv[1]
    conn = Connection(Server("dir"), "cn=admin,dc=example,dc=com", auto_bind=True)
    conn.search("ou=people,dc=example,dc=com", "(sn=%s)" % name)
    for entry in conn.entries:
        print(entry.entry_dn)


if __name__ == "__main__":
    main(sys.argv)

# === safe: escape_filter_chars of python-ldap
import ldap
from flask import Flask, request
from ldap.filter import escape_filter_chars

app = Flask(__name__)


@app.route("/person")
def person():
    uid = escape_filter_chars(request.args.get("uid", ""))
    conn = ldap.initialize("ldap://directory.example.com")
    found = conn.search_s("ou=people,dc=example,dc=com", ldap.SCOPE_SUBTREE, "(uid=" + uid + ")")
    return {"count": len(found)}

# === safe: ldap3 escape_filter_chars inside the f-string
from flask import Flask, request
from ldap3 import Connection, Server
from ldap3.utils.conv import escape_filter_chars

app = Flask(__name__)
server = Server("ldaps://directory.example.com")


@app.post("/lookup")
def lookup():
    user = request.form["user"]
    with Connection(server, auto_bind=True) as conn:
        conn.search("dc=example,dc=com", f"(cn={escape_filter_chars(user)})", attributes=["mail"])
        return {"mail": [str(e.mail) for e in conn.entries]}

# === safe: filter_format of python-ldap
import ldap
from ldap.filter import filter_format
from django.http import JsonResponse


def search(request):
    flt = filter_format("(&(objectClass=person)(sn=%s))", [request.GET["sn"]])
    conn = ldap.initialize("ldaps://directory.example.com")
    rows = conn.search_s("dc=example,dc=com", ldap.SCOPE_SUBTREE, flt)
    return JsonResponse({"total": len(rows)})

# === safe: escape_dn_chars for the bind dn
import ldap
from ldap.dn import escape_dn_chars
from django.http import HttpResponse, HttpResponseForbidden


def sign_in(request):
    password = request.POST.get("password", "")
    if not password:
        return HttpResponseForbidden()
    dn = "uid=%s,ou=people,dc=example,dc=com" % escape_dn_chars(request.POST["username"])
    conn = ldap.initialize("ldaps://directory.example.com")
    conn.simple_bind_s(dn, password)
    return HttpResponse("welcome")

# === safe: constant filter and only a size limit from the request
from fastapi import FastAPI
from ldap3 import Connection, Server

app = FastAPI()


@app.get("/people")
def people(limit: int = 10):
    conn = Connection(Server("ldap://dir"), auto_bind=True)
    conn.search("dc=example,dc=com", "(objectClass=person)", size_limit=min(limit, 100))
    return {"total": len(conn.entries)}

# === safe: unit allow-list for the search base
import ldap
from aiohttp import web

UNITS = {"sales": "ou=sales,dc=example,dc=com", "it": "ou=it,dc=example,dc=com"}


async def unit(request: web.Request) -> web.Response:
    base = UNITS.get(request.match_info["ou"])
    if base is None:
        raise web.HTTPNotFound()
    rows = ldap.initialize("ldap://dir").search_s(base, ldap.SCOPE_ONELEVEL, "(objectClass=*)")
    return web.json_response({"entries": len(rows)})

# === safe: employee number converted to int
import ldap
import tornado.web


class EmployeeHandler(tornado.web.RequestHandler):
    def get(self):
        number = int(self.get_argument("number"))
        conn = ldap.initialize("ldap://dir")
        rows = conn.search_s("dc=example,dc=com", ldap.SCOPE_SUBTREE, f"(employeeNumber={number})")
        self.write({"found": bool(rows)})

# === safe: search of an in-memory index with ldap looking text
from flask import Flask, request


class Index:
    def __init__(self, names):
        self.names = names

    def search(self, base, text):
        return [n for n in self.names if base in n and text in n]


app = Flask(__name__)
index = Index(["dc=example", "ou=people"])


@app.route("/find")
def find():
    return {"hits": index.search("dc", "(uid=" + request.args.get("q", "") + ")")}
