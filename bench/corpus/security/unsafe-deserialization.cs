// === vulnerable: BinaryFormatter
using System.Runtime.Serialization.Formatters.Binary;
using Microsoft.AspNetCore.Mvc;

public class ImportController : Controller
{
    [HttpPost("/import")]
    public IActionResult Import()
    {
        var formatter = new BinaryFormatter();
        var state = formatter.Deserialize(Request.Body);
        return Ok(state.ToString());
    }
}

// === vulnerable: Newtonsoft with TypeNameHandling.All
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Newtonsoft.Json;

[ApiController]
public class EventController : ControllerBase
{
    private static readonly JsonSerializerSettings Settings = new() { TypeNameHandling = TypeNameHandling.All };

    [HttpPost("/events")]
    public async Task<IActionResult> Post()
    {
        using var reader = new StreamReader(Request.Body);
        var json = await reader.ReadToEndAsync();
        var data = JsonConvert.DeserializeObject(json, Settings);
        return Ok(data);
    }
}

// === vulnerable: LosFormatter on a cookie
using System.Web.UI;
using Microsoft.AspNetCore.Mvc;

public class StateController : Controller
{
    [HttpGet("/state")]
    public IActionResult State()
    {
        var raw = Request.Cookies["state"];
        var state = new LosFormatter().Deserialize(raw);
        return Ok(state);
    }
}

// === vulnerable: NetDataContractSerializer on an upload
using System.IO;
using System.Runtime.Serialization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class UploadController : Controller
{
    private static object Load(Stream stream)
    {
        var serializer = new NetDataContractSerializer();
        return serializer.Deserialize(stream);
    }

    [HttpPost("/upload")]
    public IActionResult Upload(IFormFile file) => Ok(Load(file.OpenReadStream()).ToString());
}

// === vulnerable: XmlSerializer with a type from the query
using System.Xml.Serialization;
using System;
using Microsoft.AspNetCore.Mvc;

public class XmlController : Controller
{
    [HttpPost("/xml")]
    public IActionResult Read([FromQuery] string type)
    {
        var serializer = new XmlSerializer(Type.GetType(type)!);
        var value = serializer.Deserialize(Request.Body);
        return Ok(value);
    }
}

// === vulnerable: JavaScriptSerializer with a resolver
using System.Web.Script.Serialization;
using Microsoft.AspNetCore.Mvc;

public class LegacyController : Controller
{
    [HttpPost("/legacy")]
    public IActionResult Read([FromForm] string json)
    {
        var serializer = new JavaScriptSerializer(new SimpleTypeResolver());
        return Ok(serializer.DeserializeObject(json));
    }
}

// === vulnerable: base64 form value in BinaryFormatter
using System.IO;
using System.Runtime.Serialization.Formatters.Binary;
using System;
using Microsoft.AspNetCore.Mvc;

public class BasketController : Controller
{
    [HttpPost("/basket")]
    public IActionResult Restore([FromForm] string basket)
    {
        byte[] bytes = Convert.FromBase64String(basket);
        using var stream = new MemoryStream(bytes);
        object value = new BinaryFormatter().Deserialize(stream);
        return Ok(value);
    }
}

// === safe: System.Text.Json into a class
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class ImportController : Controller
{
    public record Item(string Name, int Quantity);

    [HttpPost("/import")]
    public async Task<IActionResult> Import()
    {
        var item = await JsonSerializer.DeserializeAsync<Item>(Request.Body);
        return Ok(item?.Name);
    }
}

// === safe: Newtonsoft with TypeNameHandling.None
using Microsoft.AspNetCore.Mvc;
using Newtonsoft.Json;

[ApiController]
public class EventController : ControllerBase
{
    public class Event
    {
        public string Kind { get; set; } = "";
    }

    [HttpPost("/events")]
    public IActionResult Post([FromForm] string json)
    {
        var settings = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.None };
        return Ok(JsonConvert.DeserializeObject<Event>(json, settings)?.Kind);
    }
}

// === safe: model binding
using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class BasketController : ControllerBase
{
    public record Basket(List<int> Items);

    [HttpPost("/basket")]
    public IActionResult Restore([FromBody] Basket basket) => Ok(basket.Items.Count);
}

// === safe: XmlSerializer with a fixed type
using System.Xml.Serialization;
using Microsoft.AspNetCore.Mvc;

public class XmlController : Controller
{
    public class Order
    {
        public string Sku { get; set; } = "";
    }

    [HttpPost("/xml")]
    public IActionResult Read()
    {
        var serializer = new XmlSerializer(typeof(Order));
        var order = (Order?)serializer.Deserialize(Request.Body);
        return Ok(order?.Sku);
    }
}

// === safe: JsonDocument
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

public class TreeController : Controller
{
    [HttpPost("/tree")]
    public async Task<IActionResult> Read()
    {
        using var doc = await JsonDocument.ParseAsync(Request.Body);
        return Ok(doc.RootElement.GetProperty("name").GetString());
    }
}

// === vulnerable: settings of a view, with types in the text
using Microsoft.AspNetCore.Mvc;
using Newtonsoft.Json;

public class ViewSettingsController : ControllerBase
{
    [HttpPost("/settings")]
    public IActionResult Save([FromBody] string text)
    {
        var options = new JsonSerializerSettings();
        options.TypeNameHandling = TypeNameHandling.Objects;
        var settings = JsonConvert.DeserializeObject(text, options);
        return Ok(settings);
    }
}

// === safe: settings of a view have a type of ours
using System.Text.Json;
using Microsoft.AspNetCore.Mvc;

public record ViewSettings(string Theme, int Columns);

public class ViewSettingsController : ControllerBase
{
    private static readonly JsonSerializerOptions Options = new() { PropertyNameCaseInsensitive = true };

    [HttpPost("/settings")]
    public IActionResult Save([FromBody] string text) => Ok(JsonSerializer.Deserialize<ViewSettings>(text, Options));
}
