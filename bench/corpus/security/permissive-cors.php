// === vulnerable: reflected origin with credentials
<?php

require_once __DIR__ . '/bootstrap.php';

header('Access-Control-Allow-Origin: ' . $_SERVER['HTTP_ORIGIN']);
header('Access-Control-Allow-Credentials: true');
header('Content-Type: application/json');
echo json_encode(['iban' => 'DE02']);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: interpolation
<?php

require_once __DIR__ . '/bootstrap.php';

$origin = $_SERVER['HTTP_ORIGIN'] ?? '*';
header("Access-Control-Allow-Origin: {$origin}");
header('Access-Control-Allow-Credentials: true');
header('Access-Control-Allow-Methods: GET, POST, PUT, DELETE');
echo '{}';

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: Laravel middleware
<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;

class Cors
{
    public function handle(Request $request, Closure $next)
    {
        $response = $next($request);
        $response->headers->set('Access-Control-Allow-Origin', $request->header('Origin'));
        $response->headers->set('Access-Control-Allow-Credentials', 'true');
        return $response;
    }
}

// === vulnerable: null origin
<?php

require_once __DIR__ . '/bootstrap.php';

if (isset($_SERVER['HTTP_ORIGIN'])) {
    header('Access-Control-Allow-Origin: null');
    header('Access-Control-Allow-Credentials: true');
}
echo json_encode(['ok' => true]);

function appVersion(): string
{
    return '2.4.1';
}

// === vulnerable: Laravel cors config
<?php

return [
    'paths' => ['api/*'],
    'allowed_methods' => ['*'],
    'allowed_origins' => ['*'],
    'allowed_headers' => ['*'],
    'supports_credentials' => true,
];

// === vulnerable: WordPress REST filter
<?php

add_action('rest_api_init', function () {
    add_filter('rest_pre_serve_request', function ($value) {
        $origin = $_SERVER['HTTP_ORIGIN'];
        header('Access-Control-Allow-Origin: ' . $origin);
        header('Access-Control-Allow-Credentials: true');
        return $value;
    });
});

// === safe: fixed origin
<?php

require_once __DIR__ . '/bootstrap.php';

header('Access-Control-Allow-Origin: https://app.acme.io');
header('Access-Control-Allow-Credentials: true');
header('Vary: Origin');
echo json_encode(['name' => 'Ana']);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: allow-list
<?php

$allowed = ['https://app.acme.io', 'https://admin.acme.io'];
$origin = $_SERVER['HTTP_ORIGIN'] ?? '';
if (in_array($origin, $allowed, true)) {
    header('Access-Control-Allow-Origin: ' . $origin);
    header('Access-Control-Allow-Credentials: true');
    header('Vary: Origin');
}
echo '{}';

// === safe: Laravel cors config
<?php

return [
    'paths' => ['api/*'],
    'allowed_methods' => ['GET', 'POST'],
    'allowed_origins' => ['https://app.acme.io'],
    'allowed_headers' => ['Content-Type', 'X-Requested-With'],
    'supports_credentials' => true,
];

// === safe: origin from configuration
<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;

class Cors
{
    public function handle(Request $request, Closure $next)
    {
        $response = $next($request);
        $response->headers->set('Access-Control-Allow-Origin', config('app.frontend_url'));
        $response->headers->set('Access-Control-Allow-Credentials', 'true');
        return $response;
    }
}

// === safe: origin compared with one constant
<?php

const FRONTEND = 'https://app.acme.io';

if (($_SERVER['HTTP_ORIGIN'] ?? '') !== FRONTEND) {
    http_response_code(403);
    exit;
}
header('Access-Control-Allow-Origin: ' . FRONTEND);
header('Access-Control-Allow-Credentials: true');
