# === vulnerable: flask app.run debug True
from flask import Flask

app = Flask(__name__)


@app.get("/")
def index():
    return "hello"


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=8080, debug=True)

# === vulnerable: flask app.debug attribute
from flask import Flask

app = Flask(__name__)
app.debug = True
app.run()

# === vulnerable: flask config key
from flask import Flask


def create_app():
    app = Flask(__name__)
    app.config["DEBUG"] = True
    return app

# === vulnerable: django settings
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
DEBUG = True
ALLOWED_HOSTS = ["shop.example.com"]
ROOT_URLCONF = "shop.urls"

# === vulnerable: fastapi debug
from fastapi import FastAPI

app = FastAPI(title="Orders", debug=True)


@app.get("/orders")
def orders():
    return []

# === vulnerable: starlette debug
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def home(request):
    return PlainTextResponse("home")


app = Starlette(debug=True, routes=[Route("/", home)])

# === vulnerable: tornado settings dictionary
import asyncio
import tornado.web


async def main():
    settings = dict(debug=True, template_path="templates")
    application = tornado.web.Application([], **settings)
    application.listen(8888)
    await asyncio.Event().wait()


asyncio.run(main())

# === vulnerable: werkzeug run_simple with the debugger
from werkzeug.serving import run_simple
from werkzeug.wrappers import Request, Response


@Request.application
def application(request):
    return Response("hi")


run_simple("0.0.0.0", 5000, application, use_debugger=True, use_evalex=True)

# === vulnerable: werkzeug DebuggedApplication
from flask import Flask
from werkzeug.debug import DebuggedApplication

app = Flask(__name__)
app.wsgi_app = DebuggedApplication(app.wsgi_app, evalex=True)

# === vulnerable: debug through a variable
from flask import Flask

DEBUG = True
PORT = 5000

server = Flask(__name__)

if __name__ == "__main__":
    server.run(port=PORT, debug=DEBUG)

# === vulnerable: config.update
from flask import Flask

application = Flask("reports")
application.config.update(DEBUG=True, JSON_SORT_KEYS=False)

# === vulnerable: bottle run
from bottle import Bottle, run

app = Bottle()


@app.route("/hello")
def hello():
    return "Hello"


run(app, host="0.0.0.0", port=8080, debug=True)

# === vulnerable: options unpacked
from flask import Flask

app = Flask(__name__)
options = {"host": "0.0.0.0", "port": 80, "debug": True}

if __name__ == "__main__":
    app.run(**options)

# === safe: flask run without debug
from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    app.run(host="127.0.0.1", port=8080, debug=False)

# === safe: debug from the environment with off as default
import os
from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    app.run(debug=os.environ.get("FLASK_DEBUG") == "1")

# === safe: django settings off
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
DEBUG = False
ALLOWED_HOSTS = ["shop.example.com"]
ROOT_URLCONF = "shop.urls"

# === safe: django settings from the environment
import os

DEBUG = os.getenv("DJANGO_DEBUG", "false").lower() == "true"
ALLOWED_HOSTS = os.environ["ALLOWED_HOSTS"].split(",")

# === safe: fastapi default
from fastapi import FastAPI

app = FastAPI(title="Orders")


@app.get("/orders")
def orders():
    return []

# === safe: tornado debug off
import tornado.web

application = tornado.web.Application([], debug=False, template_path="templates")
application.listen(8888)

# === safe: logging at debug level
import logging

logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger("worker")
log.debug("debug=True is only written here")

# === safe: run method of a job with a debug flag
class Simulation:
    def run(self, steps, debug=False):
        for step in range(steps):
            if debug:
                print("step", step)


sim = Simulation()
sim.run(10, debug=True)

# === safe: asyncio debug
import asyncio


async def main():
    await asyncio.sleep(0)


asyncio.run(main(), debug=True)

# === safe: run_simple without debugger
from werkzeug.serving import run_simple
from werkzeug.wrappers import Request, Response


@Request.application
def application(request):
    return Response("hi")


run_simple("127.0.0.1", 5000, application, use_debugger=False, use_reloader=True)

# === safe: reading app.debug
from flask import Flask

app = Flask(__name__)

if app.debug:
    print("debug mode is on")
app.config["DEBUG"] = False
