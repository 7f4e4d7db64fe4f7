// === vulnerable: Content with text/html
using Microsoft.AspNetCore.Mvc;

public class HelloController : Controller
{
    [HttpGet("/hello")]
    public IActionResult Hello(string name)
    {
        return Content("<h1>Hello " + name + "</h1>", "text/html");
    }
}

// === vulnerable: Response.WriteAsync
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class SearchController : Controller
{
    [HttpGet("/search")]
    public async Task Search()
    {
        string q = Request.Query["q"];
        Response.ContentType = "text/html; charset=utf-8";
        await Response.WriteAsync($"<p>No results for <b>{q}</b></p>");
    }
}

// === vulnerable: HtmlString
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Http;

public class CommentHelper
{
    private readonly HttpContext _http;

    public CommentHelper(HttpContext http) => _http = http;

    public IHtmlContent Preview()
    {
        string body = _http.Request.Form["comment"];
        return new HtmlString("<div class=\"preview\">" + body + "</div>");
    }
}

// === vulnerable: ContentResult through a helper
using Microsoft.AspNetCore.Mvc;

public class PreviewController : Controller
{
    private static string Wrap(string inner) => string.Format("<article>{0}</article>", inner);

    [HttpPost("/preview")]
    public ContentResult Preview([FromForm] string body)
    {
        return new ContentResult { ContentType = "text/html", Content = Wrap(body) };
    }
}

// === vulnerable: minimal API Results.Content
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/greet/{user}", (string user) =>
    Results.Content($"<p>Welcome back, {user}</p>", "text/html"));

app.Run();

// === vulnerable: middleware writes a cookie
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class ThemeMiddleware
{
    private readonly RequestDelegate _next;

    public ThemeMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        var theme = context.Request.Cookies["theme"];
        context.Response.ContentType = "text/html";
        await context.Response.WriteAsync("<body class='" + theme + "'>");
        await _next(context);
    }
}

// === safe: HtmlEncoder
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Mvc;

public class HelloController : Controller
{
    [HttpGet("/hello")]
    public IActionResult Hello(string name)
    {
        return Content("<h1>Hello " + HtmlEncoder.Default.Encode(name) + "</h1>", "text/html");
    }
}

// === safe: WebUtility.HtmlEncode
using System.Net;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class SearchController : Controller
{
    [HttpGet("/search")]
    public async Task Search()
    {
        var q = WebUtility.HtmlEncode(Request.Query["q"]);
        Response.ContentType = "text/html";
        await Response.WriteAsync($"<p>No results for <b>{q}</b></p>");
    }
}

// === safe: view with a model
using Microsoft.AspNetCore.Mvc;

public class ProfileController : Controller
{
    [HttpGet("/profile")]
    public IActionResult Profile(string name)
    {
        ViewData["Name"] = name;
        return View("Profile", name);
    }
}

// === safe: plain text and JSON
using Microsoft.AspNetCore.Mvc;

public class EchoController : Controller
{
    [HttpGet("/echo")]
    public IActionResult Echo(string msg) => Content("echo " + msg, "text/plain");

    [HttpGet("/echo.json")]
    public IActionResult EchoJson(string msg) => Json(new { msg });
}

// === safe: sanitised html
using Ganss.Xss;
using Microsoft.AspNetCore.Mvc;

public class CommentController : Controller
{
    private readonly HtmlSanitizer _sanitizer = new();

    [HttpPost("/comment")]
    public IActionResult Preview([FromForm] string comment)
    {
        var clean = _sanitizer.Sanitize(comment);
        return Content("<div>" + clean + "</div>", "text/html");
    }
}

// === safe: number
using Microsoft.AspNetCore.Mvc;

public class PageController : Controller
{
    [HttpGet("/page")]
    public IActionResult Page(int number)
    {
        return Content($"<p>Page {number}</p>", "text/html");
    }
}

// === vulnerable: a page of its own for what was not found
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class NotFoundMiddleware
{
    private readonly RequestDelegate _next;

    public NotFoundMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        await _next(context);
        if (context.Response.StatusCode == 404)
        {
            var asked = context.Request.Query["page"].ToString();
            context.Response.ContentType = "text/html";
            await context.Response.WriteAsync($"<html><body>There is no page called {asked}.</body></html>");
        }
    }
}

// === safe: what was asked for is encoded
using System.Net;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class NotFoundMiddleware
{
    private readonly RequestDelegate _next;

    public NotFoundMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        await _next(context);
        if (context.Response.StatusCode == 404)
        {
            var asked = WebUtility.HtmlEncode(context.Request.Query["page"].ToString());
            context.Response.ContentType = "text/html";
            await context.Response.WriteAsync($"<html><body>There is no page called {asked}.</body></html>");
        }
    }
}
