// === vulnerable: SetIsOriginAllowed always true
using Microsoft.Extensions.DependencyInjection;

public static class CorsSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddCors(o => o.AddPolicy("open", p => p
            .SetIsOriginAllowed(_ => true)
            .AllowAnyHeader()
            .AllowAnyMethod()
            .AllowCredentials()));
    }
}

// === vulnerable: reflected origin in middleware
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class CorsMiddleware
{
    private readonly RequestDelegate _next;

    public CorsMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        var origin = context.Request.Headers["Origin"].ToString();
        context.Response.Headers["Access-Control-Allow-Origin"] = origin;
        context.Response.Headers["Access-Control-Allow-Credentials"] = "true";
        await _next(context);
    }
}

// === vulnerable: UseCors in Program
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllers();
var app = builder.Build();

app.UseCors(policy => policy.SetIsOriginAllowed(origin => true).AllowAnyMethod().AllowCredentials());
app.MapControllers();
app.Run();

// === vulnerable: null origin
using Microsoft.AspNetCore.Mvc;

public class AccountController : Controller
{
    [HttpGet("/account")]
    public IActionResult Account()
    {
        Response.Headers.Append("Access-Control-Allow-Origin", "null");
        Response.Headers.Append("Access-Control-Allow-Credentials", "true");
        return Json(new { iban = "DE02" });
    }
}

// === vulnerable: controller copies the header
using Microsoft.AspNetCore.Mvc;

public class ProfileController : Controller
{
    [HttpGet("/profile")]
    public IActionResult Profile([FromHeader(Name = "Origin")] string origin)
    {
        Response.Headers["Access-Control-Allow-Origin"] = origin;
        Response.Headers["Access-Control-Allow-Credentials"] = "true";
        return Json(new { name = "Ana" });
    }
}

// === safe: WithOrigins
using Microsoft.Extensions.DependencyInjection;

public static class CorsSetup
{
    public static void Add(IServiceCollection services)
    {
        services.AddCors(o => o.AddPolicy("app", p => p
            .WithOrigins("https://app.acme.io")
            .AllowAnyHeader()
            .AllowCredentials()));
    }
}

// === safe: origin compared
using Microsoft.Extensions.DependencyInjection;

public static class CorsCheck
{
    public static void Add(IServiceCollection services)
    {
        services.AddCors(o => o.AddDefaultPolicy(p => p
            .SetIsOriginAllowed(origin => origin == "https://app.acme.io")
            .AllowCredentials()));
    }
}

// === safe: allow-list in middleware
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class CorsMiddleware
{
    private static readonly HashSet<string> Allowed = new() { "https://app.acme.io", "https://admin.acme.io" };
    private readonly RequestDelegate _next;

    public CorsMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        var origin = context.Request.Headers["Origin"].ToString();
        if (Allowed.Contains(origin))
        {
            context.Response.Headers["Access-Control-Allow-Origin"] = origin;
            context.Response.Headers["Access-Control-Allow-Credentials"] = "true";
            context.Response.Headers["Vary"] = "Origin";
        }
        await _next(context);
    }
}

// === safe: origins from configuration
using System;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
var origins = builder.Configuration.GetSection("Cors:Origins").Get<string[]>() ?? Array.Empty<string>();
builder.Services.AddCors(o => o.AddDefaultPolicy(p => p.WithOrigins(origins).AllowCredentials()));
var app = builder.Build();

app.UseCors();
app.MapGet("/", () => "ok");
app.Run();

// === safe: two origins without credentials
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllers();
var app = builder.Build();

app.UseCors(policy => policy.WithOrigins("https://app.acme.io", "https://shop.acme.io").WithMethods("GET"));
app.MapControllers();
app.Run();
