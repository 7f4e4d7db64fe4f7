// === vulnerable: developer exception page always
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllersWithViews();
var app = builder.Build();

app.UseDeveloperExceptionPage();
app.MapDefaultControllerRoute();
app.Run();

// === vulnerable: developer page in production
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Hosting;

public class Startup
{
    public void Configure(IApplicationBuilder app, IWebHostEnvironment env)
    {
        if (env.IsProduction())
        {
            app.UseDeveloperExceptionPage();
        }
        app.UseRouting();
        app.UseEndpoints(e => e.MapControllers());
    }
}

// === vulnerable: exception text returned
using System;
using Microsoft.AspNetCore.Mvc;

public class OrderController : Controller
{
    [HttpGet("/orders/{id}")]
    public IActionResult Show(string id)
    {
        try
        {
            return Ok(int.Parse(id));
        }
        catch (Exception e)
        {
            return StatusCode(500, e.ToString());
        }
    }
}

// === vulnerable: stack trace in an exception handler
using System.Threading.Tasks;
using System;
using Microsoft.AspNetCore.Http;

public class ErrorMiddleware
{
    private readonly RequestDelegate _next;

    public ErrorMiddleware(RequestDelegate next) => _next = next;

    public async Task InvokeAsync(HttpContext context)
    {
        try
        {
            await _next(context);
        }
        catch (Exception ex)
        {
            context.Response.StatusCode = 500;
            await context.Response.WriteAsync(ex.Message + "\n" + ex.StackTrace);
        }
    }
}

// === vulnerable: detailed errors of the web host
using Microsoft.AspNetCore.Builder;

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseSetting("detailedErrors", "true");
builder.WebHost.CaptureStartupErrors(true);
builder.Services.AddServerSideBlazor(o => o.DetailedErrors = true);
var app = builder.Build();
app.MapBlazorHub();
app.Run();

// === safe: only in development
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Hosting;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

if (app.Environment.IsDevelopment())
{
    app.UseDeveloperExceptionPage();
}
else
{
    app.UseExceptionHandler("/error");
    app.UseHsts();
}
app.Run();

// === safe: Startup class
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Hosting;

public class Startup
{
    public void Configure(IApplicationBuilder app, IWebHostEnvironment env)
    {
        if (env.IsDevelopment())
        {
            app.UseDeveloperExceptionPage();
        }
        app.UseRouting();
    }
}

// === safe: exception logged
using System;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Logging;

public class OrderController : Controller
{
    private readonly ILogger<OrderController> _log;

    public OrderController(ILogger<OrderController> log) => _log = log;

    [HttpGet("/orders/{id}")]
    public IActionResult Show(string id)
    {
        try
        {
            return Ok(int.Parse(id));
        }
        catch (Exception e)
        {
            _log.LogError(e, "order failed");
            return StatusCode(500, "internal error");
        }
    }
}

// === safe: exception handler
using Microsoft.AspNetCore.Builder;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddProblemDetails();
var app = builder.Build();

app.UseExceptionHandler();
app.MapGet("/", () => "ok");
app.Run();

// === safe: detailed errors off
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Hosting;

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseSetting("detailedErrors", "false");
builder.Services.AddServerSideBlazor(o => o.DetailedErrors = builder.Environment.IsDevelopment());
var app = builder.Build();
app.MapBlazorHub();
app.Run();
