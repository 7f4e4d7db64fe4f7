// === vulnerable: HttpClient.GetStringAsync of a query value
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class FetchController : Controller
{
    private readonly HttpClient _http = new();

    [HttpGet("/fetch")]
    public async Task<IActionResult> Fetch(string url)
    {
        return Content(await _http.GetStringAsync(url));
    }
}

// === vulnerable: webhook of a body posted to
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class HookController : ControllerBase
{
    public class Hook
    {
        public string Callback { get; set; } = "";
    }

    private readonly IHttpClientFactory _factory;

    public HookController(IHttpClientFactory factory) => _factory = factory;

    [HttpPost("/hooks/test")]
    public async Task<int> Test([FromBody] Hook hook)
    {
        var client = _factory.CreateClient();
        var response = await client.PostAsync(hook.Callback, new StringContent("{}"));
        return (int)response.StatusCode;
    }
}

// === vulnerable: host interpolated into a request message
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class NodeController : Controller
{
    private readonly HttpClient _http = new();

    [HttpGet("/node")]
    public async Task<IActionResult> Status([FromQuery] string node)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, $"http://{node}:9100/metrics");
        var response = await _http.SendAsync(request);
        return StatusCode((int)response.StatusCode);
    }
}

// === vulnerable: WebClient
using System.Net;
using Microsoft.AspNetCore.Mvc;

public class AvatarController : Controller
{
    private static byte[] Load(string address)
    {
        using var client = new WebClient();
        return client.DownloadData(address);
    }

    [HttpPost("/avatar/import")]
    public IActionResult Import()
    {
        var bytes = Load(Request.Form["avatarUrl"]);
        return Ok(bytes.Length);
    }
}

// === vulnerable: TcpClient probe
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;

var app = WebApplication.Create(args);

app.MapGet("/probe", async (string host, int port) =>
{
    using var tcp = new TcpClient();
    await tcp.ConnectAsync(host, port);
    return "open";
});

app.Run();

// === vulnerable: RestSharp with a header
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using RestSharp;

public class ProxyController : Controller
{
    [HttpGet("/proxy")]
    public async Task<IActionResult> Proxy([FromHeader(Name = "X-Target")] string target)
    {
        var client = new RestClient(target);
        var response = await client.ExecuteAsync(new RestRequest("/status"));
        return Content(response.Content ?? "");
    }
}

// === safe: host allow-list
using System.Collections.Generic;
using System.Net.Http;
using System.Threading.Tasks;
using System;
using Microsoft.AspNetCore.Mvc;

public class FetchController : Controller
{
    private static readonly HashSet<string> Hosts = new() { "cdn.acme.io", "img.acme.io" };
    private readonly HttpClient _http = new();

    [HttpGet("/fetch")]
    public async Task<IActionResult> Fetch(string url)
    {
        if (!Uri.TryCreate(url, UriKind.Absolute, out var uri) || uri.Scheme != "https" || !Hosts.Contains(uri.Host))
        {
            return BadRequest();
        }
        return Content(await _http.GetStringAsync(uri));
    }
}

// === safe: fixed host with escaped query
using System.Net.Http;
using System.Threading.Tasks;
using System;
using Microsoft.AspNetCore.Mvc;

public class WeatherController : Controller
{
    private readonly HttpClient _http = new();

    [HttpGet("/weather")]
    public async Task<IActionResult> Weather(string city)
    {
        var url = "https://api.weather.acme.io/now?city=" + Uri.EscapeDataString(city);
        return Content(await _http.GetStringAsync(url));
    }
}

// === safe: endpoint by key
using System.Collections.Generic;
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class HealthController : Controller
{
    private static readonly Dictionary<string, string> Backends = new()
    {
        ["stock"] = "http://stock.internal/health",
        ["users"] = "http://users.internal/health",
    };

    [HttpGet("/health/{name}")]
    public async Task<IActionResult> Health(string name)
    {
        if (!Backends.TryGetValue(name, out var target)) return NotFound();
        using var http = new HttpClient();
        return Ok(await http.GetStringAsync(target));
    }
}

// === safe: URL from configuration
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Configuration;

public class RatesController : Controller
{
    private readonly IConfiguration _config;

    public RatesController(IConfiguration config) => _config = config;

    [HttpGet("/rates")]
    public async Task<IActionResult> Rates(string currency)
    {
        using var http = new HttpClient();
        var body = await http.GetStringAsync(_config["Rates:Url"]);
        return Ok(new { currency, body });
    }
}

// === safe: Uri only inspected
using System;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Hosting;

public class LinkController : Controller
{
    [HttpGet("/link")]
    public IActionResult Host(string link)
    {
        return Uri.TryCreate(link, UriKind.Absolute, out var uri) ? Ok(uri.Host) : BadRequest();
    }
}

// === vulnerable: a picture for a profile, from anywhere
using System;
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

public record PictureRequest(string Address);

public static class Pictures
{
    public static void Map(WebApplication app)
    {
        app.MapPost("/pictures", async (PictureRequest request, IHttpClientFactory clients) =>
        {
            var client = clients.CreateClient("pictures");
            using var answer = await client.GetAsync(new Uri(request.Address));
            return Results.Bytes(await answer.Content.ReadAsByteArrayAsync(), "image/png");
        });
    }
}

// === safe: an exchange rate of a known service
using System;
using System.Net.Http;
using System.Net.Http.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class RatesController : ControllerBase
{
    private readonly HttpClient _client;

    public RatesController(HttpClient client)
    {
        _client = client;
        _client.BaseAddress = new Uri("https://rates.example.com/");
    }

    [HttpGet("/rates/{currency}")]
    public async Task<IActionResult> Rate(string currency)
    {
        var rate = await _client.GetFromJsonAsync<decimal>("latest/" + Uri.EscapeDataString(currency));
        return Ok(rate);
    }
}
