// === vulnerable: PDO with a literal password
<?php

require_once __DIR__ . '/bootstrap.php';

$pdo = new PDO('mysql:host=db.acme.io;dbname=shop', 'shop', 'vK7#mQ2pLx9!');
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
echo $pdo->query('SELECT COUNT(*) FROM orders')->fetchColumn();

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: define of a password
<?php

define('DB_USER', 'wordpress');
define('DB_PASSWORD', 'c8Yw2nLqE5tR');
define('DB_HOST', 'mysql.acme.io');
define('DB_NAME', 'blog');
require_once __DIR__ . '/wp-settings.php';

// === vulnerable: Laravel config array
<?php

return [
    'default' => 'smtp',
    'mailers' => [
        'smtp' => [
            'host' => 'smtp.acme.io',
            'username' => 'alerts@acme.io',
            'password' => 'Herbst-2023-mail!',
        ],
    ],
];

// === vulnerable: API key constant in a class
<?php

namespace App\Services;

use Illuminate\Support\Facades\Http;

class Geocoder
{
    private const API_KEY = '9f2c7b61e0d84a3fb5c1d7e2a6480b9d';

    public function find(string $address): array
    {
        return Http::withHeaders(['X-Api-Key' => self::API_KEY])
            ->get('https://geo.acme.io/v1', ['q' => $address])->json();
    }
}

// === vulnerable: comparison with a literal
<?php

session_start();
if ($_POST['user'] === 'admin' && $_POST['password'] === 'Gr4nd-Piano-77') {
    $_SESSION['admin'] = true;
    header('Location: /admin');
    exit;
}
http_response_code(401);

// === vulnerable: ftp_login with a literal
<?php

require_once __DIR__ . '/bootstrap.php';

$ftp = ftp_ssl_connect('files.acme.io');
$ftpPassword = 'zT5-kk0p-Lager';
ftp_login($ftp, 'export', $ftpPassword);
ftp_put($ftp, 'orders.csv', '/data/orders.csv');

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: environment
<?php

require_once __DIR__ . '/bootstrap.php';

$pdo = new PDO('mysql:host=db.acme.io;dbname=shop', 'shop', getenv('DB_PASSWORD'));
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
echo $pdo->query('SELECT COUNT(*) FROM orders')->fetchColumn();

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: Laravel env with empty default
<?php

return [
    'default' => 'smtp',
    'mailers' => [
        'smtp' => [
            'host' => env('MAIL_HOST', 'smtp.acme.io'),
            'username' => env('MAIL_USERNAME'),
            'password' => env('MAIL_PASSWORD', ''),
        ],
    ],
];

// === safe: validation rules for a password
<?php

namespace App\Http\Requests;

use Illuminate\Foundation\Http\FormRequest;

class RegisterRequest extends FormRequest
{
    public function rules(): array
    {
        return ['email' => 'required|email', 'password' => 'required|confirmed|min:12'];
    }
}

// === safe: labels
<?php

$labels = [
    'password' => 'Password',
    'password_confirmation' => 'Repeat the password',
    'token' => 'Token',
];
foreach ($labels as $name => $label) {
    echo "<label for=\"$name\">$label</label>";
}

// === safe: secret from a mounted file
<?php

final class Secrets
{
    public static function apiKey(): string
    {
        return trim(file_get_contents('/run/secrets/geo_api_key'));
    }
}
echo strlen(Secrets::apiKey());
