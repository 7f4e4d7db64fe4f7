// === vulnerable: Redirect with returnUrl
using Microsoft.AspNetCore.Mvc;

public class AccountController : Controller
{
    [HttpPost("/login")]
    public IActionResult Login(string user, string returnUrl)
    {
        return Redirect(returnUrl);
    }
}

// === vulnerable: RedirectPermanent with a default
using Dapper;
using Microsoft.AspNetCore.Mvc;

public class OutController : Controller
{
    [HttpGet("/out")]
    public IActionResult Out()
    {
        string to = Request.Query["to"];
        return RedirectPermanent(string.IsNullOrEmpty(to) ? "/" : to);
    }
}

// === vulnerable: Response.Redirect
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Http;

public class JumpMiddleware
{
    private readonly RequestDelegate _next;

    public JumpMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        if (context.Request.Path == "/jump")
        {
            context.Response.Redirect(context.Request.Query["target"]);
            return;
        }
        await _next(context);
    }
}

// === vulnerable: minimal API
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.Create(args);

app.MapGet("/continue", (string url) => Results.Redirect(url));
app.MapGet("/", () => "home");

app.Run();

// === vulnerable: host interpolated in a RedirectResult
using Microsoft.AspNetCore.Mvc;

public class CountryController : Controller
{
    private static string Target(string site) => $"https://{site}/welcome";

    [HttpGet("/country")]
    public IActionResult Country([FromQuery] string site)
    {
        return new RedirectResult(Target(site));
    }
}

// === vulnerable: Razor page
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.AspNetCore.Mvc;

public class LoginModel : PageModel
{
    [BindProperty]
    public string ReturnUrl { get; set; } = "/";

    public IActionResult OnPost()
    {
        return Redirect(ReturnUrl);
    }
}

// === safe: LocalRedirect
using Microsoft.AspNetCore.Mvc;

public class AccountController : Controller
{
    [HttpPost("/login")]
    public IActionResult Login(string user, string returnUrl)
    {
        return LocalRedirect(returnUrl);
    }
}

// === safe: Url.IsLocalUrl
using Microsoft.AspNetCore.Mvc;

public class OutController : Controller
{
    [HttpGet("/out")]
    public IActionResult Out(string to)
    {
        if (Url.IsLocalUrl(to))
        {
            return Redirect(to);
        }
        return RedirectToAction("Index", "Home");
    }
}

// === safe: target by key
using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;

public class PartnerController : Controller
{
    private static readonly Dictionary<string, string> Targets = new() { ["docs"] = "https://docs.acme.io" };

    [HttpGet("/partner")]
    public IActionResult Go(string key)
    {
        return Targets.TryGetValue(key, out var url) ? Redirect(url) : NotFound();
    }
}

// === safe: RedirectToAction with a value
using Microsoft.AspNetCore.Mvc;

public class ItemsController : Controller
{
    [HttpPost("/items")]
    public IActionResult Create([FromForm] int id)
    {
        return RedirectToAction("Show", new { id });
    }
}

// === safe: host compared
using System;
using Microsoft.AspNetCore.Mvc;

public class ContinueController : Controller
{
    [HttpGet("/continue")]
    public IActionResult Go(string url)
    {
        if (Uri.TryCreate(url, UriKind.Absolute, out var uri) && uri.Scheme == "https" && uri.Host == "www.acme.io")
        {
            return Redirect(uri.ToString());
        }
        return Redirect("/");
    }
}

// === vulnerable: out of a session, and on
using System.Threading.Tasks;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Mvc;

public class SessionController : Controller
{
    [HttpGet("/logout")]
    public async Task<IActionResult> Logout([FromQuery(Name = "goto")] string target)
    {
        await HttpContext.SignOutAsync();
        if (string.IsNullOrEmpty(target))
        {
            target = "/";
        }
        return Redirect(target);
    }
}

// === safe: out of a session, to a page of our own
using System.Threading.Tasks;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Mvc;

public class SessionController : Controller
{
    [HttpGet("/logout")]
    public async Task<IActionResult> Logout(string target)
    {
        await HttpContext.SignOutAsync();
        return Url.IsLocalUrl(target) ? Redirect(target) : RedirectToAction("Index", "Home");
    }
}
