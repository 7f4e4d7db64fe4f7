// === vulnerable: file_get_contents of a URL
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$url = $_GET['url'];
$html = file_get_contents($url);
header('Content-Type: text/plain');
echo strlen($html);

// === vulnerable: curl with a posted URL
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$ch = curl_init();
curl_setopt($ch, CURLOPT_URL, $_POST['webhook']);
curl_setopt($ch, CURLOPT_POSTFIELDS, json_encode(['test' => true]));
curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
$response = curl_exec($ch);
curl_close($ch);

// === vulnerable: Guzzle with the host from the request
<?php

use GuzzleHttp\Client;

require 'vendor/autoload.php';
$node = $_REQUEST['node'];
$client = new Client(['timeout' => 3]);
$res = $client->get("http://{$node}:9100/metrics");
header('Content-Type: text/plain');
echo $res->getBody();

// === vulnerable: Laravel Http facade
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;

class PreviewController extends Controller
{
    public function show(Request $request)
    {
        $response = Http::timeout(5)->get($request->input('link'));
        return response()->json(['status' => $response->status()]);
    }
}

// === vulnerable: WordPress wp_remote_get
<?php

add_action('wp_ajax_nopriv_acme_fetch', function () {
    $target = wp_unslash($_GET['feed']);
    $response = wp_remote_get($target);
    wp_send_json(['body' => wp_remote_retrieve_body($response)]);
});

add_action('init', function () {
    load_plugin_textdomain('acme', false, 'acme/languages');
});

// === vulnerable: fsockopen through a helper
<?php

function probe(string $host, int $port): bool
{
    $s = @fsockopen($host, $port, $errno, $errstr, 2);
    if ($s) {
        fclose($s);
    }
    return (bool) $s;
}

echo probe($_GET['host'], (int) $_GET['port']) ? 'open' : 'closed';

// === safe: host allow-list
<?php

$url = $_GET['url'] ?? '';
$parts = parse_url($url);
if (($parts['scheme'] ?? '') !== 'https' || !in_array($parts['host'] ?? '', ['cdn.acme.io', 'img.acme.io'], true)) {
    http_response_code(403);
    exit;
}
echo strlen(file_get_contents($url));

// === safe: fixed host with query
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$query = http_build_query(['city' => $_GET['city'] ?? '']);
$ch = curl_init('https://api.weather.acme.io/now?' . $query);
curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
header('Content-Type: application/json');
echo curl_exec($ch);

// === safe: Laravel Http with constant URL
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;

class WeatherController extends Controller
{
    public function show(Request $request)
    {
        return Http::get('https://api.weather.acme.io/now', ['city' => $request->input('city')])->json();
    }
}

// === safe: endpoint by key
<?php

$backends = [
    'stock' => 'http://stock.internal/health',
    'users' => 'http://users.internal/health',
];
$name = $_GET['name'] ?? '';
if (!isset($backends[$name])) {
    http_response_code(404);
    exit;
}
echo file_get_contents($backends[$name]);

// === safe: file_get_contents of a local constant file
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$title = htmlspecialchars($_GET['title'] ?? '');
$template = file_get_contents(__DIR__ . '/templates/page.html');
echo str_replace('{title}', $title, $template);

// === vulnerable: a webhook is tried out with Guzzle
<?php

namespace App\Http\Controllers;

use GuzzleHttp\Client;
use Illuminate\Http\Request;

class WebhookController extends Controller
{
    public function __construct(private Client $client)
    {
    }

    public function test(Request $request)
    {
        $data = $request->validate(['target' => 'required|string']);
        $answer = $this->client->request('POST', $data['target'], ['json' => ['event' => 'test'], 'timeout' => 5]);

        return response()->json(['status' => $answer->getStatusCode()]);
    }
}

// === safe: the host of a webhook is one of ours
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;

class WebhookController extends Controller
{
    private const HOSTS = ['hooks.example.com', 'hooks.example.org'];

    public function test(Request $request)
    {
        $target = $request->input('target');
        if (!in_array(parse_url($target, PHP_URL_HOST), self::HOSTS, true)) {
            abort(422);
        }

        return Http::post($target, ['event' => 'test'])->status();
    }
}
