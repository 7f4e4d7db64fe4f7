// === vulnerable: SqlCommand with concatenation
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Configuration;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
    private readonly IConfiguration _config;

    public OrdersController(IConfiguration config) => _config = config;

    [HttpGet]
    public IActionResult Find(string customer)
    {
        using var con = new SqlConnection(_config["Db"]);
        con.Open();
        var cmd = new SqlCommand("SELECT COUNT(*) FROM Orders WHERE Customer = '" + customer + "'", con);
        return Ok(cmd.ExecuteScalar());
    }
}

// === vulnerable: CommandText with interpolation
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

public class UsersController : Controller
{
    private readonly SqlConnection _con;

    public UsersController(SqlConnection con) => _con = con;

    [HttpPost]
    public IActionResult Delete([FromForm] string name)
    {
        using var cmd = _con.CreateCommand();
        cmd.CommandText = $"DELETE FROM Users WHERE Name = '{name}'";
        cmd.ExecuteNonQuery();
        return NoContent();
    }
}

// === vulnerable: EF Core FromSqlRaw with string.Format
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Product
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
}

public class ShopContext : DbContext
{
    public DbSet<Product> Products => Set<Product>();
}

public class ProductsController : Controller
{
    private readonly ShopContext _db;

    public ProductsController(ShopContext db) => _db = db;

    public IActionResult Index([FromQuery] string category)
    {
        var sql = string.Format("SELECT * FROM Products WHERE Category = '{0}'", category);
        return Json(_db.Products.FromSqlRaw(sql).ToList());
    }
}

// === vulnerable: Dapper with a sort column
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

[ApiController]
public class ReportController : ControllerBase
{
    private readonly NpgsqlConnection _con;

    public ReportController(NpgsqlConnection con) => _con = con;

    [HttpGet("/report")]
    public async Task<IActionResult> Get([FromQuery] string sort)
    {
        var rows = await _con.QueryAsync("SELECT id, name FROM report ORDER BY " + sort);
        return Ok(rows);
    }
}

// === vulnerable: StringBuilder from the form in a loop
using System.Text;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

public class SearchController : Controller
{
    private readonly SqlConnection _con;

    public SearchController(SqlConnection con) => _con = con;

    [HttpPost]
    public IActionResult Search()
    {
        var sql = new StringBuilder("SELECT Id FROM Tickets WHERE 1 = 1");
        foreach (var tag in Request.Form["tag"])
        {
            sql.Append(" AND Tags LIKE '%" + tag + "%'");
        }
        using var cmd = new SqlCommand(sql.ToString(), _con);
        using SqlDataReader reader = cmd.ExecuteReader();
        return Ok(reader.HasRows);
    }
}

// === vulnerable: ExecuteSqlRaw in a minimal API
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapDelete("/sessions/{tenant}", async (string tenant, AppDb db) =>
{
    var n = await db.Database.ExecuteSqlRawAsync("DELETE FROM sessions WHERE tenant = '" + tenant + "'");
    return Results.Ok(n);
});

app.Run();

public class AppDb : DbContext
{
    public AppDb(DbContextOptions<AppDb> options) : base(options) { }
}

// === safe: SqlParameter
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Configuration;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
    private readonly IConfiguration _config;

    public OrdersController(IConfiguration config) => _config = config;

    [HttpGet]
    public IActionResult Find(string customer)
    {
        using var con = new SqlConnection(_config["Db"]);
        con.Open();
        var cmd = new SqlCommand("SELECT COUNT(*) FROM Orders WHERE Customer = @customer", con);
        cmd.Parameters.AddWithValue("@customer", customer);
        return Ok(cmd.ExecuteScalar());
    }
}

// === safe: FromSqlInterpolated
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Product
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
}

public class ShopContext : DbContext
{
    public DbSet<Product> Products => Set<Product>();
}

public class ProductsController : Controller
{
    private readonly ShopContext _db;

    public ProductsController(ShopContext db) => _db = db;

    public IActionResult Index([FromQuery] string category) =>
        Json(_db.Products.FromSqlInterpolated($"SELECT * FROM Products WHERE Category = {category}").ToList());
}

// === safe: Dapper with an anonymous object
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

[ApiController]
public class UserController : ControllerBase
{
    private readonly NpgsqlConnection _con;

    public UserController(NpgsqlConnection con) => _con = con;

    [HttpGet("/users")]
    public async Task<IActionResult> Get([FromQuery] string email)
    {
        var rows = await _con.QueryAsync("SELECT id FROM users WHERE email = @email", new { email });
        return Ok(rows);
    }
}

// === safe: sort column by switch
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

[ApiController]
public class ReportController : ControllerBase
{
    private readonly NpgsqlConnection _con;

    public ReportController(NpgsqlConnection con) => _con = con;

    [HttpGet("/report")]
    public async Task<IActionResult> Get([FromQuery] string sort)
    {
        var column = sort switch { "name" => "name", "date" => "created_at", _ => "id" };
        return Ok(await _con.QueryAsync("SELECT id, name FROM report ORDER BY " + column));
    }
}

// === safe: integer route value
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

public class InvoiceController : Controller
{
    private readonly SqlConnection _con;

    public InvoiceController(SqlConnection con) => _con = con;

    [HttpGet("/invoices/{id:int}")]
    public IActionResult Show(int id)
    {
        using var cmd = new SqlCommand($"SELECT Total FROM Invoices WHERE Id = {id}", _con);
        return Ok(cmd.ExecuteScalar());
    }
}

// === safe: LINQ query
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Ticket
{
    public int Id { get; set; }
    public string State { get; set; } = "";
}

public class TicketDb : DbContext
{
    public DbSet<Ticket> Tickets => Set<Ticket>();
}

public class TicketsController : Controller
{
    private readonly TicketDb _db;

    public TicketsController(TicketDb db) => _db = db;

    public IActionResult Index(string state) => Json(_db.Tickets.Where(t => t.State == state).ToList());
}

// === vulnerable: a service builds the filter a controller hands on
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

[ApiController]
[Route("shops")]
public class ShopsController : ControllerBase
{
    private readonly ShopService _shops;

    public ShopsController(ShopService shops) => _shops = shops;

    [HttpGet]
    public async Task<ActionResult<List<string>>> Get([FromQuery] string city) => await _shops.InCity(city);
}

public class ShopService
{
    private readonly NpgsqlDataSource _source;

    public ShopService(NpgsqlDataSource source) => _source = source;

    public async Task<List<string>> InCity(string city)
    {
        var names = new List<string>();
        await using var command = _source.CreateCommand($"SELECT name FROM shops WHERE city = '{city}'");
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
        {
            names.Add(reader.GetString(0));
        }
        return names;
    }
}

// === safe: a service binds what a controller hands on
using System.Collections.Generic;
using System.Threading.Tasks;
using Npgsql;

public class ShopService
{
    private readonly NpgsqlDataSource _source;

    public ShopService(NpgsqlDataSource source) => _source = source;

    public async Task<List<string>> InCity(string city, bool open)
    {
        var names = new List<string>();
        var filter = open ? " AND open" : "";
        await using var command = _source.CreateCommand($"SELECT name FROM shops WHERE city = $1{filter}");
        command.Parameters.AddWithValue(city);
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
        {
            names.Add(reader.GetString(0));
        }
        return names;
    }
}
