// === vulnerable: unserialize of a cookie
<?php

require_once __DIR__ . '/bootstrap.php';

$cart = unserialize($_COOKIE['cart'] ?? 'a:0:{}');
foreach ($cart as $item) {
    echo htmlspecialchars($item['name']);
}

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: base64 and unserialize of a post value
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$state = $_POST['state'];
$data = unserialize(base64_decode($state));
header('Content-Type: application/json');
echo json_encode($data);

// === vulnerable: unserialize in a class method
<?php

class SessionState
{
    private array $values = [];

    public function load(string $raw): void
    {
        $this->values = unserialize(gzuncompress($raw));
    }
}

$s = new SessionState();
$s->load(file_get_contents('php://input'));

// === vulnerable: Laravel controller
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class FilterController extends Controller
{
    public function index(Request $request)
    {
        $filter = unserialize($request->input('filter'));
        return view('list', compact('filter'));
    }
}

// === vulnerable: WordPress maybe_unserialize of a request value
<?php

add_action('wp_ajax_acme_import', function () {
    $raw = wp_unslash($_POST['settings']);
    $settings = maybe_unserialize($raw);
    update_option('acme_settings', $settings);
    wp_send_json_success();
});

add_action('init', function () {
    load_plugin_textdomain('acme', false, 'acme/languages');
});

// === vulnerable: yaml_parse with php objects allowed
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

ini_set('yaml.decode_php', '1');
$config = yaml_parse($_POST['config']);
header('Content-Type: application/json');
echo json_encode(array_keys($config));

// === safe: json_decode of a cookie
<?php

require_once __DIR__ . '/bootstrap.php';

$cart = json_decode($_COOKIE['cart'] ?? '[]', true) ?: [];
foreach ($cart as $item) {
    echo htmlspecialchars($item['name'] ?? '');
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: unserialize without classes
<?php

require_once __DIR__ . '/bootstrap.php';

$raw = $_COOKIE['prefs'] ?? '';
$prefs = unserialize($raw, ['allowed_classes' => false]);
echo is_array($prefs) ? count($prefs) : 0;

function appVersion(): string
{
    return '2.4.1';
}

// === safe: HMAC verified before unserialize
<?php

$raw = base64_decode($_POST['state'] ?? '');
$expected = hash_hmac('sha256', $raw, getenv('STATE_KEY'));
if (!hash_equals($expected, $_POST['mac'] ?? '')) {
    http_response_code(400);
    exit;
}
$state = unserialize($raw, ['allowed_classes' => false]);
echo count((array) $state);

// === safe: unserialize of an own cache file
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$file = __DIR__ . '/cache/menu.ser';
$menu = is_file($file) ? unserialize(file_get_contents($file), ['allowed_classes' => false]) : [];
$active = htmlspecialchars($_GET['active'] ?? '');
echo count($menu), ' ', $active;

// === safe: Laravel JSON input
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class FilterController extends Controller
{
    public function index(Request $request)
    {
        $filter = json_decode($request->input('filter', '{}'), true, 8, JSON_THROW_ON_ERROR);
        return view('list', compact('filter'));
    }
}

// === vulnerable: what a hidden field remembers
<?php

class Wizard
{
    private array $state = [];

    public function load(): void
    {
        if (!empty($_POST['state'])) {
            $this->state = unserialize(gzuncompress(base64_decode($_POST['state'])));
        }
    }

    public function field(): string
    {
        return '<input type="hidden" name="state" value="' . base64_encode(gzcompress(serialize($this->state))) . '">';
    }
}

// === safe: the hidden field holds JSON with a signature
<?php

class Wizard
{
    public function load(string $key): array
    {
        [$text, $signature] = explode('.', $_POST['state'] ?? '.', 2);
        if (!hash_equals(hash_hmac('sha256', $text, $key), $signature)) {
            return [];
        }

        return json_decode(base64_decode($text), true) ?? [];
    }
}
