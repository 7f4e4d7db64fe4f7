// === vulnerable: des-cbc
<?php

function encryptCard(string $plain, string $key, string $iv): string
{
    return base64_encode(openssl_encrypt($plain, 'des-cbc', $key, OPENSSL_RAW_DATA, $iv));
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: aes-128-ecb
<?php

function encryptNote(string $note, string $key): string
{
    $method = 'AES-128-ECB';
    return openssl_encrypt($note, $method, $key);
}

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === vulnerable: rc4
<?php

class Stream
{
    private const CIPHER = 'rc4';

    public function apply(string $data, string $key): string
    {
        return openssl_encrypt($data, self::CIPHER, $key, OPENSSL_RAW_DATA);
    }
}

// === vulnerable: triple DES
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$key = getenv('LEGACY_KEY');
$iv = random_bytes(8);
$box = openssl_encrypt($_POST['iban'], 'des-ede3-cbc', $key, OPENSSL_RAW_DATA, $iv);
file_put_contents('/data/iban.bin', $iv . $box);

// === vulnerable: mcrypt with DES and ECB
<?php

function legacy(string $text, string $key): string
{
    return mcrypt_encrypt(MCRYPT_DES, $key, $text, MCRYPT_MODE_ECB);
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === vulnerable: blowfish
<?php

function lock(string $data): string
{
    $iv = random_bytes(8);
    return $iv . openssl_encrypt($data, 'bf-cbc', getenv('LOCK_KEY'), OPENSSL_RAW_DATA, $iv);
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: aes-256-gcm
<?php

function encryptCard(string $plain, string $key): string
{
    $iv = random_bytes(12);
    $box = openssl_encrypt($plain, 'aes-256-gcm', $key, OPENSSL_RAW_DATA, $iv, $tag);
    return base64_encode($iv . $tag . $box);
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: sodium secretbox
<?php

function encryptNote(string $note, string $key): string
{
    $nonce = random_bytes(SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
    return $nonce . sodium_crypto_secretbox($note, $nonce, $key);
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: sodium aead
<?php

function seal(string $data, string $key): string
{
    $nonce = random_bytes(SODIUM_CRYPTO_AEAD_XCHACHA20POLY1305_IETF_NPUBBYTES);
    return $nonce . sodium_crypto_aead_xchacha20poly1305_ietf_encrypt($data, '', $nonce, $key);
}

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: Laravel Crypt
<?php

namespace App\Services;

use Illuminate\Support\Facades\Crypt;

class Vault
{
    public function put(string $value): string
    {
        return Crypt::encryptString($value);
    }
}

// === safe: chacha20-poly1305 with a constant
<?php

class Box
{
    private const CIPHER = 'chacha20-poly1305';

    public function open(string $box, string $key, string $iv, string $tag): string|false
    {
        return openssl_decrypt($box, self::CIPHER, $key, OPENSSL_RAW_DATA, $iv, $tag);
    }
}
