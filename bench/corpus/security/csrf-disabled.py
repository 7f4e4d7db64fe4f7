# === vulnerable: django csrf_exempt decorator on a POST view
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
@login_required
def change_email(request):
    request.user.email = request.POST["email"]
    request.user.save()
    return JsonResponse({"ok": True})

# === vulnerable: method_decorator on a class based view
from django.http import JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt


@method_decorator(csrf_exempt, name="dispatch")
class TransferView(View):
    def post(self, request):
        request.user.account.transfer(request.POST["to"], request.POST["amount"])
        return JsonResponse({"done": True})

# === vulnerable: csrf_exempt called in urls
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt


@login_required
def delete_account(request):
    request.user.delete()
    return HttpResponse("deleted")


urlpatterns = [path("account/delete", csrf_exempt(delete_account))]

# === vulnerable: flask-wtf disabled in the config
from flask import Flask
from flask_wtf import CSRFProtect

app = Flask(__name__)
app.config["WTF_CSRF_ENABLED"] = False
csrf = CSRFProtect(app)

# === vulnerable: flask config.update
from flask import Flask
from flask_wtf.csrf import CSRFProtect

csrf = CSRFProtect()


def create_app():
    app = Flask(__name__)
    app.config.update(SESSION_COOKIE_SECURE=True, WTF_CSRF_ENABLED=False)
    csrf.init_app(app)
    return app

# === vulnerable: flask view exempted
from flask import Flask, request, session
from flask_wtf import CSRFProtect

app = Flask(__name__)
csrf = CSRFProtect(app)


@app.post("/settings/password")
@csrf.exempt
def change_password():
    save_password(session["user_id"], request.form["password"])
    return "changed"


def save_password(user_id, password):
    print("saving for", user_id, len(password))

# === vulnerable: form Meta with csrf off
from flask_wtf import FlaskForm
from wtforms import StringField, SubmitField


class ProfileForm(FlaskForm):
    class Meta:
        csrf = False

    name = StringField("Name")
    submit = SubmitField("Save")

# === vulnerable: form instantiated with meta csrf False
from flask import Flask, session
from flask_wtf import FlaskForm
from wtforms import StringField

app = Flask(__name__)


class EmailForm(FlaskForm):
    email = StringField("Email")


@app.post("/email")
def email():
    form = EmailForm(meta={"csrf": False})
    if form.validate_on_submit():
        session["email"] = form.email.data
    return "ok"

# === vulnerable: tornado xsrf_cookies False
import os
import tornado.web


def make_app(handlers):
    settings = {
        "cookie_secret": os.environ["COOKIE_SECRET"],
        "login_url": "/login",
        "xsrf_cookies": False,
    }
    return tornado.web.Application(handlers, **settings)

# === vulnerable: tornado handler overriding check_xsrf_cookie
import tornado.web


class TransferHandler(tornado.web.RequestHandler):
    def check_xsrf_cookie(self):
        pass

    @tornado.web.authenticated
    def post(self):
        self.write({"moved": self.get_body_argument("amount")})

# === vulnerable: rest framework session authentication without enforcement
from rest_framework.authentication import SessionAuthentication
from rest_framework.response import Response
from rest_framework.views import APIView


class UnsafeSession(SessionAuthentication):
    def enforce_csrf(self, request):
        return


class OrderView(APIView):
    authentication_classes = [UnsafeSession]

    def post(self, request):
        return Response({"ordered": request.data["sku"]})

# === vulnerable: middleware that switches the check off
class DisableCsrfMiddleware:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        setattr(request, "_dont_enforce_csrf_checks", True)
        return self.get_response(request)

# === vulnerable: config class with the flag off
class Config:
    SECRET_KEY_FILE = "/run/secrets/flask"
    SESSION_COOKIE_SECURE = True
    WTF_CSRF_ENABLED = False
    WTF_CSRF_TIME_LIMIT = 3600

# === vulnerable: check default turned off
from flask import Flask
from flask_wtf.csrf import CSRFProtect

app = Flask(__name__)
app.config.from_mapping(WTF_CSRF_CHECK_DEFAULT=False, WTF_CSRF_METHODS=["POST"])
CSRFProtect(app)

# === safe: django csrf_protect decorator
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.views.decorators.csrf import csrf_protect


@csrf_protect
@login_required
def change_email(request):
    request.user.email = request.POST["email"]
    request.user.save()
    return JsonResponse({"ok": True})

# === safe: view with the middleware's default
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST


@login_required
@require_POST
def delete_account(request):
    request.user.delete()
    return redirect("goodbye")

# === safe: webhook with verified signature
import hashlib
import hmac
import os
from django.http import HttpResponse, HttpResponseForbidden
from django.views.decorators.csrf import csrf_exempt

SECRET = os.environ["WEBHOOK_SECRET"].encode()


@csrf_exempt
def webhook(request):
    expected = hmac.new(SECRET, request.body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, request.headers.get("X-Signature", "")):
        return HttpResponseForbidden()
    return HttpResponse(status=204)

# === safe: flask-wtf enabled
from flask import Flask
from flask_wtf import CSRFProtect

app = Flask(__name__)
app.config["WTF_CSRF_ENABLED"] = True
csrf = CSRFProtect(app)

# === safe: form with defaults
from flask import Flask, render_template, session
from flask_wtf import FlaskForm
from wtforms import StringField

app = Flask(__name__)


class EmailForm(FlaskForm):
    email = StringField("Email")


@app.route("/email", methods=["GET", "POST"])
def email():
    form = EmailForm()
    if form.validate_on_submit():
        session["email"] = form.email.data
    return render_template("email.html", form=form)

# === safe: tornado xsrf_cookies True
import os
import tornado.web


def make_app(handlers):
    return tornado.web.Application(
        handlers,
        cookie_secret=os.environ["COOKIE_SECRET"],
        xsrf_cookies=True,
    )

# === safe: django middleware list with the csrf middleware
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
CSRF_COOKIE_SECURE = True

# === safe: rest framework session authentication as it is
from rest_framework.authentication import SessionAuthentication
from rest_framework.response import Response
from rest_framework.views import APIView


class OrderView(APIView):
    authentication_classes = [SessionAuthentication]

    def post(self, request):
        return Response({"ordered": request.data["sku"]})

# === safe: override that calls super
import tornado.web


class TransferHandler(tornado.web.RequestHandler):
    def check_xsrf_cookie(self):
        super().check_xsrf_cookie()

    @tornado.web.authenticated
    def post(self):
        self.write({"moved": self.get_body_argument("amount")})

# === safe: ensure_csrf_cookie
from django.http import JsonResponse
from django.views.decorators.csrf import ensure_csrf_cookie


@ensure_csrf_cookie
def bootstrap(request):
    return JsonResponse({"ready": True})

# === safe: the word csrf_exempt in an inventory
EXEMPTIONS = {
    "csrf_exempt": "decorator that must not be used in this project",
    "WTF_CSRF_ENABLED": "must stay on",
}


def explain(name):
    return EXEMPTIONS.get(name, "unknown")

# === safe: exempt method of a tax object
class TaxRules:
    def __init__(self):
        self.names = set()

    def exempt(self, view):
        self.names.add(view.__name__)
        return view


tax = TaxRules()


@tax.exempt
def food():
    return 0
