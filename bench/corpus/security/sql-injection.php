// === vulnerable: mysqli_query with $_GET
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$db = mysqli_connect('localhost', 'shop', getenv('DB_PASSWORD'), 'shop');
$id = $_GET['id'];
$result = mysqli_query($db, "SELECT name, price FROM products WHERE id = " . $id);
while ($row = mysqli_fetch_assoc($result)) {
    echo htmlspecialchars($row['name']);
}

// === vulnerable: PDO query with interpolation
<?php

$pdo = new PDO('mysql:host=localhost;dbname=shop', 'shop', getenv('DB_PASSWORD'));
$email = $_POST['email'];
$stmt = $pdo->query("SELECT id FROM users WHERE email = '$email'");
$user = $stmt->fetch(PDO::FETCH_ASSOC);
if (!$user) {
    http_response_code(404);
}

// === vulnerable: Laravel DB::select with concatenation
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class OrderController extends Controller
{
    public function index(Request $request)
    {
        $status = $request->input('status');
        $orders = DB::select("SELECT * FROM orders WHERE status = '" . $status . "'");
        return response()->json($orders);
    }
}

// === vulnerable: Laravel orderByRaw
<?php

namespace App\Http\Controllers;

use App\Models\Product;
use Illuminate\Http\Request;

class ProductController extends Controller
{
    public function index(Request $request)
    {
        $sort = $request->query('sort', 'name');
        return Product::query()->orderByRaw($sort . ' asc')->paginate(20);
    }
}

// === vulnerable: WordPress wpdb get_results
<?php

function acme_search_books() {
    global $wpdb;
    $term = $_REQUEST['term'];
    $sql = sprintf("SELECT * FROM {$wpdb->prefix}books WHERE title LIKE '%%%s%%'", $term);
    wp_send_json($wpdb->get_results($sql));
}
add_action('wp_ajax_nopriv_books', 'acme_search_books');

// === vulnerable: PDO prepare on a string that already holds the value
<?php

final class CommentStore
{
    public function __construct(private PDO $pdo) {}

    private function where(string $author): string
    {
        return "WHERE author = '" . $author . "'";
    }

    public function delete(): void
    {
        $stmt = $this->pdo->prepare('DELETE FROM comments ' . $this->where($_POST['author']));
        $stmt->execute();
    }
}

// === vulnerable: loop with implode of ids
<?php

$pdo = new PDO('sqlite:/var/lib/app.db');
$ids = [];
foreach ($_POST['ids'] as $id) {
    $ids[] = "'" . $id . "'";
}
$list = implode(',', $ids);
$pdo->exec("UPDATE messages SET seen = 1 WHERE id IN ($list)");

// === safe: PDO prepared statement
<?php

$pdo = new PDO('mysql:host=localhost;dbname=shop', 'shop', getenv('DB_PASSWORD'));
$stmt = $pdo->prepare('SELECT id FROM users WHERE email = :email');
$stmt->execute(['email' => $_POST['email']]);
$user = $stmt->fetch(PDO::FETCH_ASSOC);
if (!$user) {
    http_response_code(404);
}

// === safe: mysqli bind_param
<?php

$db = new mysqli('localhost', 'shop', getenv('DB_PASSWORD'), 'shop');
$stmt = $db->prepare('SELECT name FROM products WHERE category = ?');
$stmt->bind_param('s', $_GET['category']);
$stmt->execute();
foreach ($stmt->get_result() as $row) {
    echo htmlspecialchars($row['name']);
}

// === safe: integer cast
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$db = mysqli_connect('localhost', 'shop', getenv('DB_PASSWORD'), 'shop');
$id = (int) $_GET['id'];
$result = mysqli_query($db, "SELECT name FROM products WHERE id = $id");
$row = mysqli_fetch_assoc($result);
echo htmlspecialchars($row['name'] ?? '');

// === safe: Laravel bindings
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class OrderController extends Controller
{
    public function index(Request $request)
    {
        $orders = DB::select('SELECT * FROM orders WHERE status = ?', [$request->input('status')]);
        return response()->json($orders);
    }
}

// === safe: sort from an allow-list
<?php

namespace App\Http\Controllers;

use App\Models\Product;
use Illuminate\Http\Request;

class ProductController extends Controller
{
    public function index(Request $request)
    {
        $sort = $request->query('sort');
        $column = in_array($sort, ['name', 'price'], true) ? $sort : 'name';
        return Product::query()->orderByRaw($column . ' asc')->paginate(20);
    }
}

// === safe: wpdb prepare
<?php

function acme_search_books() {
    global $wpdb;
    $like = '%' . $wpdb->esc_like($_REQUEST['term']) . '%';
    $sql = $wpdb->prepare("SELECT * FROM {$wpdb->prefix}books WHERE title LIKE %s", $like);
    wp_send_json($wpdb->get_results($sql));
}
add_action('wp_ajax_nopriv_books', 'acme_search_books');

// === vulnerable: a repository is handed what a controller read
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class ShopController extends Controller
{
    public function index(Request $request)
    {
        $city = trim($request->query('city', ''));

        return response()->json($this->inCity($city));
    }

    private function inCity(string $city): array
    {
        $sql = 'SELECT id, name FROM shops';
        if ($city !== '') {
            $sql .= " WHERE city = '" . $city . "'";
        }

        return DB::select($sql);
    }
}

// === safe: a list of numbers, each made one
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class ShopController extends Controller
{
    public function some(Request $request)
    {
        $ids = array_map('intval', explode(',', $request->query('ids', '')));
        $list = implode(',', $ids);

        return response()->json(DB::select("SELECT id, name FROM shops WHERE id IN ($list)"));
    }
}
