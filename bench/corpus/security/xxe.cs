// === vulnerable: XmlDocument with a resolver
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class InvoiceController : Controller
{
    [HttpPost("/invoice")]
    public IActionResult Read([FromForm] string xml)
    {
        var doc = new XmlDocument { XmlResolver = new XmlUrlResolver() };
        doc.LoadXml(xml);
        return Ok(doc.DocumentElement?.InnerText);
    }
}

// === vulnerable: XmlReaderSettings with DTD parse and resolver
using System.Xml.Linq;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class FeedController : Controller
{
    [HttpPost("/feed")]
    public IActionResult Read()
    {
        var settings = new XmlReaderSettings
        {
            DtdProcessing = DtdProcessing.Parse,
            XmlResolver = new XmlUrlResolver(),
        };
        using var reader = XmlReader.Create(Request.Body, settings);
        return Ok(XDocument.Load(reader).Root?.Value);
    }
}

// === vulnerable: XmlTextReader with DtdProcessing.Parse
using System.Xml;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class CatalogController : Controller
{
    [HttpPost("/catalog")]
    public IActionResult Upload(IFormFile file)
    {
        var reader = new XmlTextReader(file.OpenReadStream());
        reader.DtdProcessing = DtdProcessing.Parse;
        reader.XmlResolver = new XmlUrlResolver();
        var doc = new XmlDocument();
        doc.Load(reader);
        return Ok(doc.InnerText);
    }
}

// === vulnerable: ProhibitDtd false
using System.IO;
using System.Xml.XPath;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class SettingsController : Controller
{
    private static XmlReader Open(Stream stream)
    {
        var settings = new XmlReaderSettings();
        settings.ProhibitDtd = false;
        settings.XmlResolver = new XmlUrlResolver();
        return XmlReader.Create(stream, settings);
    }

    [HttpPost("/settings")]
    public IActionResult Read()
    {
        var doc = new XPathDocument(Open(Request.Body));
        return Ok(doc.CreateNavigator().Value);
    }
}

// === vulnerable: resolver assigned later
using System.IO;
using System.Threading.Tasks;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class OrderController : Controller
{
    [HttpPost("/orders/xml")]
    public async Task<IActionResult> Read()
    {
        using var body = new StreamReader(Request.Body);
        string xml = await body.ReadToEndAsync();
        var doc = new XmlDocument();
        doc.XmlResolver = new XmlUrlResolver();
        doc.Load(new StringReader(xml));
        return Ok(doc.SelectSingleNode("/order/customer")?.InnerText);
    }
}

// === safe: DTD prohibited
using System.Xml.Linq;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class FeedController : Controller
{
    [HttpPost("/feed")]
    public IActionResult Read()
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };
        using var reader = XmlReader.Create(Request.Body, settings);
        return Ok(XDocument.Load(reader).Root?.Value);
    }
}

// === safe: XmlDocument with null resolver
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class InvoiceController : Controller
{
    [HttpPost("/invoice")]
    public IActionResult Read([FromForm] string xml)
    {
        var doc = new XmlDocument { XmlResolver = null };
        doc.LoadXml(xml);
        return Ok(doc.DocumentElement?.InnerText);
    }
}

// === safe: XDocument.Parse
using System.Xml.Linq;
using Microsoft.AspNetCore.Mvc;

public class CatalogController : Controller
{
    [HttpPost("/catalog")]
    public IActionResult Upload([FromForm] string xml)
    {
        var doc = XDocument.Parse(xml);
        return Ok(doc.Root?.Name.LocalName);
    }
}

// === safe: DTD ignored
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class SettingsController : Controller
{
    [HttpPost("/settings")]
    public IActionResult Read()
    {
        var settings = new XmlReaderSettings();
        settings.DtdProcessing = DtdProcessing.Ignore;
        settings.XmlResolver = null;
        using var reader = XmlReader.Create(Request.Body, settings);
        var doc = new XmlDocument { XmlResolver = null };
        doc.Load(reader);
        return Ok(doc.ChildNodes.Count);
    }
}

// === safe: XmlReader defaults
using System.IO;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class OrderController : Controller
{
    [HttpPost("/orders/xml")]
    public IActionResult Read([FromForm] string xml)
    {
        using var reader = XmlReader.Create(new StringReader(xml));
        reader.MoveToContent();
        return Ok(reader.LocalName);
    }
}

// === vulnerable: an order in XML with a resolver
using System.IO;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

public class OrdersController : ControllerBase
{
    [HttpPost("/orders/xml")]
    public IActionResult Import()
    {
        var document = new XmlDocument();
        document.XmlResolver = new XmlUrlResolver();
        document.Load(Request.Body);
        return Ok(document.DocumentElement?.GetAttribute("number"));
    }
}

// === safe: an order in XML, document types forbidden
using System.Xml;
using System.Xml.Linq;
using Microsoft.AspNetCore.Mvc;

public class OrdersController : ControllerBase
{
    [HttpPost("/orders/xml")]
    public IActionResult Import()
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, MaxCharactersInDocument = 100_000 };
        using var reader = XmlReader.Create(Request.Body, settings);
        return Ok(XDocument.Load(reader).Root?.Attribute("number")?.Value);
    }
}
