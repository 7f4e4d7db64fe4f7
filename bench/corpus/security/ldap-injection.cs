// === vulnerable: DirectorySearcher filter with concatenation
using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

public class PeopleController : Controller
{
    [HttpGet("/people")]
    public IActionResult Find(string uid)
    {
        using var entry = new DirectoryEntry("LDAP://ldap.acme.io/ou=people,dc=acme,dc=io");
        using var searcher = new DirectorySearcher(entry);
        searcher.Filter = "(uid=" + uid + ")";
        return Ok(searcher.FindOne()?.Path);
    }
}

// === vulnerable: interpolated filter in the constructor
using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

public class MailController : Controller
{
    [HttpGet("/mail")]
    public IActionResult Find([FromQuery] string mail)
    {
        using var entry = new DirectoryEntry("LDAP://dc=acme,dc=io");
        using var searcher = new DirectorySearcher(entry, $"(&(objectClass=user)(mail={mail}))");
        return Ok(searcher.FindAll().Count);
    }
}

// === vulnerable: SearchRequest with string.Format
using System.DirectoryServices.Protocols;
using Dapper;
using Microsoft.AspNetCore.Mvc;

public class GroupController : Controller
{
    private readonly LdapConnection _ldap;

    public GroupController(LdapConnection ldap) => _ldap = ldap;

    [HttpGet("/groups")]
    public IActionResult Groups()
    {
        string member = Request.Query["member"];
        var filter = string.Format("(member={0})", member);
        var request = new SearchRequest("ou=groups,dc=acme,dc=io", filter, SearchScope.Subtree, "cn");
        var response = (SearchResponse)_ldap.SendRequest(request);
        return Ok(response.Entries.Count);
    }
}

// === vulnerable: path with the user's unit
using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

public class UnitController : Controller
{
    [HttpGet("/units/{unit}")]
    public IActionResult Unit(string unit)
    {
        using var entry = new DirectoryEntry("LDAP://ldap.acme.io/ou=" + unit + ",dc=acme,dc=io");
        return Ok(entry.Name);
    }
}

// === vulnerable: filter built by a helper
using System.DirectoryServices;
using System.Text;
using Microsoft.AspNetCore.Mvc;

public class LoginController : Controller
{
    private static string Filter(string user)
    {
        var sb = new StringBuilder("(&(objectCategory=person)(sAMAccountName=");
        sb.Append(user).Append("))");
        return sb.ToString();
    }

    [HttpPost("/login")]
    public IActionResult Login([FromForm] string user)
    {
        using var searcher = new DirectorySearcher { Filter = Filter(user) };
        return searcher.FindOne() is null ? Unauthorized() : Ok();
    }
}

// === safe: value checked by a pattern
using System.DirectoryServices;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

public class PeopleController : Controller
{
    [HttpGet("/people")]
    public IActionResult Find(string uid)
    {
        if (!Regex.IsMatch(uid, @"\A[a-z][a-z0-9]{1,30}\z")) return BadRequest();
        using var searcher = new DirectorySearcher { Filter = "(uid=" + uid + ")" };
        return Ok(searcher.FindOne()?.Path);
    }
}

// === safe: LDAP encoder
using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Security.Application;

public class MailController : Controller
{
    [HttpGet("/mail")]
    public IActionResult Find([FromQuery] string mail)
    {
        var safe = Encoder.LdapFilterEncode(mail);
        using var searcher = new DirectorySearcher($"(&(objectClass=user)(mail={safe}))");
        return Ok(searcher.FindAll().Count);
    }
}

// === safe: constant filter
using System.DirectoryServices.Protocols;
using Microsoft.AspNetCore.Mvc;

public class GroupController : Controller
{
    private readonly LdapConnection _ldap;

    public GroupController(LdapConnection ldap) => _ldap = ldap;

    [HttpGet("/groups")]
    public IActionResult Groups([FromQuery] int page)
    {
        var request = new SearchRequest("ou=groups,dc=acme,dc=io", "(objectClass=group)", SearchScope.Subtree, "cn");
        var response = (SearchResponse)_ldap.SendRequest(request);
        return Ok(new { page, response.Entries.Count });
    }
}

// === safe: own escaping function
using System.DirectoryServices;
using System.Text;
using Microsoft.AspNetCore.Mvc;

public class LoginController : Controller
{
    private static string Escape(string value)
    {
        var sb = new StringBuilder();
        foreach (var c in value)
        {
            sb.Append(char.IsLetterOrDigit(c) ? c.ToString() : "\\" + ((int)c).ToString("x2"));
        }
        return sb.ToString();
    }

    [HttpPost("/login")]
    public IActionResult Login([FromForm] string user)
    {
        using var searcher = new DirectorySearcher("(sAMAccountName=" + Escape(user) + ")");
        return searcher.FindOne() is null ? Unauthorized() : Ok();
    }
}

// === safe: integer in the filter
using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

public class EmployeeController : Controller
{
    [HttpGet("/employees/{number:int}")]
    public IActionResult Employee(int number)
    {
        using var searcher = new DirectorySearcher($"(employeeNumber={number})");
        return Ok(searcher.FindOne()?.Path);
    }
}
