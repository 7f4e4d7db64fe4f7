// === vulnerable: Random session token
using System.Text;
using System;

public class SessionTokens
{
    private const string Chars = "abcdefghijklmnopqrstuvwxyz0123456789";

    public string NewSessionToken()
    {
        var random = new Random();
        var token = new StringBuilder();
        for (var i = 0; i < 32; i++)
        {
            token.Append(Chars[random.Next(Chars.Length)]);
        }
        return token.ToString();
    }
}

// === vulnerable: Random.Shared one-time code
using System;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class OtpController : Controller
{
    [HttpPost("/otp")]
    public IActionResult Send()
    {
        int otp = Random.Shared.Next(100000, 999999);
        HttpContext.Session.SetInt32("otp", otp);
        return Accepted();
    }
}

// === vulnerable: NextBytes for a key
using System;

public class KeyFactory
{
    public byte[] CreateEncryptionKey()
    {
        var key = new byte[32];
        new Random(Environment.TickCount).NextBytes(key);
        return key;
    }
}

// === vulnerable: LINQ password
using System.Linq;
using System;

public class InviteService
{
    private static readonly Random Rng = new();

    public string TemporaryPassword()
    {
        var chars = "abcdefghjkmnpqrstuvwxyz23456789";
        return new string(Enumerable.Range(0, 12).Select(_ => chars[Rng.Next(chars.Length)]).ToArray());
    }
}

// === vulnerable: reset token with NextInt64
using System;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class ResetController : Controller
{
    [HttpPost("/reset")]
    public IActionResult Reset(string email)
    {
        var resetToken = Random.Shared.NextInt64().ToString("x");
        HttpContext.Session.SetString("reset:" + email, resetToken);
        return Accepted();
    }
}

// === safe: RandomNumberGenerator token
using System.Security.Cryptography;
using System;

public class SessionTokens
{
    public string NewSessionToken()
    {
        return Convert.ToBase64String(RandomNumberGenerator.GetBytes(32));
    }
}

// === safe: GetInt32 code
using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

public class OtpController : Controller
{
    [HttpPost("/otp")]
    public IActionResult Send()
    {
        int otp = RandomNumberGenerator.GetInt32(100000, 1000000);
        HttpContext.Session.SetInt32("otp", otp);
        return Accepted();
    }
}

// === safe: Random for retry delay
using System.IO;
using System.Threading.Tasks;
using System;

public class Retry
{
    public async Task Run(Func<Task> job)
    {
        for (var i = 0; i < 3; i++)
        {
            try
            {
                await job();
                return;
            }
            catch (IOException)
            {
                await Task.Delay(100 + Random.Shared.Next(200));
            }
        }
    }
}

// === safe: Random banner
using System;
using Microsoft.AspNetCore.Mvc;

public class HomeController : Controller
{
    private static readonly string[] Banners = { "spring", "summer", "autumn" };

    public IActionResult Index()
    {
        ViewData["Banner"] = Banners[Random.Shared.Next(Banners.Length)];
        return View();
    }
}

// === safe: GetString password
using System.Security.Cryptography;

public class InviteService
{
    public string TemporaryPassword()
    {
        return RandomNumberGenerator.GetString("abcdefghjkmnpqrstuvwxyz23456789", 16);
    }
}
