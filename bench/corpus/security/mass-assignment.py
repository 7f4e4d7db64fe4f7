# === vulnerable: sqlalchemy model created with the json body as keywords
from flask import Flask, request
from .models import User, db

app = Flask(__name__)


@app.post("/users")
def create_user():
    user = User(**request.get_json())
    db.session.add(user)
    db.session.commit()
    return {"id": user.id}, 201

# === vulnerable: setattr loop over body items
from flask import Flask, request
from .models import Account, db

app = Flask(__name__)


@app.patch("/accounts/<int:account_id>")
def update_account(account_id):
    account = db.get_or_404(Account, account_id)
    for key, value in request.json.items():
        setattr(account, key, value)
    db.session.commit()
    return {"ok": True}

# === vulnerable: django objects.create with parsed body
import json
from django.http import JsonResponse
from .models import Profile


def create_profile(request):
    data = json.loads(request.body)
    profile = Profile.objects.create(**data)
    return JsonResponse({"id": profile.pk}, status=201)

# === vulnerable: django queryset update with POST dict
from django.http import HttpResponse
from .models import Customer


def edit(request, pk):
    fields = request.POST.dict()
    Customer.objects.filter(pk=pk).update(**fields)
    return HttpResponse(status=204)

# === vulnerable: fastapi dict body into an orm model
from fastapi import Body, Depends, FastAPI
from sqlalchemy.orm import Session
from .db import get_session
from .models import Employee

app = FastAPI()


@app.post("/employees")
def create(payload: dict = Body(...), session: Session = Depends(get_session)):
    employee = Employee(**payload)
    session.add(employee)
    session.commit()
    return {"id": employee.id}

# === vulnerable: __dict__ update from the form
from flask import Flask, redirect, request
from .models import Member, db

app = Flask(__name__)


@app.post("/members/<int:member_id>")
def save(member_id):
    member = Member.query.get_or_404(member_id)
    member.__dict__.update(request.form.to_dict())
    db.session.merge(member)
    db.session.commit()
    return redirect("/members")

# === vulnerable: helper of the same file copies everything
from aiohttp import web
from .models import Order, session_scope


def assign(model, values):
    for name in values:
        setattr(model, name, values[name])


async def update_order(request: web.Request) -> web.Response:
    body = await request.json()
    with session_scope() as session:
        order = session.get(Order, int(request.match_info["id"]))
        assign(order, body)
    return web.Response(status=204)


app = web.Application()
app.router.add_patch("/orders/{id}", update_order)

# === vulnerable: pymongo $set with the whole body
from bson import ObjectId
from flask import Flask, request
from pymongo import MongoClient

app = Flask(__name__)
users = MongoClient().app.users


@app.put("/users/<user_id>")
def update_user(user_id):
    changes = request.get_json()
    users.update_one({"_id": ObjectId(user_id)}, {"$set": changes})
    return {"ok": True}

# === vulnerable: update_or_create defaults in a tornado handler
import json
import tornado.web
from .models import Subscription


class SubscriptionHandler(tornado.web.RequestHandler):
    def put(self, user_id):
        body = json.loads(self.request.body)
        subscription, _ = Subscription.objects.update_or_create(user_id=int(user_id), defaults=body)
        self.write({"plan": subscription.plan})

# === vulnerable: sqlalchemy core update values from body
from flask import Flask, request
from sqlalchemy import update
from .models import User, db

app = Flask(__name__)


@app.patch("/me/<int:user_id>")
def patch_me(user_id):
    payload = {"active": True, **request.get_json()}
    db.session.execute(update(User).where(User.id == user_id).values(**payload))
    db.session.commit()
    return "", 204

# === safe: named fields one by one
from flask import Flask, request
from .models import User, db

app = Flask(__name__)


@app.post("/users")
def create_user():
    data = request.get_json()
    user = User(name=data["name"], email=data["email"])
    db.session.add(user)
    db.session.commit()
    return {"id": user.id}, 201

# === safe: setattr loop over an allow-list
from flask import Flask, request
from .models import Account, db

app = Flask(__name__)
EDITABLE = ("display_name", "timezone")


@app.patch("/accounts/<int:account_id>")
def update_account(account_id):
    account = db.get_or_404(Account, account_id)
    for key in EDITABLE:
        if key in request.json:
            setattr(account, key, request.json[key])
    db.session.commit()
    return {"ok": True}

# === safe: comprehension filters the allowed keys
import json
from django.http import JsonResponse
from .models import Profile

ALLOWED = {"bio", "city"}


def create_profile(request):
    data = json.loads(request.body)
    fields = {k: v for k, v in data.items() if k in ALLOWED}
    profile = Profile.objects.create(owner=request.user, **fields)
    return JsonResponse({"id": profile.pk}, status=201)

# === safe: django ModelForm with explicit fields
from django import forms
from django.http import HttpResponse
from .models import Customer


class CustomerForm(forms.ModelForm):
    class Meta:
        model = Customer
        fields = ["name", "phone"]


def edit(request, pk):
    form = CustomerForm(request.POST, instance=Customer.objects.get(pk=pk))
    if form.is_valid():
        form.save()
    return HttpResponse(status=204)

# === safe: pydantic schema dumped into the model
from fastapi import Depends, FastAPI
from pydantic import BaseModel
from sqlalchemy.orm import Session
from .db import get_session
from .models import Employee

app = FastAPI()


class EmployeeIn(BaseModel):
    name: str
    title: str


@app.post("/employees")
def create(payload: EmployeeIn, session: Session = Depends(get_session)):
    employee = Employee(**payload.model_dump())
    session.add(employee)
    session.commit()
    return {"id": employee.id}

# === safe: keyword expansion of a constant dictionary
from flask import Flask, request
from .models import Member, db

app = Flask(__name__)
DEFAULTS = {"role": "member", "active": True}


@app.post("/members")
def join():
    member = Member(name=request.form["name"], **DEFAULTS)
    db.session.add(member)
    db.session.commit()
    return {"id": member.id}

# === safe: whole form passed only to a template
from flask import Flask, render_template, request

app = Flask(__name__)


@app.post("/echo")
def echo():
    values = dict(request.form)
    return render_template("echo.html", values=values, count=len(values))

# === safe: marshmallow schema load
from flask import Flask, request
from marshmallow import EXCLUDE, Schema, fields
from .models import Order, db

app = Flask(__name__)


class OrderSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    note = fields.Str()
    quantity = fields.Int()


@app.post("/orders")
def create_order():
    order = Order(**OrderSchema().load(request.get_json()))
    db.session.add(order)
    db.session.commit()
    return {"id": order.id}

# === safe: setattr with a constant name
from flask import Flask, request
from .models import User, db

app = Flask(__name__)


@app.put("/users/<int:user_id>/nickname")
def nickname(user_id):
    user = db.get_or_404(User, user_id)
    setattr(user, "nickname", request.get_json()["nickname"])
    db.session.commit()
    return "", 204

# === safe: unknown keys rejected before the update
from bson import ObjectId
from flask import Flask, abort, request
from pymongo import MongoClient

app = Flask(__name__)
users = MongoClient().app.users
EDITABLE = {"name", "city"}


@app.put("/users/<user_id>")
def update_user(user_id):
    changes = request.get_json()
    if not set(changes) <= EDITABLE:
        abort(400)
    users.update_one({"_id": ObjectId(user_id)}, {"$set": changes})
    return {"ok": True}
