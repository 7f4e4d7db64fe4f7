// === vulnerable: ldap_search with concatenation
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$ldap = ldap_connect('ldaps://ldap.acme.io');
ldap_bind($ldap, 'cn=reader,dc=acme,dc=io', getenv('LDAP_PASSWORD'));
$result = ldap_search($ldap, 'ou=people,dc=acme,dc=io', '(uid=' . $_GET['uid'] . ')');
echo ldap_count_entries($ldap, $result);

// === vulnerable: interpolated filter
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$user = $_POST['user'];
$ldap = ldap_connect('ldaps://ldap.acme.io');
$filter = "(&(objectClass=person)(|(uid=$user)(mail=$user)))";
$found = ldap_get_entries($ldap, ldap_search($ldap, 'dc=acme,dc=io', $filter));
echo (int) $found['count'];

// === vulnerable: bind name from the request
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$ldap = ldap_connect('ldaps://ldap.acme.io');
$dn = sprintf('uid=%s,ou=people,dc=acme,dc=io', $_POST['user']);
if (!ldap_bind($ldap, $dn, $_POST['password'])) {
    http_response_code(401);
}

// === vulnerable: ldap_list in a class
<?php

class Directory2
{
    public function __construct(private LDAP\Connection $ldap) {}

    private function filter(string $group): string
    {
        return '(cn=' . $group . '*)';
    }

    public function groups(): int
    {
        $r = ldap_list($this->ldap, 'ou=groups,dc=acme,dc=io', $this->filter($_GET['group']));
        return ldap_count_entries($this->ldap, $r);
    }
}

// === vulnerable: Symfony Ldap query
<?php

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Ldap\Ldap;

$request = Request::createFromGlobals();
$ldap = Ldap::create('ext_ldap', ['host' => 'ldap.acme.io', 'encryption' => 'ssl']);
$query = $ldap->query('dc=acme,dc=io', '(mail=' . $request->query->get('mail') . ')');
echo count($query->execute());

function euros(int $cents): string
{
    return number_format($cents / 100, 2, ',', '.') . ' EUR';
}

// === safe: ldap_escape for the filter
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$ldap = ldap_connect('ldaps://ldap.acme.io');
$uid = ldap_escape($_GET['uid'] ?? '', '', LDAP_ESCAPE_FILTER);
$result = ldap_search($ldap, 'ou=people,dc=acme,dc=io', '(uid=' . $uid . ')');
echo ldap_count_entries($ldap, $result);

// === safe: ldap_escape for the DN
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

$ldap = ldap_connect('ldaps://ldap.acme.io');
$dn = sprintf('uid=%s,ou=people,dc=acme,dc=io', ldap_escape($_POST['user'], '', LDAP_ESCAPE_DN));
if (!ldap_bind($ldap, $dn, $_POST['password'])) {
    http_response_code(401);
}

// === safe: constant filter
<?php

require_once __DIR__ . '/bootstrap.php';

if ($_SERVER['REQUEST_METHOD'] !== 'GET') {
    http_response_code(405);
    exit;
}

$ldap = ldap_connect('ldaps://ldap.acme.io');
$result = ldap_search($ldap, 'ou=people,dc=acme,dc=io', '(objectClass=person)', ['cn']);
$page = (int) ($_GET['page'] ?? 1);
echo $page, '/', ldap_count_entries($ldap, $result);

// === safe: checked by a pattern
<?php

$uid = $_GET['uid'] ?? '';
if (!preg_match('/\A[a-z][a-z0-9]{1,30}\z/', $uid)) {
    http_response_code(400);
    exit;
}
$ldap = ldap_connect('ldaps://ldap.acme.io');
ldap_search($ldap, 'ou=people,dc=acme,dc=io', "(uid=$uid)");

// === safe: Symfony Ldap escape
<?php

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Ldap\Ldap;
use Symfony\Component\Ldap\LdapInterface;

$request = Request::createFromGlobals();
$ldap = Ldap::create('ext_ldap', ['host' => 'ldap.acme.io', 'encryption' => 'ssl']);
$mail = $ldap->escape($request->query->get('mail'), '', LdapInterface::ESCAPE_FILTER);
echo count($ldap->query('dc=acme,dc=io', "(mail=$mail)")->execute());
