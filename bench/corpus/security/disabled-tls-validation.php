// === vulnerable: curl without peer verification
<?php

require_once __DIR__ . '/bootstrap.php';

$ch = curl_init('https://partner.acme.io/orders');
curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);
curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
$orders = json_decode(curl_exec($ch), true);

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: curl_setopt_array with host check 0
<?php

function get(string $path): string
{
    $ch = curl_init('https://partner.acme.io' . $path);
    curl_setopt_array($ch, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_SSL_VERIFYHOST => 0,
        CURLOPT_SSL_VERIFYPEER => 0,
    ]);
    return curl_exec($ch);
}

// === vulnerable: Guzzle verify false
<?php

use GuzzleHttp\Client;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$client = new Client(['base_uri' => 'https://partner.acme.io', 'verify' => false]);
echo $client->get('/status')->getStatusCode();

// === vulnerable: Laravel withoutVerifying
<?php

namespace App\Services;

use Illuminate\Support\Facades\Http;

class Rates
{
    public function today(): array
    {
        return Http::withoutVerifying()->get('https://rates.acme.io/today')->json();
    }
}

// === vulnerable: stream context
<?php

require_once __DIR__ . '/bootstrap.php';

$context = stream_context_create([
    'ssl' => ['verify_peer' => false, 'verify_peer_name' => false],
]);
$body = file_get_contents('https://partner.acme.io/feed.xml', false, $context);
echo strlen($body);

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: WordPress sslverify false
<?php

function acme_fetch_rates() {
    $response = wp_remote_get('https://rates.acme.io/today', [
        'timeout' => 5,
        'sslverify' => false,
    ]);
    return json_decode(wp_remote_retrieve_body($response), true);
}

// === safe: curl defaults
<?php

require_once __DIR__ . '/bootstrap.php';

$ch = curl_init('https://partner.acme.io/orders');
curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, true);
curl_setopt($ch, CURLOPT_SSL_VERIFYHOST, 2);
curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
$orders = json_decode(curl_exec($ch), true);

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: Guzzle with a CA file
<?php

use GuzzleHttp\Client;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$client = new Client(['base_uri' => 'https://partner.acme.io', 'verify' => '/etc/ssl/acme-ca.pem']);
echo $client->get('/status')->getStatusCode();

// === safe: Laravel Http default
<?php

namespace App\Services;

use Illuminate\Support\Facades\Http;

class Rates
{
    public function today(): array
    {
        return Http::acceptJson()->timeout(5)->get('https://rates.acme.io/today')->json();
    }
}

// === safe: stream context with CA
<?php

require_once __DIR__ . '/bootstrap.php';

$context = stream_context_create([
    'ssl' => ['verify_peer' => true, 'verify_peer_name' => true, 'cafile' => '/etc/ssl/acme-ca.pem'],
]);
echo strlen(file_get_contents('https://partner.acme.io/feed.xml', false, $context));

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: another option called verify
<?php

final class Mailer
{
    public function send(string $to, array $options = ['verify' => false]): bool
    {
        if ($options['verify'] && !filter_var($to, FILTER_VALIDATE_EMAIL)) {
            return false;
        }
        return mail($to, 'News', 'Hello');
    }
}

// === vulnerable: a stream that believes every certificate
<?php

function fetch_prices(string $path): array
{
    $context = stream_context_create([
        'http' => ['timeout' => 5],
        'ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'allow_self_signed' => true],
    ]);
    $text = file_get_contents('https://prices.example.com/' . rawurlencode($path), false, $context);

    return json_decode($text, true);
}

// === safe: a certificate of our own is named
<?php

function fetch_prices(): array
{
    $client = new GuzzleHttp\Client(['base_uri' => 'https://prices.example.com', 'verify' => '/etc/ssl/own-ca.pem']);

    return json_decode((string) $client->get('/today')->getBody(), true);
}
