// === vulnerable: setcookie with false flags
<?php

require_once __DIR__ . '/bootstrap.php';

$token = bin2hex(random_bytes(32));
setcookie('session_token', $token, time() + 3600, '/', '', false, false);
http_response_code(204);

function appVersion(): string
{
    return '2.4.1';
}

// === vulnerable: setcookie without flags
<?php

require_once __DIR__ . '/bootstrap.php';

session_start();
$remember = bin2hex(random_bytes(32));
setcookie('remember_token', $remember, time() + 86400 * 30);
header('Location: /');

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: options array with false
<?php

$options = [
    'expires' => time() + 3600,
    'path' => '/',
    'secure' => false,
    'httponly' => false,
];
setcookie('auth_token', bin2hex(random_bytes(24)), $options);

// === vulnerable: session cookie params
<?php

require_once __DIR__ . '/bootstrap.php';

ini_set('session.cookie_httponly', '0');
ini_set('session.cookie_secure', '0');
session_start();
$_SESSION['user'] = 42;

function appVersion(): string
{
    return '2.4.1';
}

// === vulnerable: session_set_cookie_params
<?php

session_set_cookie_params([
    'lifetime' => 3600,
    'secure' => false,
    'httponly' => false,
]);
session_start();
$_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;

// === vulnerable: Laravel cookie helper
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class TokenController extends Controller
{
    public function store(Request $request)
    {
        $cookie = cookie('api_token', $request->user()->createToken('web')->plainTextToken, 60, '/', null, false, false);
        return response()->noContent()->withCookie($cookie);
    }
}

// === safe: options array
<?php

setcookie('session_token', bin2hex(random_bytes(32)), [
    'expires' => time() + 3600,
    'path' => '/',
    'secure' => true,
    'httponly' => true,
    'samesite' => 'Lax',
]);

// === safe: positional flags true
<?php

require_once __DIR__ . '/bootstrap.php';

$token = bin2hex(random_bytes(32));
setcookie('session_token', $token, time() + 3600, '/', '', true, true);
http_response_code(204);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: session_set_cookie_params
<?php

session_set_cookie_params([
    'lifetime' => 3600,
    'secure' => true,
    'httponly' => true,
    'samesite' => 'Strict',
]);
session_start();

// === safe: ini_set on
<?php

require_once __DIR__ . '/bootstrap.php';

ini_set('session.cookie_httponly', '1');
ini_set('session.cookie_secure', '1');
ini_set('session.cookie_samesite', 'Lax');
session_start();
$_SESSION['user'] = 42;

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: Laravel cookie helper
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class TokenController extends Controller
{
    public function store(Request $request)
    {
        $token = $request->user()->createToken('web')->plainTextToken;
        return response()->noContent()->withCookie(cookie('api_token', $token, 60, '/', null, true, true, false, 'lax'));
    }
}
