// === vulnerable: readfile with $_GET
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$file = $_GET['file'];
header('Content-Type: application/octet-stream');
readfile('/srv/files/' . $file);

// === vulnerable: file_get_contents with interpolation
<?php

require_once __DIR__ . '/bootstrap.php';

$lang = $_COOKIE['lang'] ?? 'en';
$messages = file_get_contents(__DIR__ . "/lang/$lang/messages.json");
header('Content-Type: application/json');
echo $messages;

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: move_uploaded_file under a posted name
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$target = '/data/uploads/' . $_POST['name'];
if (move_uploaded_file($_FILES['doc']['tmp_name'], $target)) {
    http_response_code(201);
} else {
    http_response_code(400);
}

// === vulnerable: Laravel download
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class DownloadController extends Controller
{
    public function show(Request $request)
    {
        $path = storage_path('app/reports/' . $request->query('report'));
        return response()->download($path);
    }
}

// === vulnerable: unlink through a method
<?php

class Attachments
{
    public function __construct(private string $root = '/data/attachments') {}

    private function path(string $name): string
    {
        return sprintf('%s/%s', $this->root, $name);
    }

    public function delete(): void
    {
        unlink($this->path($_POST['name']));
    }
}

(new Attachments())->delete();

// === vulnerable: WordPress admin ajax reads a log
<?php

add_action('wp_ajax_acme_log', function () {
    $name = wp_unslash($_REQUEST['log']);
    $handle = fopen(WP_CONTENT_DIR . '/logs/' . $name, 'r');
    while (($line = fgets($handle)) !== false) {
        echo esc_html($line);
    }
    wp_die();
});

// === safe: basename
<?php

$file = basename($_GET['file'] ?? '');
$full = '/srv/files/' . $file;
if (!is_file($full)) {
    http_response_code(404);
    exit;
}
header('Content-Type: application/octet-stream');
readfile($full);

// === safe: realpath and prefix check
<?php

$base = realpath('/srv/files');
$path = realpath($base . '/' . ($_GET['path'] ?? ''));
if ($path === false || !str_starts_with($path, $base . DIRECTORY_SEPARATOR)) {
    http_response_code(403);
    exit;
}
readfile($path);

// === safe: allow-list of languages
<?php

require_once __DIR__ . '/bootstrap.php';

$lang = $_COOKIE['lang'] ?? 'en';
if (!in_array($lang, ['en', 'de', 'fr'], true)) {
    $lang = 'en';
}
header('Content-Type: application/json');
echo file_get_contents(__DIR__ . "/lang/$lang/messages.json");

// === safe: generated upload name
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$target = '/data/uploads/' . bin2hex(random_bytes(16)) . '.pdf';
if (move_uploaded_file($_FILES['doc']['tmp_name'], $target)) {
    http_response_code(201);
}

// === safe: Laravel store with hashed name
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class UploadController extends Controller
{
    public function store(Request $request)
    {
        $request->validate(['doc' => 'required|file|mimes:pdf']);
        $path = $request->file('doc')->store('documents');
        return response()->json(['path' => $path]);
    }
}

// === safe: numeric id
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$id = intval($_GET['id'] ?? 0);
header('Content-Type: application/pdf');
readfile("/srv/invoices/$id.pdf");

// === vulnerable: a log of a given day, for the admin page
<?php

session_start();
if (empty($_SESSION['admin'])) {
    http_response_code(403);
    exit;
}
$day = $_GET['day'];
$file = '/var/log/shop/' . $day . '.log';
header('Content-Type: text/plain');
foreach (file($file) as $line) {
    echo $line;
}

// === safe: the day has to be a date
<?php

$day = $_GET['day'] ?? '';
if (!preg_match('/^\d{4}-\d{2}-\d{2}$/', $day)) {
    http_response_code(400);
    exit;
}
header('Content-Type: text/plain');
readfile("/var/log/shop/$day.log");
