// === vulnerable: VerifyCsrfToken excepts everything
<?php

namespace App\Http\Middleware;

use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken as Middleware;

class VerifyCsrfToken extends Middleware
{
    protected $except = [
        '*',
    ];
}

// === vulnerable: route without the middleware
<?php

use App\Http\Controllers\TransferController;
use App\Http\Middleware\VerifyCsrfToken;
use Illuminate\Support\Facades\Route;

Route::middleware('auth')->group(function () {
    Route::post('/transfer', [TransferController::class, 'store'])
        ->withoutMiddleware([VerifyCsrfToken::class]);
});

// === vulnerable: Symfony form with csrf_protection false
<?php

namespace App\Form;

use Symfony\Component\Form\AbstractType;
use Symfony\Component\Form\FormBuilderInterface;
use Symfony\Component\OptionsResolver\OptionsResolver;

class PasswordType extends AbstractType
{
    public function buildForm(FormBuilderInterface $builder, array $options): void
    {
        $builder->add('password');
    }

    public function configureOptions(OptionsResolver $resolver): void
    {
        $resolver->setDefaults(['csrf_protection' => false]);
    }
}

// === vulnerable: Laravel 11 bootstrap excepts all
<?php

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Middleware;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(web: __DIR__ . '/../routes/web.php')
    ->withMiddleware(function (Middleware $middleware) {
        $middleware->validateCsrfTokens(except: ['*']);
    })
    ->create();

// === vulnerable: account pages excepted
<?php

namespace App\Http\Middleware;

use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken as BaseVerifier;

class VerifyCsrfToken extends BaseVerifier
{
    protected $except = ['account/*', 'admin/*'];
}

// === safe: empty except list
<?php

namespace App\Http\Middleware;

use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken as Middleware;

class VerifyCsrfToken extends Middleware
{
    protected $except = [];
}

// === safe: routes in the web group
<?php

use App\Http\Controllers\TransferController;
use Illuminate\Support\Facades\Route;

Route::middleware(['web', 'auth'])->group(function () {
    Route::post('/transfer', [TransferController::class, 'store']);
});

function isWeekend(DateTimeInterface $day): bool
{
    return (int) $day->format('N') > 5;
}

// === safe: Symfony form with csrf_protection true
<?php

namespace App\Form;

use Symfony\Component\Form\AbstractType;
use Symfony\Component\OptionsResolver\OptionsResolver;

class PasswordType extends AbstractType
{
    public function configureOptions(OptionsResolver $resolver): void
    {
        $resolver->setDefaults([
            'csrf_protection' => true,
            'csrf_token_id' => 'password_form',
        ]);
    }
}

// === safe: token checked by hand
<?php

session_start();
if (!hash_equals($_SESSION['csrf'] ?? '', $_POST['csrf'] ?? '')) {
    http_response_code(419);
    exit('bad token');
}
$pdo = new PDO('sqlite:/var/lib/app.db');
$stmt = $pdo->prepare('UPDATE users SET email = ? WHERE id = ?');
$stmt->execute([$_POST['email'], $_SESSION['user']]);

// === safe: WordPress nonce
<?php

add_action('admin_post_acme_save', function () {
    check_admin_referer('acme_save');
    if (!current_user_can('manage_options')) {
        wp_die('no access');
    }
    update_option('acme_title', sanitize_text_field(wp_unslash($_POST['title'])));
    wp_safe_redirect(admin_url('options-general.php?page=acme'));
});
