// === vulnerable: rand for a reset token
<?php

function resetToken(): string
{
    $token = '';
    for ($i = 0; $i < 32; $i++) {
        $token .= chr(rand(97, 122));
    }
    return $token;
}
echo resetToken();

// === vulnerable: mt_rand one-time code
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

session_start();
$_SESSION['otp'] = mt_rand(100000, 999999);
mail($_POST['email'], 'Your code', 'Code: ' . $_SESSION['otp']);

// === vulnerable: uniqid session token
<?php

function startSession(PDO $pdo, int $userId): void
{
    $sessionToken = uniqid('sess_', true);
    $pdo->prepare('INSERT INTO sessions(token, user_id) VALUES (?, ?)')->execute([$sessionToken, $userId]);
    setcookie('session', $sessionToken, ['secure' => true, 'httponly' => true, 'samesite' => 'Lax']);
}

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: md5 of mt_rand as api key
<?php

namespace App\Services;

class KeyService
{
    public function createApiKey(int $userId): string
    {
        $apiKey = hash('sha256', $userId . mt_rand());
        return $apiKey;
    }
}

// === vulnerable: str_shuffle password
<?php

function temporaryPassword(int $length = 12): string
{
    $chars = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';
    $password = substr(str_shuffle($chars), 0, $length);
    return $password;
}
echo temporaryPassword();

// === vulnerable: array_rand for a csrf token
<?php

session_start();
$letters = range('a', 'z');
$csrfToken = '';
foreach (range(1, 24) as $_) {
    $csrfToken .= $letters[array_rand($letters)];
}
$_SESSION['csrf_token'] = $csrfToken;

// === safe: random_bytes token
<?php

function resetToken(): string
{
    return bin2hex(random_bytes(32));
}
echo resetToken();

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: random_int code
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

session_start();
$_SESSION['otp'] = random_int(100000, 999999);
mail($_POST['email'], 'Your code', 'Code: ' . $_SESSION['otp']);

// === safe: Laravel Str::random
<?php

namespace App\Services;

use Illuminate\Support\Str;

class KeyService
{
    public function createApiKey(): string
    {
        return Str::random(40);
    }
}

// === safe: mt_rand picks a banner
<?php

require_once __DIR__ . '/bootstrap.php';

$banners = ['spring.png', 'summer.png', 'autumn.png'];
$banner = $banners[mt_rand(0, count($banners) - 1)];
echo '<img src="/img/' . $banner . '" alt="">';

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: rand for retry jitter
<?php

function fetchWithRetry(callable $fetch, int $attempts = 3): mixed
{
    for ($i = 0; $i < $attempts; $i++) {
        try {
            return $fetch();
        } catch (RuntimeException $e) {
            usleep(rand(100, 300) * 1000);
        }
    }
    throw new RuntimeException('gave up');
}

// === safe: password from random_int
<?php

function temporaryPassword(int $length = 16): string
{
    $chars = 'abcdefghjkmnpqrstuvwxyz23456789';
    $password = '';
    for ($i = 0; $i < $length; $i++) {
        $password .= $chars[random_int(0, strlen($chars) - 1)];
    }
    return $password;
}
