// === vulnerable: DOMDocument with LIBXML_NOENT
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$xml = file_get_contents('php://input');
$doc = new DOMDocument();
$doc->loadXML($xml, LIBXML_NOENT | LIBXML_DTDLOAD);
echo htmlspecialchars($doc->documentElement->textContent);

// === vulnerable: simplexml_load_string with NOENT
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$order = simplexml_load_string($_POST['xml'], 'SimpleXMLElement', LIBXML_NOENT);
echo htmlspecialchars((string) $order->customer);

// === vulnerable: entity loader enabled again
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

libxml_disable_entity_loader(false);
$doc = new DOMDocument();
$doc->substituteEntities = true;
$doc->resolveExternals = true;
$doc->loadXML($_POST['document']);
echo htmlspecialchars($doc->saveXML());

// === vulnerable: XMLReader with SUBST_ENTITIES
<?php

$reader = new XMLReader();
$reader->XML(file_get_contents($_FILES['feed']['tmp_name']));
$reader->setParserProperty(XMLReader::SUBST_ENTITIES, true);
$reader->setParserProperty(XMLReader::LOADDTD, true);
while ($reader->read()) {
    echo htmlspecialchars($reader->value);
}

// === vulnerable: SimpleXMLElement constructor in Laravel
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class FeedController extends Controller
{
    public function store(Request $request)
    {
        $xml = new \SimpleXMLElement($request->getContent(), LIBXML_NOENT | LIBXML_DTDLOAD);
        return response()->json(['title' => (string) $xml->title]);
    }
}

// === safe: DOMDocument without entity substitution
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$xml = file_get_contents('php://input');
$doc = new DOMDocument();
$doc->loadXML($xml, LIBXML_NONET);
echo htmlspecialchars($doc->documentElement->textContent);

// === safe: simplexml with defaults
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$order = simplexml_load_string($_POST['xml'], 'SimpleXMLElement', LIBXML_NONET | LIBXML_NOCDATA);
echo htmlspecialchars((string) $order->customer);

// === safe: doctype refused
<?php

$doc = new DOMDocument();
$doc->loadXML($_POST['document'], LIBXML_NONET);
foreach ($doc->childNodes as $child) {
    if ($child->nodeType === XML_DOCUMENT_TYPE_NODE) {
        http_response_code(400);
        exit;
    }
}
echo htmlspecialchars($doc->documentElement->nodeName);

// === safe: XMLReader with entities off
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$reader = new XMLReader();
$reader->XML(file_get_contents('php://input'), null, LIBXML_NONET);
$reader->setParserProperty(XMLReader::SUBST_ENTITIES, false);
while ($reader->read()) {
    echo htmlspecialchars($reader->name);
}

// === safe: own file with NOENT
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$doc = new DOMDocument();
$doc->load(__DIR__ . '/menu.xml', LIBXML_NOENT);
$active = htmlspecialchars($_GET['active'] ?? '');
echo $doc->getElementsByTagName('item')->length, ' ', $active;
