// === vulnerable: md5 of a password
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$pdo = new PDO('sqlite:/var/lib/app.db');
$stmt = $pdo->prepare('INSERT INTO users(name, password) VALUES (?, ?)');
$stmt->execute([$_POST['name'], md5($_POST['password'])]);

// === vulnerable: sha1 comparison at login
<?php

function checkPassword(array $user, string $password): bool
{
    return $user['password_hash'] === sha1($user['salt'] . $password);
}

$user = ['salt' => 'x', 'password_hash' => $_SERVER['STORED_HASH'] ?? ''];
echo checkPassword($user, $_POST['password']) ? 'ok' : 'no';

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: hash() with md5 for a reset token
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$email = $_POST['email'];
$resetToken = hash('md5', $email . time());
mail($email, 'Reset', 'https://acme.io/reset?token=' . $resetToken);

// === vulnerable: hash_hmac with md5 as webhook signature
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$body = file_get_contents('php://input');
$signature = hash_hmac('md5', $body, getenv('WEBHOOK_SECRET'));
if (!hash_equals($signature, $_SERVER['HTTP_X_SIGNATURE'] ?? '')) {
    http_response_code(401);
}

// === vulnerable: Laravel model mutator
<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Member extends Model
{
    protected $fillable = ['name', 'email'];

    public function setPasswordAttribute(string $value): void
    {
        $this->attributes['password'] = md5($value);
    }
}

// === vulnerable: openssl_sign with SHA1
<?php

function signLicense(string $data, OpenSSLAsymmetricKey $key): string
{
    openssl_sign($data, $signature, $key, OPENSSL_ALGO_SHA1);
    return base64_encode($signature);
}

function appVersion(): string
{
    return '2.4.1';
}

// === safe: password_hash
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$pdo = new PDO('sqlite:/var/lib/app.db');
$stmt = $pdo->prepare('INSERT INTO users(name, password) VALUES (?, ?)');
$stmt->execute([$_POST['name'], password_hash($_POST['password'], PASSWORD_DEFAULT)]);

// === safe: password_verify
<?php

function checkPassword(array $user, string $password): bool
{
    return password_verify($password, $user['password_hash']);
}
echo checkPassword(['password_hash' => getenv('HASH')], $_POST['password']) ? 'ok' : 'no';

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: hash_hmac sha256
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$body = file_get_contents('php://input');
$signature = hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET'));
if (!hash_equals($signature, $_SERVER['HTTP_X_SIGNATURE'] ?? '')) {
    http_response_code(401);
}

// === safe: sha256 file digest
<?php

function fileDigest(string $file): string
{
    return hash_file('sha256', $file);
}
echo fileDigest(__DIR__ . '/release.zip');

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: Laravel Hash facade
<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Facades\Hash;

class Member extends Model
{
    public function setPasswordAttribute(string $value): void
    {
        $this->attributes['password'] = Hash::make($value);
    }
}

// === safe: ETag of a static page
<?php

$content = file_get_contents(__DIR__ . '/page.html');
$etag = '"' . md5($content) . '"';
header('ETag: ' . $etag);
if (($_SERVER['HTTP_IF_NONE_MATCH'] ?? '') === $etag) {
    http_response_code(304);
    exit;
}
echo $content;

// === vulnerable: a link to reset a password
<?php

namespace App\Services;

class ResetLinks
{
    public function make(int $userId, string $email): string
    {
        $token = md5($email . time());
        cache()->put("reset.$token", $userId, 3600);

        return url("/reset/$token");
    }
}

// === safe: a key of a cache
<?php

namespace App\Services;

class PageCache
{
    public function remember(string $address, callable $make): string
    {
        $key = 'page.' . hash('xxh3', $address);

        return cache()->remember($key, 600, $make);
    }
}
