// === vulnerable: forceFill with all request input
<?php

namespace App\Http\Controllers;

use App\Models\User;
use Illuminate\Http\Request;

class UserController extends Controller
{
    public function store(Request $request)
    {
        $user = new User();
        $user->forceFill($request->all());
        $user->save();
        return response()->json($user, 201);
    }
}

// === vulnerable: guarded emptied
<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Http\Request;

class Account extends Model
{
    protected $guarded = [];

    public static function register(Request $request): self
    {
        return self::create($request->all());
    }
}

// === vulnerable: Model::unguard
<?php

namespace App\Http\Controllers;

use App\Models\Member;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Http\Request;

class MemberController extends Controller
{
    public function update(Request $request, Member $member)
    {
        Model::unguard();
        $member->update($request->input());
        return $member;
    }
}

// === vulnerable: role in fillable with all input
<?php

namespace App\Http\Controllers;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Http\Request;

class Profile extends Model
{
    protected $fillable = ['name', 'email', 'is_admin', 'role'];
}

class ProfileController
{
    public function update(Request $request, int $id)
    {
        Profile::findOrFail($id)->fill($request->all())->save();
    }
}

// === vulnerable: foreach over $_POST sets properties
<?php

class User
{
    public string $name = '';
    public string $email = '';
    public bool $isAdmin = false;

    public function save(PDO $pdo): void
    {
        $pdo->prepare('UPDATE users SET name = ?, is_admin = ?')->execute([$this->name, (int) $this->isAdmin]);
    }
}

$user = new User();
foreach ($_POST as $key => $value) {
    $user->$key = $value;
}
$user->save(new PDO('sqlite:/var/lib/app.db'));

// === safe: only
<?php

namespace App\Http\Controllers;

use App\Models\User;
use Illuminate\Http\Request;

class UserController extends Controller
{
    public function store(Request $request)
    {
        $user = User::create($request->only(['name', 'email']));
        return response()->json($user, 201);
    }
}

// === safe: validated data
<?php

namespace App\Http\Controllers;

use App\Models\Member;
use Illuminate\Http\Request;

class MemberController extends Controller
{
    public function update(Request $request, Member $member)
    {
        $data = $request->validate(['name' => 'required|string|max:80', 'city' => 'nullable|string']);
        $member->update($data);
        return $member;
    }
}

// === safe: fillable list
<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Account extends Model
{
    protected $fillable = ['name', 'email'];

    protected $hidden = ['password', 'is_admin'];
}

// === safe: single attributes
<?php

namespace App\Http\Controllers;

use App\Models\Post;
use Illuminate\Http\Request;

class PostController extends Controller
{
    public function store(Request $request)
    {
        $post = new Post();
        $post->title = $request->input('title');
        $post->author_id = $request->user()->id;
        $post->save();
        return $post;
    }
}

// === safe: foreach over an allow-list
<?php

class User
{
    public string $name = '';
    public string $city = '';
    public bool $isAdmin = false;
}

$user = new User();
foreach (['name', 'city'] as $key) {
    if (isset($_POST[$key])) {
        $user->$key = (string) $_POST[$key];
    }
}
echo htmlspecialchars($user->name);

// === vulnerable: a profile takes every field of the form
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class ProfileController extends Controller
{
    public function update(Request $request)
    {
        $user = $request->user();
        $user->forceFill($request->input());
        $user->save();

        return back()->with('status', 'Saved.');
    }
}

// === safe: a profile takes what was checked
<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class ProfileController extends Controller
{
    public function update(Request $request)
    {
        $checked = $request->validate(['name' => 'required|max:80', 'city' => 'nullable|max:80']);
        $request->user()->fill($checked)->save();

        return back()->with('status', 'Saved.');
    }
}
