// === vulnerable: Append without options
using System;
using Microsoft.AspNetCore.Mvc;

public class LoginController : Controller
{
    [HttpPost("/login")]
    public IActionResult Login()
    {
        Response.Cookies.Append("session_token", Guid.NewGuid().ToString());
        return NoContent();
    }
}

// === vulnerable: options false
using System;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class TokenController : Controller
{
    [HttpPost("/token")]
    public IActionResult Token()
    {
        Response.Cookies.Append("auth_token", Guid.NewGuid().ToString(), new CookieOptions
        {
            HttpOnly = false,
            Secure = false,
            Expires = DateTimeOffset.UtcNow.AddDays(7),
        });
        return NoContent();
    }
}

// === vulnerable: cookie authentication
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

public static class AuthSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddAuthentication(CookieAuthenticationDefaults.AuthenticationScheme)
            .AddCookie(options =>
            {
                options.Cookie.HttpOnly = false;
                options.Cookie.SecurePolicy = CookieSecurePolicy.None;
            });
    }
}

// === vulnerable: session options
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

public static class SessionSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddSession(o =>
        {
            o.Cookie.Name = ".portal.session";
            o.Cookie.HttpOnly = false;
            o.Cookie.SecurePolicy = CookieSecurePolicy.None;
        });
    }
}

// === vulnerable: options object built in a helper
using System;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class RememberController : Controller
{
    private static CookieOptions Options()
    {
        var options = new CookieOptions();
        options.Expires = DateTimeOffset.UtcNow.AddDays(30);
        options.Secure = false;
        options.HttpOnly = false;
        return options;
    }

    [HttpPost("/remember")]
    public IActionResult Remember()
    {
        Response.Cookies.Append("remember_token", Guid.NewGuid().ToString("N"), Options());
        return NoContent();
    }
}

// === safe: options true
using System;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class LoginController : Controller
{
    [HttpPost("/login")]
    public IActionResult Login()
    {
        Response.Cookies.Append("session_token", Guid.NewGuid().ToString(), new CookieOptions
        {
            HttpOnly = true,
            Secure = true,
            SameSite = SameSiteMode.Lax,
        });
        return NoContent();
    }
}

// === safe: cookie authentication always secure
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

public static class AuthSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddAuthentication(CookieAuthenticationDefaults.AuthenticationScheme)
            .AddCookie(options =>
            {
                options.Cookie.HttpOnly = true;
                options.Cookie.SecurePolicy = CookieSecurePolicy.Always;
                options.Cookie.SameSite = SameSiteMode.Strict;
            });
    }
}

// === safe: session options
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

public static class SessionSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddSession(o =>
        {
            o.Cookie.HttpOnly = true;
            o.Cookie.SecurePolicy = CookieSecurePolicy.Always;
        });
    }
}

// === safe: reading a cookie
using Microsoft.AspNetCore.Mvc;

public class ThemeController : Controller
{
    [HttpGet("/theme")]
    public IActionResult Theme()
    {
        var theme = Request.Cookies["theme"] ?? "light";
        return Ok(theme == "dark" ? "dark" : "light");
    }
}

// === safe: Append of a string builder
using System.Text;
using Microsoft.AspNetCore.Mvc;

public class MenuController : Controller
{
    [HttpGet("/menu")]
    public IActionResult Menu()
    {
        var Cookies = new StringBuilder();
        Cookies.Append("oat, ");
        Cookies.Append("ginger");
        return Ok(Cookies.ToString());
    }
}

// === vulnerable: a cookie to stay signed in
using System;
using Microsoft.AspNetCore.Http;

public static class Remember
{
    public static void SignIn(HttpResponse response, string token)
    {
        var options = new CookieOptions { Expires = DateTimeOffset.UtcNow.AddDays(30), HttpOnly = false, Secure = false };
        response.Cookies.Append("remember_token", token, options);
    }
}

// === safe: a cookie to stay signed in, guarded
using System;
using Microsoft.AspNetCore.Http;

public static class Remember
{
    public static void SignIn(HttpResponse response, string token)
    {
        response.Cookies.Append("remember_token", token, new CookieOptions
        {
            Expires = DateTimeOffset.UtcNow.AddDays(30),
            HttpOnly = true,
            Secure = true,
            SameSite = SameSiteMode.Strict,
        });
    }
}
