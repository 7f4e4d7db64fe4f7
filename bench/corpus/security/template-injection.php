// === vulnerable: Twig createTemplate
<?php

use Twig\Environment;
use Twig\Loader\ArrayLoader;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$twig = new Environment(new ArrayLoader());
$template = $twig->createTemplate($_POST['template']);
echo $template->render(['name' => 'Ana']);

// === vulnerable: ArrayLoader with a concatenated template
<?php

use Twig\Environment;
use Twig\Loader\ArrayLoader;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$greeting = $_GET['greeting'];
$loader = new ArrayLoader(['mail' => $greeting . ' {{ user.name }}']);
echo (new Environment($loader))->render('mail', ['user' => ['name' => 'Ana']]);

// === vulnerable: Blade::render with input
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Blade;

class PreviewController extends Controller
{
    public function show(Request $request)
    {
        return Blade::render($request->input('layout'), ['title' => 'Preview']);
    }
}

// === vulnerable: Smarty string resource
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$smarty = new Smarty\Smarty();
$smarty->assign('shop', 'Acme');
$source = 'Dear customer, ' . $_POST['text'];
$smarty->display('string:' . $source);

// === vulnerable: Twig template_from_string through a method
<?php

use Twig\Environment;

final class Letters
{
    public function __construct(private Environment $twig) {}

    private function source(string $body): string
    {
        return sprintf('<p>%s</p><footer>{{ company }}</footer>', $body);
    }

    public function send(): string
    {
        return $this->twig->createTemplate($this->source($_POST['body']))->render(['company' => 'Acme']);
    }
}

// === safe: Twig file with data
<?php

use Twig\Environment;
use Twig\Loader\FilesystemLoader;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$twig = new Environment(new FilesystemLoader(__DIR__ . '/templates'));
echo $twig->render('hello.html.twig', ['name' => $_GET['name'] ?? 'guest']);

// === safe: constant Twig template
<?php

use Twig\Environment;
use Twig\Loader\ArrayLoader;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$twig = new Environment(new ArrayLoader());
$template = $twig->createTemplate('Hello {{ name }}');
echo $template->render(['name' => $_POST['name'] ?? '']);

// === safe: Blade view with data
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class PreviewController extends Controller
{
    public function show(Request $request)
    {
        return view('preview', ['layout' => $request->input('layout')]);
    }
}

// === safe: Smarty file with assign
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$smarty = new Smarty\Smarty();
$smarty->setEscapeHtml(true);
$smarty->assign('text', $_POST['text'] ?? '');
$smarty->display('letter.tpl');

// === safe: template name from an allow-list
<?php

use Twig\Environment;
use Twig\Loader\FilesystemLoader;

require 'vendor/autoload.php';
$names = ['welcome' => 'welcome.twig', 'bye' => 'bye.twig'];
$file = $names[$_GET['mail'] ?? ''] ?? 'welcome.twig';
$twig = new Environment(new FilesystemLoader('mails'));
echo $twig->render($file);
