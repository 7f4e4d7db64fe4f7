// === vulnerable: Path.Combine with a query value
using System.IO;
using Microsoft.AspNetCore.Mvc;

public class DownloadController : Controller
{
    [HttpGet("/download")]
    public IActionResult Download(string name)
    {
        var path = Path.Combine("/srv/files", name);
        return PhysicalFile(path, "application/octet-stream");
    }
}

// === vulnerable: File.ReadAllText with interpolation
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class DocsController : ControllerBase
{
    [HttpGet("/docs")]
    public string Get([FromQuery] string path)
    {
        return System.IO.File.ReadAllText($"/data/docs/{path}");
    }
}

// === vulnerable: upload saved under its file name
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class UploadController : Controller
{
    [HttpPost("/upload")]
    public async Task<IActionResult> Upload(IFormFile file)
    {
        var target = Path.Combine("uploads", file.FileName);
        using var stream = new FileStream(target, FileMode.Create);
        await file.CopyToAsync(stream);
        return Ok();
    }
}

// === vulnerable: delete through a helper
using Microsoft.AspNetCore.Mvc;

public class AttachmentController : Controller
{
    private readonly string _root = "/data/attachments/";

    private string Locate(string name) => _root + name;

    [HttpDelete("/attachments")]
    public IActionResult Remove([FromQuery] string name)
    {
        System.IO.File.Delete(Locate(name));
        return NoContent();
    }
}

// === vulnerable: StreamReader with a cookie
using System.IO;
using Microsoft.AspNetCore.Mvc;

public class LangController : Controller
{
    [HttpGet("/messages")]
    public IActionResult Messages()
    {
        var lang = Request.Cookies["lang"];
        using var reader = new StreamReader("lang/" + lang + "/messages.json");
        return Content(reader.ReadToEnd(), "application/json");
    }
}

// === vulnerable: minimal API Results.File
using System.IO;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.Create(args);

app.MapGet("/reports", (string year, string file) =>
{
    var location = string.Format("/srv/reports/{0}/{1}", year, file);
    return Results.File(File.OpenRead(location), "application/pdf");
});

app.Run();

// === safe: Path.GetFileName
using System.IO;
using Microsoft.AspNetCore.Mvc;

public class DownloadController : Controller
{
    [HttpGet("/download")]
    public IActionResult Download(string name)
    {
        var path = Path.Combine("/srv/files", Path.GetFileName(name));
        return PhysicalFile(path, "application/octet-stream");
    }
}

// === safe: full path and prefix check
using System.IO;
using System;
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class DocsController : ControllerBase
{
    private static readonly string Root = Path.GetFullPath("/data/docs") + Path.DirectorySeparatorChar;

    [HttpGet("/docs")]
    public IActionResult Get([FromQuery] string path)
    {
        var full = Path.GetFullPath(Path.Combine(Root, path));
        if (!full.StartsWith(Root, StringComparison.Ordinal)) return Forbid();
        return Ok(System.IO.File.ReadAllText(full));
    }
}

// === safe: generated upload name
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class UploadController : Controller
{
    [HttpPost("/upload")]
    public async Task<IActionResult> Upload(IFormFile file)
    {
        var target = Path.Combine("uploads", Path.GetRandomFileName());
        using var stream = new FileStream(target, FileMode.CreateNew);
        await file.CopyToAsync(stream);
        return Ok();
    }
}

// === safe: integer id
using Microsoft.AspNetCore.Mvc;

public class InvoiceController : Controller
{
    [HttpGet("/invoices/{id:int}")]
    public IActionResult Invoice(int id)
    {
        return PhysicalFile($"/srv/invoices/{id}.pdf", "application/pdf");
    }
}

// === safe: allow-list
using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;

public class LangController : Controller
{
    private static readonly HashSet<string> Langs = new() { "en", "de", "fr" };

    [HttpGet("/messages")]
    public IActionResult Messages(string lang)
    {
        if (!Langs.Contains(lang)) return NotFound();
        return Content(System.IO.File.ReadAllText("lang/" + lang + "/messages.json"), "application/json");
    }
}

// === safe: Guid route value
using System.IO;
using System;
using Microsoft.AspNetCore.Mvc;

public class AvatarController : Controller
{
    [HttpGet("/avatars/{id:guid}")]
    public IActionResult Avatar(Guid id) => PhysicalFile(Path.Combine("/srv/avatars", id.ToString("N") + ".png"), "image/png");
}

// === vulnerable: a report of a given name, if it exists
using System.IO;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc;

[Route("reports")]
public class ReportsController : Controller
{
    private readonly IWebHostEnvironment _environment;

    public ReportsController(IWebHostEnvironment environment) => _environment = environment;

    [HttpGet("{name}")]
    public IActionResult Report(string name)
    {
        var folder = Path.Combine(_environment.ContentRootPath, "reports");
        var file = Path.Combine(folder, name + ".pdf");
        return System.IO.File.Exists(file) ? PhysicalFile(file, "application/pdf") : NotFound();
    }
}

// === safe: a report is found by its number
using System.IO;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc;

public class ReportsController : Controller
{
    private readonly IWebHostEnvironment _environment;

    public ReportsController(IWebHostEnvironment environment) => _environment = environment;

    [HttpGet("/reports/{number:int}")]
    public IActionResult Report(int number)
    {
        var file = Path.Combine(_environment.ContentRootPath, "reports", $"report-{number}.pdf");
        return System.IO.File.Exists(file) ? PhysicalFile(file, "application/pdf") : NotFound();
    }
}
