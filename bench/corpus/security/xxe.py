# === vulnerable: lxml parser with resolve_entities on a flask body
from flask import Flask, request
from lxml import etree

app = Flask(__name__)


@app.post("/orders")
def orders():
    parser = etree.XMLParser(resolve_entities=True)
    root = etree.fromstring(request.data, parser)
    return {"order": root.findtext("id")}

# === vulnerable: lxml with dtd loading and network
from django.http import JsonResponse
from lxml import etree


def import_feed(request):
    parser = etree.XMLParser(load_dtd=True, no_network=False, resolve_entities=True)
    tree = etree.parse(request.FILES["feed"], parser=parser)
    return JsonResponse({"title": tree.findtext(".//title")})

# === vulnerable: sax parser with external general entities
import io
import xml.sax
from xml.sax.handler import ContentHandler, feature_external_ges
from flask import Flask, request

app = Flask(__name__)


@app.post("/sax")
def sax():
    parser = xml.sax.make_parser()
    parser.setFeature(feature_external_ges, True)
    parser.setContentHandler(ContentHandler())
    parser.parse(io.BytesIO(request.data))
    return "parsed"

# === vulnerable: minidom with a permissive sax parser
from xml.dom import minidom
from xml.sax import make_parser
from xml.sax.handler import feature_external_ges
from django.http import HttpResponse


def svg_size(request):
    sax_parser = make_parser()
    sax_parser.setFeature(feature_external_ges, 1)
    doc = minidom.parse(request.FILES["svg"], parser=sax_parser)
    return HttpResponse(doc.documentElement.getAttribute("width"))

# === vulnerable: lxml iterparse with entities
import io
from fastapi import FastAPI, Request
from lxml import etree

app = FastAPI()


@app.post("/catalog")
async def catalog(request: Request):
    body = await request.body()
    names = [el.text for _, el in etree.iterparse(io.BytesIO(body), tag="name", resolve_entities=True, load_dtd=True)]
    return names

# === vulnerable: lxml from-import alias and XML()
from aiohttp import web
from lxml.etree import XML, XMLParser as Parser


async def soap(request):
    options = {"resolve_entities": True, "no_network": False}
    document = XML(await request.read(), Parser(**options))
    return web.Response(text=document.tag)

# === vulnerable: parser made in a helper
import tornado.web
from lxml import etree


def make_reader():
    return etree.XMLParser(load_dtd=True, resolve_entities=True, huge_tree=True)


class UploadHandler(tornado.web.RequestHandler):
    def post(self):
        root = etree.fromstring(self.request.body, parser=make_reader())
        self.write(root.tag)

# === vulnerable: defusedxml with its protections turned off
import defusedxml.sax
import io
from xml.sax.handler import ContentHandler, feature_external_ges
from flask import Flask, request

app = Flask(__name__)


@app.post("/import")
def import_xml():
    parser = defusedxml.sax.make_parser()
    parser.forbid_entities = False
    parser.forbid_external = False
    parser.setFeature(feature_external_ges, True)
    parser.setContentHandler(ContentHandler())
    parser.parse(io.BytesIO(request.data))
    return "ok"

# === vulnerable: expat external entity handler that opens the system id
from urllib.request import urlopen
from xml.parsers import expat
from flask import Flask, request

app = Flask(__name__)


@app.post("/expat")
def parse():
    parser = expat.ParserCreate()

    def external(context, base, system_id, public_id):
        child = parser.ExternalEntityParserCreate(context)
        child.ParseFile(urlopen(system_id))
        return 1

    parser.ExternalEntityRefHandler = external
    parser.Parse(request.data, True)
    return "done"

# === vulnerable: pulldom with external entities
from xml.dom import pulldom
from xml.sax import make_parser
from xml.sax.handler import feature_external_ges
from starlette.responses import PlainTextResponse


async def items(request):
    text = (await request.body()).decode()
    reader = make_parser()
    reader.setFeature(feature_external_ges, True)
    events = pulldom.parseString(text, parser=reader)
    return PlainTextResponse(str(sum(1 for _ in events)))

# === vulnerable: lxml objectify with an entity resolving parser
from flask import Flask, request
from lxml import etree, objectify

app = Flask(__name__)
reader = etree.XMLParser(resolve_entities=True, dtd_validation=True, no_network=False)


@app.post("/invoice")
def invoice():
    doc = objectify.fromstring(request.get_data(), reader)
    return {"total": str(doc.total)}

# === safe: lxml with resolve_entities off
from flask import Flask, request
from lxml import etree

app = Flask(__name__)


@app.post("/orders")
def orders():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(request.data, parser)
    return {"order": root.findtext("id")}

# === safe: defusedxml ElementTree
import defusedxml.ElementTree as ET
from django.http import JsonResponse


def import_feed(request):
    tree = ET.parse(request.FILES["feed"])
    return JsonResponse({"title": tree.findtext(".//title")})

# === safe: defusedxml fromstring import
from defusedxml.ElementTree import fromstring
from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/catalog")
async def catalog(request: Request):
    root = fromstring(await request.body())
    return [el.text for el in root.iter("name")]

# === safe: sax features switched off
import io
import xml.sax
from xml.sax.handler import ContentHandler, feature_external_ges, feature_external_pes
from flask import Flask, request

app = Flask(__name__)


@app.post("/sax")
def sax():
    parser = xml.sax.make_parser()
    parser.setFeature(feature_external_ges, False)
    parser.setFeature(feature_external_pes, False)
    parser.setContentHandler(ContentHandler())
    parser.parse(io.BytesIO(request.data))
    return "parsed"

# === safe: defusedxml minidom
from defusedxml import minidom
from django.http import HttpResponse


def svg_size(request):
    doc = minidom.parse(request.FILES["svg"])
    return HttpResponse(doc.documentElement.getAttribute("width"))

# === safe: only building xml
from xml.etree import ElementTree as ET
from flask import Flask, request, Response

app = Flask(__name__)


@app.get("/feed")
def feed():
    root = ET.Element("feed")
    ET.SubElement(root, "title").text = request.args.get("title", "News")
    return Response(ET.tostring(root), mimetype="application/xml")

# === safe: lxml iterparse with entities off
import io
from fastapi import FastAPI, Request
from lxml import etree

app = FastAPI()


@app.post("/names")
async def names(request: Request):
    body = io.BytesIO(await request.body())
    return [el.text for _, el in etree.iterparse(body, tag="name", resolve_entities=False, no_network=True)]

# === safe: json body with a member named xml
from flask import Flask, request

app = Flask(__name__)


@app.post("/convert")
def convert():
    payload = request.get_json()
    return {"length": len(payload["xml"]), "resolve_entities": True}

# === safe: html parser of a body
from aiohttp import web
from lxml import html


async def links(request):
    doc = html.fromstring(await request.text())
    return web.json_response([a.get("href") for a in doc.iter("a")])

# === safe: forbid_dtd added
import tornado.web
from defusedxml import ElementTree


class UploadHandler(tornado.web.RequestHandler):
    def post(self):
        root = ElementTree.fromstring(self.request.body, forbid_dtd=True)
        self.write(root.tag)

# === safe: keyword dictionary with entities off
from flask import Flask, request
from lxml import etree

app = Flask(__name__)
OPTIONS = {"resolve_entities": False, "load_dtd": False, "no_network": True}


@app.post("/invoice")
def invoice():
    root = etree.XML(request.get_data(), etree.XMLParser(**OPTIONS))
    return {"total": root.findtext("total")}
