// === vulnerable: echo $_GET
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$name = $_GET['name'] ?? 'guest';
echo '<h1>Hello ' . $name . '</h1>';
echo '<p>Nice to see you.</p>';

// === vulnerable: short echo tag in a page
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$q = $_GET['q'] ?? '';
?>
<form action="/search">
  <input type="text" name="q" value="<?= $q ?>">
  <button>Search</button>
</form>

// === vulnerable: printf with a cookie
<?php

require_once __DIR__ . '/bootstrap.php';

header('Content-Type: text/html; charset=utf-8');
$theme = $_COOKIE['theme'] ?? 'light';
printf('<body class="%s">', $theme);
echo '<main></main></body>';

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: Laravel response with html string
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class PreviewController extends Controller
{
    public function show(Request $request)
    {
        $title = $request->input('title');
        return response("<html><body><h1>{$title}</h1></body></html>");
    }
}

// === vulnerable: heredoc through a helper function
<?php

function card(string $title, string $text): string
{
    return <<<HTML
    <div class="card"><h2>$title</h2><p>$text</p></div>
    HTML;
}

echo card('Your comment', $_POST['comment']);

// === vulnerable: WordPress shortcode with a query value
<?php

function acme_ref_shortcode($atts) {
    $ref = isset($_GET['ref']) ? wp_unslash($_GET['ref']) : '';
    return '<a href="/landing?ref=' . $ref . '">Continue</a>';
}
add_shortcode('acme_ref', 'acme_ref_shortcode');

add_action('wp_footer', function () {
    echo '<span>' . $_SERVER['HTTP_USER_AGENT'] . '</span>';
});

// === vulnerable: strip_tags inside an attribute
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$next = strip_tags($_GET['next'] ?? '');
echo "<a class='button' href='" . $next . "'>Next</a>";

// === safe: htmlspecialchars
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$name = $_GET['name'] ?? 'guest';
echo '<h1>Hello ' . htmlspecialchars($name, ENT_QUOTES, 'UTF-8') . '</h1>';
echo '<p>Nice to see you.</p>';

// === safe: escaping helper in a page
<?php

function e(string $s): string
{
    return htmlspecialchars($s, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}
$q = e($_GET['q'] ?? '');
?>
<form action="/search">
  <input type="text" name="q" value="<?= $q ?>">
</form>

// === safe: JSON response
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

header('Content-Type: application/json');
$name = $_GET['name'] ?? '';
echo json_encode(['name' => $name]);

// === safe: Laravel view with data
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class PreviewController extends Controller
{
    public function show(Request $request)
    {
        return view('preview', ['title' => $request->input('title')]);
    }
}

// === safe: integer
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$page = (int) ($_GET['page'] ?? 1);
echo "<p>Page $page</p>";
printf('<a href="?page=%d">next</a>', $_GET['page'] + 1);

// === safe: WordPress escaping
<?php

function acme_ref_shortcode($atts) {
    $ref = isset($_GET['ref']) ? sanitize_text_field(wp_unslash($_GET['ref'])) : '';
    return '<a href="' . esc_url('/landing?ref=' . rawurlencode($ref)) . '">' . esc_html($ref) . '</a>';
}
add_shortcode('acme_ref', 'acme_ref_shortcode');

add_action('init', function () {
    load_plugin_textdomain('acme', false, 'acme/languages');
});

// === vulnerable: the message of a form, shown again
<?php
$errors = [];
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $name = trim($_POST['name']);
    if (strlen($name) < 3) {
        $errors[] = "\"$name\" is too short.";
    }
}
?>
<form method="post">
  <input name="name">
  <?php foreach ($errors as $error): ?>
    <p class="error"><?php echo $error; ?></p>
  <?php endforeach; ?>
</form>

// === safe: the message of a form, escaped where it is shown
<?php
$name = trim($_POST['name'] ?? '');
$errors = strlen($name) < 3 ? ["$name is too short."] : [];
?>
<form method="post">
  <input name="name" value="<?= htmlspecialchars($name, ENT_QUOTES) ?>">
  <?php foreach ($errors as $error): ?>
    <p class="error"><?= htmlspecialchars($error) ?></p>
  <?php endforeach; ?>
</form>
