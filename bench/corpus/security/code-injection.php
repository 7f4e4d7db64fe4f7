// === vulnerable: eval of a post value
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$formula = $_POST['formula'];
$result = 0;
eval('$result = ' . $formula . ';');
echo (float) $result;

// === vulnerable: assert with a string
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$check = $_GET['check'] ?? '1';
assert("strlen('$check') > 2");
echo 'checked';

// === vulnerable: include of a request value
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$page = $_GET['page'] ?? 'home.php';
require __DIR__ . '/header.php';
include $page;
require __DIR__ . '/footer.php';

// === vulnerable: function name from the request
<?php

require_once __DIR__ . '/bootstrap.php';

$action = $_REQUEST['action'];
$argument = $_REQUEST['arg'];
$result = $action($argument);
echo htmlspecialchars((string) $result);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: call_user_func with request values
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class HookController extends Controller
{
    public function run(Request $request)
    {
        $result = call_user_func($request->input('callback'), $request->input('value'));
        return response()->json($result);
    }
}

// === vulnerable: create_function
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$expr = $_GET['sort'];
$cmp = create_function('$a, $b', 'return strcmp($a["' . $expr . '"], $b["' . $expr . '"]);');
$rows = [['n' => 'b'], ['n' => 'a']];
usort($rows, $cmp);
echo json_encode($rows);

// === vulnerable: preg_replace with the e modifier
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$text = $_POST['text'];
$replacement = $_POST['replacement'];
echo htmlspecialchars(preg_replace('/\{(.*)\}/e', $replacement, $text));

// === vulnerable: eval in a helper with a heredoc
<?php

final class Rule
{
    public static function test(string $expr, int $total): bool
    {
        $code = <<<CODE
        return $expr;
        CODE;
        return (bool) eval($code);
    }
}

$ok = Rule::test($_POST['rule'], 120);
echo $ok ? 'yes' : 'no';

// === vulnerable: code written to a php file and required
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$theme = $_POST['theme_name'];
$file = __DIR__ . '/cache/theme.php';
file_put_contents($file, '<?php return ["name" => "' . $theme . '"];');
$config = require $file;
header('Content-Type: application/json');
echo json_encode($config);

// === safe: arithmetic on parsed numbers
<?php

$a = (float) ($_POST['a'] ?? 0);
$b = (float) ($_POST['b'] ?? 0);
$result = match ($_POST['op'] ?? 'add') {
    'sub' => $a - $b,
    'mul' => $a * $b,
    default => $a + $b,
};
echo $result;

// === safe: include from an allow-list
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$pages = ['home' => 'home.php', 'about' => 'about.php'];
$page = $pages[$_GET['page'] ?? 'home'] ?? 'home.php';
require __DIR__ . '/header.php';
include __DIR__ . '/pages/' . $page;

// === safe: callback from a map
<?php

$actions = [
    'upper' => 'strtoupper',
    'lower' => 'strtolower',
];
$name = $_REQUEST['action'] ?? '';
if (!isset($actions[$name])) {
    http_response_code(404);
    exit;
}
echo htmlspecialchars(call_user_func($actions[$name], $_REQUEST['arg'] ?? ''));

// === safe: preg_replace_callback
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$text = $_POST['text'] ?? '';
$out = preg_replace_callback('/\{(\w+)\}/', function (array $m): string {
    return strtoupper($m[1]);
}, $text);
echo htmlspecialchars($out);

// === safe: eval of a constant
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

eval('$answer = 6 * 7;');
$name = htmlspecialchars($_GET['name'] ?? '');
echo "$name: $answer";

// === safe: eval method of a Redis client
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$redis = new Redis();
$redis->connect('127.0.0.1');
$script = "return redis.call('INCR', KEYS[1])";
$count = $redis->eval($script, ['hits:' . $_GET['page']], 1);
echo (int) $count;

// === safe: Symfony expression language with fixed expression
<?php

use Symfony\Component\ExpressionLanguage\ExpressionLanguage;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$language = new ExpressionLanguage();
$total = (int) ($_GET['total'] ?? 0);
echo $language->evaluate('total > 100', ['total' => $total]) ? 'free' : 'paid';

// === safe: usort with a closure and a checked key
<?php

$key = $_GET['sort'] ?? 'name';
if (!in_array($key, ['name', 'price'], true)) {
    $key = 'name';
}
$rows = [['name' => 'b', 'price' => 2], ['name' => 'a', 'price' => 3]];
usort($rows, fn (array $x, array $y): int => $x[$key] <=> $y[$key]);
echo json_encode($rows);

// === safe: configuration stored as JSON
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$theme = $_POST['theme_name'] ?? 'light';
$file = __DIR__ . '/cache/theme.json';
file_put_contents($file, json_encode(['name' => $theme]));
$config = json_decode(file_get_contents($file), true);
header('Content-Type: application/json');
echo json_encode($config);

// === vulnerable: a discount is worked out from a formula
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class DiscountController extends Controller
{
    public function preview(Request $request)
    {
        $price = (float) $request->input('price');
        $formula = $request->input('formula');
        $discount = 0.0;
        eval("\$discount = $formula;");

        return response()->json(['price' => $price - $discount]);
    }
}
