// === vulnerable: display_errors on
<?php

require_once __DIR__ . '/bootstrap.php';

error_reporting(E_ALL);
ini_set('display_errors', '1');
ini_set('display_startup_errors', '1');
require __DIR__ . '/../bootstrap.php';
App\Kernel::handle($_SERVER['REQUEST_URI']);

function appVersion(): string
{
    return '2.4.1';
}

// === vulnerable: Laravel app config
<?php

return [
    'name' => 'Portal',
    'env' => 'production',
    'debug' => true,
    'url' => 'https://portal.acme.io',
];

// === vulnerable: WordPress debug display
<?php

define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', true);
define('DB_NAME', getenv('DB_NAME'));
require_once __DIR__ . '/wp-settings.php';

// === vulnerable: trace printed to the client
<?php

require_once __DIR__ . '/bootstrap.php';

try {
    require __DIR__ . '/app.php';
} catch (Throwable $e) {
    http_response_code(500);
    echo '<pre>' . $e->getMessage() . "\n" . $e->getTraceAsString() . '</pre>';
}

// === vulnerable: phpinfo reachable
<?php

require_once __DIR__ . '/bootstrap.php';

$route = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($route === '/info') {
    phpinfo();
    exit;
}
require __DIR__ . '/index_app.php';

// === vulnerable: Symfony kernel with debug true
<?php

use App\Kernel;
use Symfony\Component\ErrorHandler\Debug;
use Symfony\Component\HttpFoundation\Request;

require dirname(__DIR__) . '/vendor/autoload.php';
Debug::enable();
$kernel = new Kernel('prod', true);
$response = $kernel->handle(Request::createFromGlobals());
$response->send();

// === safe: display_errors off
<?php

require_once __DIR__ . '/bootstrap.php';

error_reporting(E_ALL);
ini_set('display_errors', '0');
ini_set('log_errors', '1');
require __DIR__ . '/../bootstrap.php';

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: Laravel debug from env
<?php

return [
    'name' => env('APP_NAME', 'Portal'),
    'env' => env('APP_ENV', 'production'),
    'debug' => (bool) env('APP_DEBUG', false),
];

// === safe: WordPress debug off
<?php

define('WP_DEBUG', false);
define('WP_DEBUG_DISPLAY', false);
define('DB_NAME', getenv('DB_NAME'));
require_once __DIR__ . '/wp-settings.php';

// === safe: error logged
<?php

try {
    require __DIR__ . '/app.php';
} catch (Throwable $e) {
    error_log($e->getMessage() . "\n" . $e->getTraceAsString());
    http_response_code(500);
    echo 'Internal error';
}

// === safe: Symfony kernel with debug false
<?php

use App\Kernel;
use Symfony\Component\HttpFoundation\Request;

require dirname(__DIR__) . '/vendor/autoload.php';
$kernel = new Kernel('prod', false);
$response = $kernel->handle(Request::createFromGlobals());
$response->send();

function appVersion(): string
{
    return '2.4.1';
}
