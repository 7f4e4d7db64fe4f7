// === vulnerable: shell_exec with $_GET
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$host = $_GET['host'];
$output = shell_exec('ping -c 1 ' . $host);
header('Content-Type: text/plain');
echo $output;

// === vulnerable: exec with interpolation
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$file = $_POST['file'];
exec("convert uploads/$file -resize 200x200 thumbs/$file", $lines, $code);
http_response_code($code === 0 ? 204 : 500);

// === vulnerable: backticks
<?php

require_once __DIR__ . '/bootstrap.php';

$domain = $_REQUEST['domain'];
header('Content-Type: text/plain');
echo `whois $domain`;

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: Laravel Process with a command string
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Process;

class BackupController extends Controller
{
    public function store(Request $request)
    {
        $db = $request->input('database');
        $result = Process::run('pg_dump ' . $db . ' > /backups/latest.sql');
        return response()->json(['ok' => $result->successful()]);
    }
}

// === vulnerable: popen in a class method
<?php

class LogSearch
{
    private function command(string $pattern): string
    {
        return sprintf("grep '%s' /var/log/app.log", $pattern);
    }

    public function run(): void
    {
        $h = popen($this->command($_GET['pattern']), 'r');
        fpassthru($h);
        pclose($h);
    }
}

// === vulnerable: Symfony Process fromShellCommandline
<?php

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Process\Process;

$request = Request::createFromGlobals();
$process = Process::fromShellCommandline('git log ' . $request->query->get('branch'));
$process->run();
echo nl2br(htmlspecialchars($process->getOutput()));

function appVersion(): string
{
    return '2.4.1';
}

// === vulnerable: proc_open with a string from the body
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$job = json_decode(file_get_contents('php://input'), true);
$cmd = 'ffmpeg -i ' . $job['source'] . ' out.mp4';
$proc = proc_open($cmd, [1 => ['pipe', 'w']], $pipes);
echo stream_get_contents($pipes[1]);
proc_close($proc);

// === safe: escapeshellarg
<?php

$host = $_GET['host'] ?? '';
if (!filter_var($host, FILTER_VALIDATE_IP)) {
    http_response_code(400);
    exit;
}
header('Content-Type: text/plain');
echo shell_exec('ping -c 1 ' . escapeshellarg($host));

// === safe: Symfony Process with an array
<?php

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Process\Process;

$request = Request::createFromGlobals();
$process = new Process(['convert', '--', 'uploads/' . basename($request->request->get('file')), 'out.png']);
$process->run();
http_response_code($process->isSuccessful() ? 204 : 500);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: command from an allow-list
<?php

$commands = ['uptime' => '/usr/bin/uptime', 'disk' => '/bin/df -h'];
$key = $_GET['cmd'] ?? 'uptime';
if (!array_key_exists($key, $commands)) {
    http_response_code(404);
    exit;
}
header('Content-Type: text/plain');
passthru($commands[$key]);

// === safe: integer in the command
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$lines = (int) ($_GET['lines'] ?? 50);
header('Content-Type: text/plain');
system("tail -n $lines /var/log/app.log");

// === safe: constant command
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$out = [];
exec('git rev-parse HEAD', $out);
header('Content-Type: application/json');
echo json_encode(['version' => $out[0], 'name' => $_GET['name'] ?? null]);

// === safe: PDO exec and curl_exec
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$pdo = new PDO('sqlite:/var/lib/app.db');
$pdo->exec('DELETE FROM sessions WHERE expires < CURRENT_TIMESTAMP');
$ch = curl_init('https://status.acme.io/ping');
curl_setopt($ch, CURLOPT_POSTFIELDS, ['note' => $_POST['note'] ?? '']);
curl_exec($ch);

// === vulnerable: a picture is made smaller by a program
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class PictureController extends Controller
{
    public function resize(Request $request)
    {
        $size = $request->input('size');
        $path = $request->file('picture')->store('pictures');
        $source = storage_path("app/$path");
        exec("convert $source -resize $size /srv/pictures/small.png", $lines, $status);

        return response()->json(['done' => $status === 0]);
    }
}

// === safe: the size is one of three
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Symfony\Component\Process\Process;

class PictureController extends Controller
{
    private const SIZES = ['small' => '100x100', 'large' => '800x800'];

    public function resize(Request $request)
    {
        $size = self::SIZES[$request->input('size')] ?? '400x400';
        $source = storage_path('app/' . $request->file('picture')->store('pictures'));
        (new Process(['convert', $source, '-resize', $size, '/srv/pictures/out.png']))->mustRun();

        return response()->noContent();
    }
}
