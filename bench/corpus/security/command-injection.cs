// === vulnerable: cmd /c with concatenation
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class PingController : Controller
{
    [HttpGet("/ping")]
    public IActionResult Ping(string host)
    {
        Process.Start("cmd.exe", "/c ping -n 1 " + host);
        return Accepted();
    }
}

// === vulnerable: ProcessStartInfo with bash -c
using System.Diagnostics;
using System;
using Microsoft.AspNetCore.Mvc;

public class ConvertController : Controller
{
    [HttpPost("/convert")]
    public IActionResult Convert([FromForm] string file)
    {
        var info = new ProcessStartInfo
        {
            FileName = "/bin/bash",
            Arguments = $"-c \"convert uploads/{file} thumbs/{file}\"",
            UseShellExecute = false,
        };
        using var process = Process.Start(info);
        process?.WaitForExit();
        return NoContent();
    }
}

// === vulnerable: program name from the query
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class ToolController : Controller
{
    [HttpGet("/tool")]
    public IActionResult Run([FromQuery] string tool)
    {
        var p = new Process();
        p.StartInfo.FileName = tool;
        p.StartInfo.Arguments = "--version";
        p.Start();
        return Ok();
    }
}

// === vulnerable: helper runs a shell
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class BackupController : ControllerBase
{
    public record BackupRequest(string Database);

    private static void Shell(string line)
    {
        var psi = new ProcessStartInfo("sh");
        psi.ArgumentList.Add("-c");
        psi.ArgumentList.Add(line);
        Process.Start(psi);
    }

    [HttpPost("/backup")]
    public IActionResult Backup([FromBody] BackupRequest request)
    {
        Shell("pg_dump " + request.Database + " > /backups/latest.sql");
        return Accepted();
    }
}

// === vulnerable: PowerShell with string.Format
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class ServiceController2 : Controller
{
    [HttpPost("/service")]
    public IActionResult Restart()
    {
        string name = Request.Form["service"];
        var args = string.Format("-Command \"Restart-Service {0}\"", name);
        Process.Start(new ProcessStartInfo("powershell.exe", args));
        return Ok();
    }
}

// === vulnerable: minimal API with a header
using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.Create(args);

app.MapGet("/lookup", (HttpContext context) =>
{
    var host = context.Request.Headers["X-Lookup"].ToString();
    var info = new ProcessStartInfo("/bin/sh", "-c \"nslookup " + host + "\"") { RedirectStandardOutput = true };
    using var p = Process.Start(info)!;
    return p.StandardOutput.ReadToEnd();
});

app.Run();

// === safe: ArgumentList without a shell
using System.Diagnostics;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

public class PingController : Controller
{
    [HttpGet("/ping")]
    public IActionResult Ping(string host)
    {
        if (!Regex.IsMatch(host, @"\A[a-zA-Z0-9][a-zA-Z0-9.-]{0,250}\z")) return BadRequest();
        var info = new ProcessStartInfo("ping");
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add("1");
        info.ArgumentList.Add(host);
        Process.Start(info);
        return Accepted();
    }
}

// === safe: constant command
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class UptimeController : Controller
{
    [HttpGet("/uptime")]
    public IActionResult Uptime(string zone)
    {
        using var p = Process.Start(new ProcessStartInfo("uptime", "-p") { RedirectStandardOutput = true })!;
        return Ok(new { zone, uptime = p.StandardOutput.ReadToEnd() });
    }
}

// === safe: command by key
using System.Collections.Generic;
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class ToolController : Controller
{
    private static readonly Dictionary<string, string> Tools = new()
    {
        ["disk"] = "/bin/df",
        ["memory"] = "/usr/bin/free",
    };

    [HttpGet("/tool")]
    public IActionResult Run([FromQuery] string tool)
    {
        if (!Tools.TryGetValue(tool, out var path)) return NotFound();
        Process.Start(path);
        return Ok();
    }
}

// === safe: integer argument
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class TailController : Controller
{
    [HttpGet("/tail")]
    public IActionResult Tail(int lines)
    {
        Process.Start("tail", $"-n {lines} /var/log/app.log");
        return Ok();
    }
}

// === safe: Start of a stopwatch and an activity
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class TimerController : Controller
{
    [HttpGet("/timer")]
    public IActionResult Time(string name)
    {
        var watch = new Stopwatch();
        watch.Start();
        var activity = new Activity("timer-" + name);
        activity.Start();
        activity.Stop();
        return Ok(watch.ElapsedMilliseconds);
    }
}

// === vulnerable: a certificate is looked at with openssl
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class CertificatesController : Controller
{
    [HttpPost("/certificates/check")]
    public IActionResult Check([FromForm] string host)
    {
        using var process = new Process();
        process.StartInfo.FileName = "/bin/sh";
        process.StartInfo.Arguments = "-c \"openssl s_client -connect " + host + ":443 </dev/null\"";
        process.StartInfo.RedirectStandardOutput = true;
        process.Start();
        return Content(process.StandardOutput.ReadToEnd(), "text/plain");
    }
}

// === safe: the host is an argument, and looked at
using System;
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

public class CertificatesController : Controller
{
    [HttpPost("/certificates/check")]
    public IActionResult Check([FromForm] string host)
    {
        if (Uri.CheckHostName(host) == UriHostNameType.Unknown)
        {
            return BadRequest();
        }
        var info = new ProcessStartInfo("openssl") { RedirectStandardOutput = true };
        info.ArgumentList.Add("s_client");
        info.ArgumentList.Add("-connect");
        info.ArgumentList.Add($"{host}:443");
        using var process = Process.Start(info);
        return Content(process.StandardOutput.ReadToEnd(), "text/plain");
    }
}
