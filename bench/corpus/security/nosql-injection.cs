// === vulnerable: BsonDocument.Parse with concatenation
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class MembersController : Controller
{
    private readonly IMongoCollection<BsonDocument> _members;

    public MembersController(IMongoCollection<BsonDocument> members) => _members = members;

    [HttpGet]
    public IActionResult Find(string name)
    {
        var filter = BsonDocument.Parse("{ name: '" + name + "' }");
        return Ok(_members.Find(filter).CountDocuments());
    }
}

// === vulnerable: interpolated JSON string as filter
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

[ApiController]
public class ItemsController : ControllerBase
{
    private readonly IMongoCollection<BsonDocument> _items;

    public ItemsController(IMongoCollection<BsonDocument> items) => _items = items;

    [HttpGet("/items/{sku}")]
    public IActionResult Show(string sku)
    {
        FilterDefinition<BsonDocument> filter = $"{{ sku: \"{sku}\", visible: true }}";
        return Ok(_items.Find(filter).FirstOrDefault()?.ToString());
    }
}

// === vulnerable: $where
using Dapper;
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class PostsController : Controller
{
    private readonly IMongoDatabase _db;

    public PostsController(IMongoDatabase db) => _db = db;

    public IActionResult Count()
    {
        string author = Request.Query["author"];
        var filter = new BsonDocument("$where", "this.author == '" + author + "'");
        return Ok(_db.GetCollection<BsonDocument>("posts").CountDocuments(filter));
    }
}

// === vulnerable: request body as the filter
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

[ApiController]
public class SearchController : ControllerBase
{
    private readonly IMongoCollection<BsonDocument> _events;

    public SearchController(IMongoCollection<BsonDocument> events) => _events = events;

    [HttpPost("/events/search")]
    public async Task<IActionResult> Search()
    {
        using var reader = new StreamReader(Request.Body);
        var json = await reader.ReadToEndAsync();
        var filter = new JsonFilterDefinition<BsonDocument>(json);
        return Ok(await _events.CountDocumentsAsync(filter));
    }
}

// === vulnerable: helper with string.Format and the deserialiser
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson.Serialization;
using MongoDB.Bson;
using MongoDB.Driver;

public class StockController : Controller
{
    private readonly IMongoCollection<BsonDocument> _stock;

    public StockController(IMongoCollection<BsonDocument> stock) => _stock = stock;

    private static BsonDocument Filter(string min) =>
        BsonSerializer.Deserialize<BsonDocument>(string.Format("{{ quantity: {{ $gt: {0} }} }}", min));

    public IActionResult Index([FromQuery] string min) => Ok(_stock.CountDocuments(Filter(min)));
}

// === safe: Builders filter
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class MembersController : Controller
{
    private readonly IMongoCollection<BsonDocument> _members;

    public MembersController(IMongoCollection<BsonDocument> members) => _members = members;

    [HttpGet]
    public IActionResult Find(string name)
    {
        var filter = Builders<BsonDocument>.Filter.Eq("name", name);
        return Ok(_members.Find(filter).CountDocuments());
    }
}

// === safe: BsonDocument with a value
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class ItemsController : Controller
{
    private readonly IMongoCollection<BsonDocument> _items;

    public ItemsController(IMongoCollection<BsonDocument> items) => _items = items;

    public IActionResult Show([FromRoute] string sku)
    {
        var filter = new BsonDocument { { "sku", sku }, { "visible", true } };
        return Ok(_items.CountDocuments(filter));
    }
}

// === safe: LINQ expression
using Microsoft.AspNetCore.Mvc;
using MongoDB.Driver;

public class Post
{
    public string Author { get; set; } = "";
}

public class PostsController : Controller
{
    private readonly IMongoCollection<Post> _posts;

    public PostsController(IMongoCollection<Post> posts) => _posts = posts;

    public IActionResult Count([FromQuery] string author) => Ok(_posts.CountDocuments(p => p.Author == author));
}

// === safe: constant JSON filter
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class ActiveController : Controller
{
    private readonly IMongoCollection<BsonDocument> _members;

    public ActiveController(IMongoCollection<BsonDocument> members) => _members = members;

    public IActionResult Index([FromQuery] int limit)
    {
        var filter = BsonDocument.Parse("{ active: true }");
        return Ok(_members.Find(filter).Limit(limit).ToList().Count);
    }
}

// === safe: ObjectId
using Microsoft.AspNetCore.Mvc;
using MongoDB.Bson;
using MongoDB.Driver;

public class DocsController : Controller
{
    private readonly IMongoCollection<BsonDocument> _docs;

    public DocsController(IMongoCollection<BsonDocument> docs) => _docs = docs;

    public IActionResult Show(string id)
    {
        if (!ObjectId.TryParse(id, out var oid)) return BadRequest();
        return Ok(_docs.CountDocuments(new BsonDocument("_id", oid)));
    }
}
