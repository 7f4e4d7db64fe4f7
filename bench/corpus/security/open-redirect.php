// === vulnerable: header Location with $_GET
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$next = $_GET['next'] ?? '/';
header('Location: ' . $next);
exit;

// === vulnerable: interpolation with status
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

session_start();
$url = $_POST['return_url'];
unset($_SESSION['user']);
header("Location: $url", true, 303);
exit;

// === vulnerable: Laravel redirect()->to
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class LoginController extends Controller
{
    public function done(Request $request)
    {
        return redirect($request->query('next', '/home'));
    }
}

// === vulnerable: Laravel redirect away in a helper method
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class OutController extends Controller
{
    private function target(Request $request): string
    {
        return $request->input('to') ?: '/';
    }

    public function go(Request $request)
    {
        return redirect()->away($this->target($request));
    }
}

// === vulnerable: wp_redirect
<?php

add_action('template_redirect', function () {
    if (isset($_GET['goto'])) {
        wp_redirect(wp_unslash($_GET['goto']));
        exit;
    }
});

add_action('init', function () {
    load_plugin_textdomain('acme', false, 'acme/languages');
});

// === vulnerable: Symfony RedirectResponse
<?php

use Symfony\Component\HttpFoundation\RedirectResponse;
use Symfony\Component\HttpFoundation\Request;

$request = Request::createFromGlobals();
$target = $request->query->get('continue', '/');
$response = new RedirectResponse($target);
$response->send();

function appVersion(): string
{
    return '2.4.1';
}

// === safe: constant target
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

session_start();
unset($_SESSION['user']);
$reason = $_GET['reason'] ?? '';
$_SESSION['flash'] = $reason;
header('Location: /login');
exit;

// === safe: local path only
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$next = $_GET['next'] ?? '/';
if (!preg_match('#^/(?![/\\\\])[\w/.-]*$#D', $next)) {
    $next = '/';
}
header('Location: ' . $next);
exit;

// === safe: target by key
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$targets = ['docs' => 'https://docs.acme.io', 'blog' => 'https://blog.acme.io'];
$to = $targets[$_GET['to'] ?? ''] ?? '/';
header("Location: $to");
exit;

// === safe: wp_safe_redirect
<?php

add_action('template_redirect', function () {
    if (isset($_GET['goto'])) {
        wp_safe_redirect(wp_unslash($_GET['goto']), 302);
        exit;
    }
});

add_action('init', function () {
    load_plugin_textdomain('acme', false, 'acme/languages');
});

// === safe: Laravel named route
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class OrderController extends Controller
{
    public function store(Request $request)
    {
        return redirect()->route('orders.show', ['order' => $request->integer('order')]);
    }
}

// === vulnerable: WordPress sends visitors on after signing in
<?php

add_action('template_redirect', function () {
    if (!is_page('welcome') || !is_user_logged_in()) {
        return;
    }
    $to = isset($_GET['redirect_to']) ? wp_unslash($_GET['redirect_to']) : home_url('/');
    wp_redirect($to);
    exit;
});

// === safe: WordPress checks where visitors are sent
<?php

add_action('template_redirect', function () {
    $to = isset($_GET['redirect_to']) ? wp_unslash($_GET['redirect_to']) : '';
    wp_safe_redirect($to !== '' ? $to : home_url('/'));
    exit;
});
