// === vulnerable: connection string with a password
using Microsoft.Data.SqlClient;

public class Database
{
    private const string ConnectionString = "Server=db.acme.io;Database=portal;User Id=portal;Password=vK7#mQ2pLx9!;Encrypt=true";

    public SqlConnection Open()
    {
        var con = new SqlConnection(ConnectionString);
        con.Open();
        return con;
    }
}

// === vulnerable: NetworkCredential literal
using System.Net.Mail;
using System.Net;

public class Notifier
{
    public void Send(string to, string text)
    {
        using var client = new SmtpClient("smtp.acme.io", 587) { EnableSsl = true };
        client.Credentials = new NetworkCredential("alerts@acme.io", "Herbst-2023-mail!");
        client.Send("alerts@acme.io", to, "Alert", text);
    }
}

// === vulnerable: API key constant
using System.Net.Http;
using System.Threading.Tasks;
using System;

public class Geocoder
{
    private const string ApiKey = "9f2c7b61e0d84a3fb5c1d7e2a6480b9d";
    private readonly HttpClient _http = new();

    public Task<string> Find(string address)
    {
        _http.DefaultRequestHeaders.Add("X-Api-Key", ApiKey);
        return _http.GetStringAsync("https://geo.acme.io/v1?q=" + Uri.EscapeDataString(address));
    }
}

// === vulnerable: password comparison with a literal
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class AdminController : Controller
{
    [HttpPost("/admin/login")]
    public IActionResult Login(string user, string password)
    {
        if (user == "admin" && password == "Gr4nd-Piano-77")
        {
            HttpContext.Session.SetString("role", "admin");
            return Ok();
        }
        return Unauthorized();
    }
}

// === vulnerable: SqlConnectionStringBuilder password
using Microsoft.Data.SqlClient;

public class Shop
{
    public SqlConnection Open()
    {
        var builder = new SqlConnectionStringBuilder
        {
            DataSource = "sql.acme.io",
            UserID = "shop",
            Password = "c8Yw2nLqE5tR",
        };
        return new SqlConnection(builder.ConnectionString);
    }
}

// === vulnerable: AES key bytes from a literal
using System.Security.Cryptography;
using System.Text;

public class Vault
{
    private static readonly byte[] SecretKey = Encoding.UTF8.GetBytes("q9Lr2xVb7TnWc4Jd");

    public Aes Create()
    {
        var aes = Aes.Create();
        aes.Key = SecretKey;
        return aes;
    }
}

// === safe: configuration
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Configuration;

public class Database
{
    private readonly IConfiguration _config;

    public Database(IConfiguration config) => _config = config;

    public SqlConnection Open() => new(_config["ConnectionStrings:Portal"]);
}

// === safe: environment
using System.Net.Mail;
using System.Net;
using System;

public class Notifier
{
    public void Send(string to, string text)
    {
        using var client = new SmtpClient("smtp.acme.io", 587) { EnableSsl = true };
        client.Credentials = new NetworkCredential("alerts@acme.io", Environment.GetEnvironmentVariable("SMTP_PASSWORD"));
        client.Send("alerts@acme.io", to, "Alert", text);
    }
}

// === safe: integrated security
using Microsoft.Data.SqlClient;

public class Shop
{
    private const string ConnectionString = "Server=sql.acme.io;Database=shop;Integrated Security=true;Encrypt=true";

    public SqlConnection Open() => new(ConnectionString);
}

// === safe: names and messages
public static class Fields
{
    public const string PasswordField = "password";
    public const string TokenHeader = "X-Auth-Token";
    public const string PasswordTooShort = "The password needs at least 12 characters";

    public static string? Check(string password) => password.Length < 12 ? PasswordTooShort : null;
}

// === safe: secret file
using System.IO;

public class Geocoder
{
    public string LoadApiKey()
    {
        return File.ReadAllText("/run/secrets/geo_api_key").Trim();
    }
}
