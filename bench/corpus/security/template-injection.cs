// === vulnerable: RazorEngine with a form value
using Microsoft.AspNetCore.Mvc;
using RazorEngine.Templating;
using RazorEngine;

public class LetterController : Controller
{
    [HttpPost("/letter")]
    public IActionResult Letter([FromForm] string template)
    {
        var text = Engine.Razor.RunCompile(template, "letter", null, new { Name = "Ana" });
        return Content(text);
    }
}

// === vulnerable: RazorLight CompileRenderStringAsync
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using RazorLight;

public class MailController : Controller
{
    private readonly RazorLightEngine _engine = new RazorLightEngineBuilder().UseMemoryCachingProvider().Build();

    [HttpPost("/mail/preview")]
    public async Task<IActionResult> Preview([FromForm] string body)
    {
        var source = "Hello @Model.Name, " + body;
        return Content(await _engine.CompileRenderStringAsync("mail", source, new { Name = "Ana" }));
    }
}

// === vulnerable: Scriban parse of a body
using Microsoft.AspNetCore.Mvc;
using Scriban;

[ApiController]
public class RenderController : ControllerBase
{
    public record RenderRequest(string Source);

    [HttpPost("/render")]
    public string Render([FromBody] RenderRequest request)
    {
        var template = Template.Parse(request.Source);
        return template.Render(new { shop = "Acme" });
    }
}

// === vulnerable: DotLiquid with interpolation
using DotLiquid;
using Microsoft.AspNetCore.Mvc;

public class BannerController : Controller
{
    private static string Source(string text) => $"<p>{text}</p><footer>{{{{ company }}}}</footer>";

    [HttpGet("/banner")]
    public IActionResult Banner([FromQuery] string text)
    {
        var template = Template.Parse(Source(text));
        return Content(template.Render(), "text/html");
    }
}

// === vulnerable: Handlebars compile of a query value
using Dapper;
using HandlebarsDotNet;
using Microsoft.AspNetCore.Mvc;

public class CardController : Controller
{
    [HttpGet("/card")]
    public IActionResult Card()
    {
        string layout = Request.Query["layout"];
        var render = Handlebars.Compile(layout);
        return Content(render(new { title = "Card" }), "text/html");
    }
}

// === safe: RazorEngine with a constant template
using Microsoft.AspNetCore.Mvc;
using RazorEngine.Templating;
using RazorEngine;

public class LetterController : Controller
{
    private const string Letter = "Dear @Model.Name, thank you.";

    [HttpPost("/letter")]
    public IActionResult Create([FromForm] string name)
    {
        var text = Engine.Razor.RunCompile(Letter, "letter", null, new { Name = name });
        return Content(text);
    }
}

// === safe: RazorLight file template
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using RazorLight;

public class MailController : Controller
{
    private readonly RazorLightEngine _engine = new RazorLightEngineBuilder().UseFileSystemProject("/srv/mails").Build();

    [HttpPost("/mail/preview")]
    public async Task<IActionResult> Preview([FromForm] string body)
    {
        return Content(await _engine.CompileRenderAsync("welcome.cshtml", new { Body = body }));
    }
}

// === safe: Scriban with own file
using Microsoft.AspNetCore.Mvc;
using Scriban;

public class RenderController : Controller
{
    private static readonly Template Page = Template.Parse(System.IO.File.ReadAllText("templates/page.sbn"));

    [HttpGet("/render")]
    public string Render([FromQuery] string title) => Page.Render(new { title });
}

// === safe: Handlebars constant with data
using HandlebarsDotNet;
using Microsoft.AspNetCore.Mvc;

public class CardController : Controller
{
    [HttpGet("/card")]
    public IActionResult Card([FromQuery] string title)
    {
        var render = Handlebars.Compile("<h1>{{title}}</h1>");
        return Content(render(new { title }), "text/html");
    }
}

// === safe: view with a model
using Microsoft.AspNetCore.Mvc;

public class PageController : Controller
{
    [HttpGet("/page")]
    public IActionResult Page([FromQuery] string text)
    {
        return View("Page", new { Text = text });
    }
}
