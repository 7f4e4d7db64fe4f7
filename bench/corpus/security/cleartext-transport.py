# === vulnerable: password posted over http
import requests


def sign_in(user, password):
    response = requests.post("http://auth.example.com/login", data={"user": user, "password": password}, timeout=5)
    return response.json()["token"]

# === vulnerable: bearer token over http through a constant
import os
import requests

API = "http://api.example.com/v1"


def orders():
    headers = {"Authorization": "Bearer " + os.environ["API_TOKEN"]}
    return requests.get(API + "/orders", headers=headers, timeout=5).json()

# === vulnerable: ftplib FTP login
import os
from ftplib import FTP


def upload(path):
    ftp = FTP("ftp.example.com")
    ftp.login("deploy", os.environ["FTP_PASSWORD"])
    with open(path, "rb") as fh:
        ftp.storbinary("STOR site.zip", fh)
    ftp.quit()

# === vulnerable: telnetlib session
import os
import telnetlib

tn = telnetlib.Telnet("switch.example.com")
tn.read_until(b"login: ")
tn.write(b"admin\n")
tn.read_until(b"Password: ")
tn.write(os.environ["SWITCH_PASSWORD"].encode() + b"\n")

# === vulnerable: smtp login without starttls
import os
import smtplib
from email.message import EmailMessage


def notify(text):
    message = EmailMessage()
    message["To"] = "ops@example.com"
    message.set_content(text)
    with smtplib.SMTP("mail.example.com", 25) as server:
        server.login("robot", os.environ["SMTP_PASSWORD"])
        server.send_message(message)

# === vulnerable: imap without tls
import imaplib
import os


def unread():
    box = imaplib.IMAP4("imap.example.com", 143)
    box.login("robot", os.environ["IMAP_PASSWORD"])
    box.select("INBOX")
    return box.search(None, "UNSEEN")

# === vulnerable: ldap simple bind without tls
import os
import ldap

connection = ldap.initialize("ldap://directory.example.com:389")
connection.simple_bind_s("cn=reader,dc=example,dc=com", os.environ["LDAP_PASSWORD"])

# === vulnerable: ldap3 server without ssl
import os
from ldap3 import Connection, Server

server = Server("directory.example.com", port=389, use_ssl=False)
conn = Connection(server, "cn=reader,dc=example,dc=com", os.environ["LDAP_PASSWORD"], auto_bind=True)

# === vulnerable: grpc insecure channel to a remote host
import grpc


def connect():
    channel = grpc.insecure_channel("payments.example.com:50051")
    return channel

# === vulnerable: http basic auth with httpx client
import os
import httpx

client = httpx.Client(base_url="http://reports.example.com", auth=("robot", os.environ["REPORT_PASSWORD"]))


def latest():
    return client.get("/latest").json()

# === vulnerable: postgres sslmode disabled
import os
import psycopg2


def connect():
    return psycopg2.connect(
        host="db.example.com",
        dbname="shop",
        user="shop",
        password=os.environ["DB_PASSWORD"],
        sslmode="disable",
    )

# === vulnerable: websocket without tls
import asyncio
import os
import websockets


async def listen():
    async with websockets.connect("ws://stream.example.com/feed") as ws:
        await ws.send(os.environ["STREAM_TOKEN"])
        print(await ws.recv())


asyncio.run(listen())

# === vulnerable: urllib request with a password
import json
import os
import urllib.request

payload = json.dumps({"password": os.environ["SERVICE_PASSWORD"]}).encode()
req = urllib.request.Request("http://accounts.example.com/session", data=payload, method="POST")
with urllib.request.urlopen(req) as response:
    print(response.status)

# === vulnerable: poplib without tls
import os
import poplib

mailbox = poplib.POP3("pop.example.com")
mailbox.user("robot")
mailbox.pass_(os.environ["POP_PASSWORD"])
print(mailbox.stat())

# === safe: password posted over https
import requests


def sign_in(user, password):
    response = requests.post("https://auth.example.com/login", data={"user": user, "password": password}, timeout=5)
    return response.json()["token"]

# === safe: ftp over tls
import os
import ssl
from ftplib import FTP_TLS


def upload(path):
    ftp = FTP_TLS("ftp.example.com", context=ssl.create_default_context())
    ftp.login("deploy", os.environ["FTP_PASSWORD"])
    ftp.prot_p()
    with open(path, "rb") as fh:
        ftp.storbinary("STOR site.zip", fh)
    ftp.quit()

# === safe: smtp with starttls
import os
import smtplib
import ssl
from email.message import EmailMessage


def notify(text):
    message = EmailMessage()
    message.set_content(text)
    with smtplib.SMTP("mail.example.com", 587) as server:
        server.starttls(context=ssl.create_default_context())
        server.login("robot", os.environ["SMTP_PASSWORD"])
        server.send_message(message)

# === safe: smtp over ssl
import os
import smtplib
import ssl

with smtplib.SMTP_SSL("mail.example.com", 465, context=ssl.create_default_context()) as server:
    server.login("robot", os.environ["SMTP_PASSWORD"])
    server.sendmail("robot@example.com", ["ops@example.com"], "Subject: ok\n\nfine")

# === safe: imap over ssl
import imaplib
import os
import ssl


def unread():
    box = imaplib.IMAP4_SSL("imap.example.com", ssl_context=ssl.create_default_context())
    box.login("robot", os.environ["IMAP_PASSWORD"])
    box.select("INBOX")
    return box.search(None, "UNSEEN")

# === safe: plain http to the own machine
import requests


def health():
    return requests.get("http://localhost:8080/health", timeout=2).ok


def metrics():
    return requests.get("http://127.0.0.1:9100/metrics", timeout=2).text

# === safe: xml namespaces
from xml.etree import ElementTree as ET

SVG = "http://www.w3.org/2000/svg"
ET.register_namespace("", SVG)


def circle():
    root = ET.Element(f"{{{SVG}}}svg")
    ET.SubElement(root, f"{{{SVG}}}circle", r="4")
    return ET.tostring(root)

# === safe: http rewritten to https
def encrypted(url):
    if url.startswith("http://"):
        url = "https://" + url[len("http://"):]
    if not url.startswith("https://"):
        raise ValueError("unsupported scheme")
    return url

# === safe: grpc secure channel
import grpc


def connect():
    return grpc.secure_channel("payments.example.com:50051", grpc.ssl_channel_credentials())

# === safe: ldaps
import os
import ldap

connection = ldap.initialize("ldaps://directory.example.com:636")
connection.simple_bind_s("cn=reader,dc=example,dc=com", os.environ["LDAP_PASSWORD"])

# === safe: postgres verify-full
import os
import psycopg2


def connect():
    return psycopg2.connect(
        host="db.example.com",
        dbname="shop",
        user="shop",
        password=os.environ["DB_PASSWORD"],
        sslmode="verify-full",
        sslrootcert="/etc/ssl/db-ca.pem",
    )

# === safe: wss
import asyncio
import os
import websockets


async def listen():
    async with websockets.connect("wss://stream.example.com/feed") as ws:
        await ws.send(os.environ["STREAM_TOKEN"])
        print(await ws.recv())


asyncio.run(listen())

# === safe: http only in documentation text
HELP = """
Point the client at your server, for instance http://server.example.com/,
and it answers with a redirect to the encrypted address.
"""


def usage():
    print(HELP)
