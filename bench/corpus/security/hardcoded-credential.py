# === vulnerable: psycopg2 connect with literal password
import psycopg2


def connection():
    return psycopg2.connect(host="db.internal", dbname="shop", user="shop", password="Tr0ub4dor&3")

# === vulnerable: SQLAlchemy URL with embedded password
from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

engine = create_engine("postgresql+psycopg://shop:hG7$kq92Lm@db.internal:5432/shop")
Session = sessionmaker(bind=engine)

# === vulnerable: pymysql password through a constant
import pymysql

DB_PASSWORD = "w1nter-2019-Prod"


def load_customers():
    conn = pymysql.connect(host="10.0.4.12", user="reporting", password=DB_PASSWORD, database="crm")
    with conn.cursor() as cur:
        cur.execute("SELECT id, name FROM customers")
        return cur.fetchall()

# === vulnerable: requests basic auth tuple
import requests


def fetch_report(report_id: int) -> bytes:
    response = requests.get(
        f"https://reports.internal/{report_id}.csv",
        auth=("svc-reports", "Zx8!mPq4vT"),
        timeout=30,
    )
    return response.content

# === vulnerable: HTTPBasicAuth object with literal password
import requests
from requests.auth import HTTPBasicAuth

session = requests.Session()
session.auth = HTTPBasicAuth("admin", "N3xus-Deploy-77")


def upload(path: str) -> int:
    with open(path, "rb") as fh:
        return session.put("https://nexus.internal/repository/raw/app.tgz", data=fh, timeout=60).status_code

# === vulnerable: boto3 client with literal access keys
import boto3


def bucket():
    s3 = boto3.resource(
        "s3",
        aws_access_key_id="AKIAQ3T7X2LMWZ5RB8KD",
        aws_secret_access_key="p9Fz2kQwX7vT1mLc8RbY4nHs6JdA3eGuK0iOxVqW",
    )
    return s3.Bucket("invoices")

# === vulnerable: smtplib login with literal password
import smtplib
from email.message import EmailMessage


def notify(to: str, text: str) -> None:
    msg = EmailMessage()
    msg["From"], msg["To"], msg["Subject"] = "alerts@example.com", to, "Alert"
    msg.set_content(text)
    with smtplib.SMTP_SSL("smtp.example.com") as smtp:
        smtp.login("alerts@example.com", "mUst4ng!Sally")
        smtp.send_message(msg)

# === vulnerable: paramiko connect with password from a dictionary
import paramiko

HOST = {"hostname": "deploy.internal", "username": "deploy", "password": "fLu5h-R0yal"}


def restart_service(name: str) -> None:
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect(**HOST)
    client.exec_command("systemctl restart app")
    client.close()

# === vulnerable: redis client with literal password
import redis


class RateLimiter:
    def __init__(self):
        self._redis = redis.Redis(host="cache.internal", port=6379, password="9aXk-cache-41")

    def hit(self, key: str) -> int:
        return self._redis.incr(key)

# === vulnerable: Flask secret_key literal
from flask import Flask, session

app = Flask(__name__)
app.secret_key = "f3cfe9ed8fae309f02079dbf"


@app.get("/login/<name>")
def login(name):
    session["user"] = name
    return "ok"

# === vulnerable: pymongo client with keyword password
from pymongo import MongoClient


def orders_collection():
    client = MongoClient("mongo.internal", username="orders", password="Sn0wfall_88", authSource="admin")
    return client["shop"]["orders"]

# === vulnerable: bearer token literal in headers via f-string
import httpx

API_TOKEN = "ghp_8sKq2LzVx0WmT4rYbN6cHj3PdF7gUe1AiO5Q"


async def open_issues(repo: str) -> list:
    headers = {"Authorization": f"Bearer {API_TOKEN}"}
    async with httpx.AsyncClient(headers=headers) as client:
        return (await client.get(f"https://api.github.com/repos/{repo}/issues")).json()

# === vulnerable: hmac key literal for webhook signing
import hashlib
import hmac


def sign_webhook(body: bytes) -> str:
    key = b"whk-7Yt2-Lq9Z-Xv4B"
    return hmac.new(key, body, hashlib.sha256).hexdigest()

# === vulnerable: literal Fernet key in a constructor
from cryptography.fernet import Fernet

_box = Fernet("gyrKt5NvW94mFVe13e7TEC_7cDUxwj01DpPcTIRnkto=")


def protect(value: str) -> str:
    return _box.encrypt(value.encode()).decode()

