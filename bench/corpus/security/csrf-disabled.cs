// === vulnerable: IgnoreAntiforgeryToken on a controller
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

[Authorize]
[IgnoreAntiforgeryToken]
public class TransferController : Controller
{
    [HttpPost("/transfer")]
    public IActionResult Create([FromForm] string iban, [FromForm] decimal amount)
    {
        return RedirectToAction("Done", new { iban, amount });
    }
}

// === vulnerable: Razor page
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.AspNetCore.Mvc;

[IgnoreAntiforgeryToken(Order = 1001)]
public class PasswordModel : PageModel
{
    [BindProperty]
    public string Password { get; set; } = "";

    public IActionResult OnPost() => RedirectToPage("/Account", new { changed = Password.Length > 0 });
}

// === vulnerable: global filter
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllersWithViews(options =>
{
    options.Filters.Add(new IgnoreAntiforgeryTokenAttribute());
});
var app = builder.Build();
app.MapDefaultControllerRoute();
app.Run();

// === vulnerable: minimal API form without antiforgery
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAntiforgery();
var app = builder.Build();
app.UseAntiforgery();

app.MapPost("/email", ([FromForm] string email) => Results.Ok(email))
    .RequireAuthorization()
    .DisableAntiforgery();

app.Run();

// === vulnerable: Razor pages convention
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRazorPages(options =>
{
    options.Conventions.ConfigureFilter(new IgnoreAntiforgeryTokenAttribute());
});
var app = builder.Build();
app.MapRazorPages();
app.Run();

// === safe: ValidateAntiForgeryToken
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

[Authorize]
public class TransferController : Controller
{
    [HttpPost("/transfer")]
    [ValidateAntiForgeryToken]
    public IActionResult Create([FromForm] string iban, [FromForm] decimal amount)
    {
        return RedirectToAction("Done", new { iban, amount });
    }
}

// === safe: global AutoValidate
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllersWithViews(options =>
{
    options.Filters.Add(new AutoValidateAntiforgeryTokenAttribute());
});
var app = builder.Build();
app.MapDefaultControllerRoute();
app.Run();

// === safe: Razor page default
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.AspNetCore.Mvc;

[Authorize]
public class PasswordModel : PageModel
{
    [BindProperty]
    public string Password { get; set; } = "";

    public IActionResult OnPost() => RedirectToPage("/Account", new { changed = Password.Length > 0 });
}

// === safe: AutoValidate on a controller
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

[Authorize]
[AutoValidateAntiforgeryToken]
public class EmailController : Controller
{
    [HttpPost("/email")]
    public IActionResult Update([FromForm] string email)
    {
        return RedirectToAction("Index", new { email });
    }
}

// === safe: minimal API with antiforgery
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAntiforgery(o => o.HeaderName = "X-XSRF-TOKEN");
var app = builder.Build();
app.UseAntiforgery();

app.MapPost("/email", ([FromForm] string email) => Results.Ok(email)).RequireAuthorization();

app.Run();
