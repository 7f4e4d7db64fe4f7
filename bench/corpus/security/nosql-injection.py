# === vulnerable: pymongo find_one with json body values as login filter
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
users = MongoClient()["app"]["users"]


@app.post("/login")
def login():
    data = request.get_json()
    user = users.find_one({"name": data["name"], "token": data["token"]})
    return jsonify(ok=user is not None)

# === vulnerable: whole json body used as the filter
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
db = MongoClient("mongodb://localhost").shop


@app.route("/products/search", methods=["POST"])
def search():
    criteria = request.json
    return jsonify(list(db.products.find(criteria, {"_id": 0})))

# === vulnerable: json.loads of a query string argument as filter
import json

from flask import Flask, request
from pymongo import MongoClient

app = Flask(__name__)
collection = MongoClient().crm.contacts


@app.get("/contacts")
def contacts():
    raw = request.args.get("filter", "{}")
    query = json.loads(raw)
    return {"count": collection.count_documents(query)}

# === vulnerable: $where javascript built with an f-string
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
posts = MongoClient()["blog"]["posts"]


@app.route("/posts")
def by_author():
    author = request.args["author"]
    cursor = posts.find({"$where": f"this.author == '{author}'"})
    return jsonify([p["title"] for p in cursor])

# === vulnerable: fastapi dict body passed to motor
from fastapi import Body, FastAPI
from motor.motor_asyncio import AsyncIOMotorClient

app = FastAPI()
db = AsyncIOMotorClient("mongodb://localhost:27017").inventory


@app.post("/items/query")
async def query_items(filters: dict = Body(...)):
    items = await db.items.find(filters).to_list(100)
    return [str(i["_id"]) for i in items]

# === vulnerable: aiohttp json value deletes documents
from aiohttp import web
from motor.motor_asyncio import AsyncIOMotorClient

sessions = AsyncIOMotorClient().auth.sessions


async def logout(request: web.Request) -> web.Response:
    body = await request.json()
    session_id = body.get("session")
    await sessions.delete_many({"session": session_id})
    return web.Response(status=204)


app = web.Application()
app.router.add_post("/logout", logout)

# === vulnerable: helper builds the match stage of an aggregation from parsed body
import json

import tornado.web
from pymongo import MongoClient

orders = MongoClient()["shop"]["orders"]


def pipeline_for(match):
    return [{"$match": match}, {"$group": {"_id": "$status", "n": {"$sum": 1}}}]


class StatsHandler(tornado.web.RequestHandler):
    def post(self):
        match = json.loads(self.request.body)
        self.write({"stats": list(orders.aggregate(pipeline_for(match)))})

# === vulnerable: django view parses the body into a password reset filter
import json

from django.http import JsonResponse
from pymongo import MongoClient

accounts = MongoClient().portal.accounts


def reset(request):
    payload = json.loads(request.body)
    query = {}
    query["email"] = payload["email"]
    query["resetToken"] = payload["token"]
    result = accounts.update_one(query, {"$set": {"locked": False}})
    return JsonResponse({"changed": result.modified_count})

# === vulnerable: mongoengine __raw__ from json
from flask import Flask, request
from mongoengine import Document, StringField, connect

connect("library")
app = Flask(__name__)


class Book(Document):
    title = StringField()


@app.post("/books")
def books():
    wanted = request.get_json(force=True)
    return {"titles": [b.title for b in Book.objects(__raw__=wanted)]}

# === safe: str conversion of json body values
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
users = MongoClient()["app"]["users"]


@app.post("/login")
def login():
    data = request.get_json()
    user = users.find_one({"name": str(data["name"]), "token": str(data["token"])})
    return jsonify(ok=user is not None)

# === safe: explicit $eq operator around the value
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
db = MongoClient("mongodb://localhost").shop


@app.route("/products/search", methods=["POST"])
def search():
    category = request.json["category"]
    return jsonify(list(db.products.find({"category": {"$eq": category}}, {"_id": 0})))

# === safe: flask query string values are plain strings
from flask import Flask, request
from pymongo import MongoClient

app = Flask(__name__)
collection = MongoClient().crm.contacts


@app.get("/contacts")
def contacts():
    city = request.args.get("city", "")
    return {"count": collection.count_documents({"city": city})}

# === safe: isinstance check before use
from flask import Flask, abort, request
from pymongo import MongoClient

app = Flask(__name__)
posts = MongoClient()["blog"]["posts"]


@app.post("/posts/lookup")
def lookup():
    author = request.get_json().get("author")
    if not isinstance(author, str):
        abort(400)
    return {"titles": [p["title"] for p in posts.find({"author": author})]}

# === safe: pydantic model with str fields
from fastapi import FastAPI
from motor.motor_asyncio import AsyncIOMotorClient
from pydantic import BaseModel

app = FastAPI()
db = AsyncIOMotorClient("mongodb://localhost:27017").inventory


class ItemQuery(BaseModel):
    sku: str
    minimum: int = 0


@app.post("/items/query")
async def query_items(q: ItemQuery):
    cursor = db.items.find({"sku": q.sku, "stock": {"$gte": q.minimum}})
    return [str(i["_id"]) for i in await cursor.to_list(100)]

# === safe: ObjectId conversion
from aiohttp import web
from bson import ObjectId
from motor.motor_asyncio import AsyncIOMotorClient

sessions = AsyncIOMotorClient().auth.sessions


async def logout(request: web.Request) -> web.Response:
    body = await request.json()
    await sessions.delete_one({"_id": ObjectId(body["session"])})
    return web.Response(status=204)

# === safe: constant $where with no input
from flask import Flask, request, jsonify
from pymongo import MongoClient

app = Flask(__name__)
orders = MongoClient()["shop"]["orders"]


@app.route("/overdue")
def overdue():
    limit = int(request.args.get("limit", 20))
    cursor = orders.find({"$where": "this.paid < this.total"}).limit(limit)
    return jsonify([o["number"] for o in cursor])

# === safe: find on a string from the json body
from flask import Flask, request

app = Flask(__name__)
CATALOG = "alpha beta gamma"


@app.post("/position")
def position():
    word = request.get_json()["word"]
    return {"at": CATALOG.find(word)}

# === safe: body inserted as a document field
from flask import Flask, request
from pymongo import MongoClient

app = Flask(__name__)
comments = MongoClient().blog.comments


@app.post("/comments")
def add_comment():
    data = request.get_json()
    result = comments.insert_one({"text": data["text"], "approved": False})
    return {"id": str(result.inserted_id)}, 201
