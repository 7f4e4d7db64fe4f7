// === vulnerable: $_POST values as a MongoDB filter
<?php

require 'vendor/autoload.php';

$users = (new MongoDB\Client())->shop->users;
$user = $users->findOne([
    'email' => $_POST['email'],
    'password' => $_POST['password'],
]);
if ($user === null) {
    http_response_code(401);
}

// === vulnerable: whole query array as filter
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$items = (new MongoDB\Client(getenv('MONGO_URL')))->selectCollection('shop', 'items');
$filter = $_GET['filter'] ?? [];
foreach ($items->find($filter) as $item) {
    echo htmlspecialchars($item['name']), "\n";
}

// === vulnerable: $where string
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$posts = (new MongoDB\Client())->blog->posts;
$author = $_GET['author'];
$count = $posts->countDocuments(['$where' => "this.author == '" . $author . "'"]);
echo (int) $count;

// === vulnerable: JSON body decoded to the filter
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$body = json_decode(file_get_contents('php://input'), true);
$events = (new MongoDB\Client())->app->events;
$cursor = $events->find($body['query'], ['limit' => 50]);
header('Content-Type: application/json');
echo json_encode(iterator_to_array($cursor));

// === vulnerable: Laravel MongoDB whereRaw with input
<?php

namespace App\Http\Controllers;

use App\Models\Ticket;
use Illuminate\Http\Request;

class TicketController extends Controller
{
    public function search(Request $request)
    {
        return Ticket::whereRaw($request->input('where'))->get();
    }
}

// === safe: values cast to string
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$users = (new MongoDB\Client())->shop->users;
$user = $users->findOne(['email' => (string) $_POST['email']]);
if ($user === null || !password_verify((string) $_POST['password'], $user['password_hash'])) {
    http_response_code(401);
}

// === safe: is_string check
<?php

require 'vendor/autoload.php';

$name = $_GET['name'] ?? '';
if (!is_string($name)) {
    http_response_code(400);
    exit;
}
$items = (new MongoDB\Client())->shop->items;
echo $items->countDocuments(['name' => $name]);

// === safe: object id
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$id = new MongoDB\BSON\ObjectId((string) $_GET['id']);
$doc = (new MongoDB\Client())->shop->orders->findOne(['_id' => $id]);
header('Content-Type: application/json');
echo json_encode(['found' => $doc !== null]);

// === safe: constant $where
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

require 'vendor/autoload.php';

$invoices = (new MongoDB\Client())->shop->invoices;
$count = $invoices->countDocuments(['$where' => 'this.paid < this.total']);
echo (int) $count, ' of page ', (int) ($_GET['page'] ?? 1);

// === safe: Laravel validated string
<?php

namespace App\Http\Controllers;

use App\Models\Ticket;
use Illuminate\Http\Request;

class TicketController extends Controller
{
    public function search(Request $request)
    {
        $data = $request->validate(['state' => 'required|string|in:open,closed']);
        return Ticket::where('state', $data['state'])->get();
    }
}
