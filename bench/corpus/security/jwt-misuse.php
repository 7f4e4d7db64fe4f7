// === vulnerable: firebase HS256 with a literal key
<?php

use Firebase\JWT\JWT;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$payload = ['sub' => 42, 'exp' => time() + 900];
echo JWT::encode($payload, 'portal-signing-key-2021', 'HS256');

// === vulnerable: payload decoded by hand
<?php

$token = str_replace('Bearer ', '', $_SERVER['HTTP_AUTHORIZATION'] ?? '');
[$header, $payload, $signature] = explode('.', $token);
$claims = json_decode(base64_decode(strtr($payload, '-_', '+/')), true);
if (($claims['role'] ?? '') !== 'admin') {
    http_response_code(403);
    exit;
}
echo 'settings';

// === vulnerable: verification with a literal Key object
<?php

use Firebase\JWT\JWT;
use Firebase\JWT\Key;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

const JWT_SECRET = 'Tr0ub4dor-3-portal';
$claims = JWT::decode($_COOKIE['token'], new Key(JWT_SECRET, 'HS256'));
echo (int) $claims->sub;

// === vulnerable: lcobucci unsecured signer
<?php

use Lcobucci\JWT\Configuration;

require 'vendor/autoload.php';
$config = Configuration::forUnsecuredSigner();
$token = $config->builder()
    ->relatedTo('42')
    ->expiresAt(new DateTimeImmutable('+1 hour'))
    ->getToken($config->signer(), $config->signingKey());
echo $token->toString();

// === vulnerable: lcobucci parse without validation
<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Lcobucci\JWT\Encoding\JoseEncoder;
use Lcobucci\JWT\Token\Parser;

class TokenUser
{
    public function handle(Request $request, Closure $next)
    {
        $token = (new Parser(new JoseEncoder()))->parse($request->bearerToken());
        $request->attributes->set('user', $token->claims()->get('sub'));
        return $next($request);
    }
}

// === vulnerable: payload read with the library's base64 helper in a middleware
<?php

namespace App\Http\Middleware;

use Closure;
use Firebase\JWT\JWT;
use Illuminate\Http\Request;

class RoleFromToken
{
    public function handle(Request $request, Closure $next)
    {
        $parts = explode('.', (string) $request->bearerToken());
        $claims = JWT::jsonDecode(JWT::urlsafeB64Decode($parts[1] ?? ''));
        abort_unless($claims->role === 'admin', 403);
        return $next($request);
    }
}

// === safe: key from the environment
<?php

use Firebase\JWT\JWT;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$payload = ['sub' => 42, 'exp' => time() + 900];
echo JWT::encode($payload, getenv('JWT_SECRET'), 'HS256');

// === safe: decode with Key and algorithm
<?php

use Firebase\JWT\JWT;
use Firebase\JWT\Key;

require 'vendor/autoload.php';
try {
    $claims = JWT::decode($_COOKIE['token'] ?? '', new Key(getenv('JWT_SECRET'), 'HS256'));
    echo (int) $claims->sub;
} catch (Exception $e) {
    http_response_code(401);
}

// === safe: RS256 with a public key file
<?php

use Firebase\JWT\JWT;
use Firebase\JWT\Key;

require 'vendor/autoload.php';

date_default_timezone_set('Europe/Berlin');
mb_internal_encoding('UTF-8');

$public = file_get_contents('/etc/portal/jwt.pub');
$claims = JWT::decode($_SERVER['HTTP_X_TOKEN'] ?? '', new Key($public, 'RS256'));
echo htmlspecialchars($claims->sub);

// === safe: lcobucci with validation
<?php

use Lcobucci\JWT\Configuration;
use Lcobucci\JWT\Signer\Hmac\Sha256;
use Lcobucci\JWT\Signer\Key\InMemory;
use Lcobucci\JWT\Validation\Constraint\SignedWith;

require 'vendor/autoload.php';
$config = Configuration::forSymmetricSigner(new Sha256(), InMemory::base64Encoded(getenv('JWT_SECRET')));
$token = $config->parser()->parse($_COOKIE['token']);
$config->validator()->assert($token, new SignedWith($config->signer(), $config->verificationKey()));
echo htmlspecialchars($token->claims()->get('sub'));

// === safe: Laravel config secret
<?php

namespace App\Services;

use Firebase\JWT\JWT;

class Tokens
{
    public function issue(int $user): string
    {
        return JWT::encode(['sub' => $user, 'exp' => time() + 600], config('jwt.secret'), 'HS512');
    }
}