# === vulnerable: fallback literal password when the environment is empty
import os

import asyncpg


async def pool():
    password = os.environ.get("DB_PASSWORD", "Aut0mn-Leaves-41")
    return await asyncpg.create_pool(host="db.internal", user="app", password=password)

# === vulnerable: login check against a literal admin password
from flask import Flask, abort, request, session

app = Flask(__name__)


@app.post("/admin/login")
def admin_login():
    if request.form["user"] == "root" and request.form["password"] == "L3tM3In-2020":
        session["admin"] = True
        return "ok"
    abort(401)

# === safe: psycopg2 connect with environment password
import os

import psycopg2


def connection():
    return psycopg2.connect(
        host="db.internal", dbname="shop", user="shop", password=os.environ["DB_PASSWORD"]
    )

# === safe: SQLAlchemy URL assembled from settings
import os

from sqlalchemy import URL, create_engine

url = URL.create(
    "postgresql+psycopg",
    username="shop",
    password=os.getenv("DB_PASSWORD"),
    host="db.internal",
    database="shop",
)
engine = create_engine(url)

# === safe: getpass prompt
import getpass

import pymysql


def connect_interactively(user: str):
    password = getpass.getpass(f"Password for {user}: ")
    return pymysql.connect(host="10.0.4.12", user=user, password=password, database="crm")

# === safe: AWS Secrets Manager
import json

import boto3
import psycopg


def connect():
    client = boto3.client("secretsmanager")
    secret = json.loads(client.get_secret_value(SecretId="prod/db")["SecretString"])
    return psycopg.connect(host=secret["host"], user=secret["username"], password=secret["password"])

# === safe: obvious placeholder in an example configuration
import redis

EXAMPLE = {"host": "localhost", "password": "<your-password-here>"}


def print_example() -> None:
    for key, value in EXAMPLE.items():
        print(f"{key} = {value}")


def client(password: str) -> redis.Redis:
    return redis.Redis(host="cache.internal", password=password)

# === safe: form field named password
from django import forms


class LoginForm(forms.Form):
    username = forms.CharField(label="User name")
    password = forms.CharField(label="Password", widget=forms.PasswordInput)
    password_hint = "Use at least twelve characters"

# === safe: file secret for basic auth
from pathlib import Path

import requests


def fetch_report(report_id: int) -> bytes:
    password = Path("/run/secrets/reports_password").read_text().strip()
    return requests.get(
        f"https://reports.internal/{report_id}.csv", auth=("svc-reports", password), timeout=30
    ).content

# === safe: messages and error codes that mention passwords
PASSWORD_MISMATCH = "password_mismatch"
TOKEN_EXPIRED = "The token has expired, please sign in again"
SECRET_NAME = "prod/db/password"


def explain(code: str) -> str:
    messages = {PASSWORD_MISMATCH: "The passwords do not match", "token_expired": TOKEN_EXPIRED}
    return messages.get(code, code)

# === safe: password taken from an ini file outside the code
import configparser

import mysql.connector


def reporting_connection():
    cfg = configparser.ConfigParser()
    cfg.read("/etc/reporting/db.ini")
    return mysql.connector.connect(
        host="10.0.4.12", user=cfg["db"]["user"], password=cfg["db"]["password"]
    )

# === safe: smtplib login from argparse
import argparse
import smtplib


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", required=True)
    parser.add_argument("--password-file", type=argparse.FileType("r"), required=True)
    args = parser.parse_args()
    with smtplib.SMTP_SSL("smtp.example.com") as smtp:
        smtp.login(args.user, args.password_file.read().strip())

# === safe: Flask secret key from environment
import os

from flask import Flask

app = Flask(__name__)
app.config["SECRET_KEY"] = os.environ["FLASK_SECRET_KEY"]


@app.get("/")
def index():
    return "hello"

# === safe: boto3 with the default credential chain
import boto3


def bucket(name: str = "invoices"):
    session = boto3.Session(profile_name="billing", region_name="eu-west-1")
    return session.resource("s3").Bucket(name)

# === safe: password key looked up in a keyring
import keyring
import paramiko


def connect(host: str, user: str) -> paramiko.SSHClient:
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect(host, username=user, password=keyring.get_password("deploy-hosts", user))
    return client

# === safe: environment variable names and url without password
import os

from pymongo import MongoClient

PASSWORD_ENV = "MONGO_PASSWORD"


def shop():
    client = MongoClient("mongodb://mongo.internal:27017/", username="shop", password=os.environ[PASSWORD_ENV])
    return client["shop"]
