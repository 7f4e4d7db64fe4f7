// === vulnerable: signature not required
using Microsoft.IdentityModel.Tokens;

public static class JwtSetup
{
    public static TokenValidationParameters Parameters() => new()
    {
        ValidateIssuerSigningKey = false,
        RequireSignedTokens = false,
        ValidIssuer = "portal",
        ValidAudience = "portal",
    };
}

// === vulnerable: ReadJwtToken for the role
using System.IdentityModel.Tokens.Jwt;
using System.Linq;
using Microsoft.AspNetCore.Mvc;

public class AdminController : Controller
{
    [HttpGet("/admin")]
    public IActionResult Admin([FromHeader(Name = "X-Token")] string token)
    {
        var jwt = new JwtSecurityTokenHandler().ReadJwtToken(token);
        if (jwt.Claims.First(c => c.Type == "role").Value != "admin") return Forbid();
        return Ok("settings");
    }
}

// === vulnerable: literal signing key
using System.IdentityModel.Tokens.Jwt;
using System.Security.Claims;
using System.Text;
using System;
using Microsoft.IdentityModel.Tokens;

public class TokenService
{
    public string Issue(string user)
    {
        var key = new SymmetricSecurityKey(Encoding.UTF8.GetBytes("portal-signing-key-2021-aaaabbbb"));
        var credentials = new SigningCredentials(key, SecurityAlgorithms.HmacSha256);
        var claims = new[] { new Claim("sub", user) };
        var token = new JwtSecurityToken("portal", "portal", claims, null, DateTime.UtcNow.AddMinutes(15), credentials);
        return new JwtSecurityTokenHandler().WriteToken(token);
    }
}

// === vulnerable: signature validator that accepts everything
using System.IdentityModel.Tokens.Jwt;
using Microsoft.AspNetCore.Authentication.JwtBearer;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.IdentityModel.Tokens;

public static class Auth
{
    public static void Add(IServiceCollection services)
    {
        services.AddAuthentication(JwtBearerDefaults.AuthenticationScheme).AddJwtBearer(o =>
        {
            o.TokenValidationParameters = new TokenValidationParameters
            {
                SignatureValidator = (token, _) => new JwtSecurityToken(token),
                ValidateIssuer = false,
                ValidateAudience = false,
            };
        });
    }
}

// === vulnerable: lifetime not validated
using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.IdentityModel.Tokens;

public static class ApiAuth
{
    public static TokenValidationParameters Create(IConfiguration config)
    {
        var p = new TokenValidationParameters();
        p.IssuerSigningKey = new SymmetricSecurityKey(Encoding.UTF8.GetBytes(config["Jwt:Key"]!));
        p.ValidateLifetime = false;
        p.RequireExpirationTime = false;
        return p;
    }
}

// === vulnerable: JWT.NET without verification
using System.Collections.Generic;
using JWT.Algorithms;
using JWT.Builder;
using Microsoft.AspNetCore.Mvc;

public class MeController : Controller
{
    [HttpGet("/me")]
    public IActionResult Me([FromQuery] string token)
    {
        var payload = JwtBuilder.Create()
            .WithAlgorithm(new HMACSHA256Algorithm())
            .DoNotVerifySignature()
            .Decode<Dictionary<string, object>>(token);
        return Ok(payload["sub"]);
    }
}

// === safe: all checks on
using System;
using Microsoft.Extensions.Configuration;
using Microsoft.IdentityModel.Tokens;

public static class JwtSetup
{
    public static TokenValidationParameters Parameters(IConfiguration config) => new()
    {
        ValidateIssuerSigningKey = true,
        ValidateIssuer = true,
        ValidateAudience = true,
        ValidateLifetime = true,
        ValidIssuer = "portal",
        ValidAudience = "portal",
        IssuerSigningKey = new SymmetricSecurityKey(Convert.FromBase64String(config["Jwt:Key"]!)),
    };
}

// === safe: ValidateToken
using System.IdentityModel.Tokens.Jwt;
using System.Security.Claims;
using Microsoft.AspNetCore.Mvc;
using Microsoft.IdentityModel.Tokens;

public class AdminController : Controller
{
    private readonly TokenValidationParameters _parameters;

    public AdminController(TokenValidationParameters parameters) => _parameters = parameters;

    [HttpGet("/admin")]
    public IActionResult Admin([FromHeader(Name = "X-Token")] string token)
    {
        ClaimsPrincipal user = new JwtSecurityTokenHandler().ValidateToken(token, _parameters, out _);
        return user.IsInRole("admin") ? Ok("settings") : Forbid();
    }
}

// === safe: key from configuration
using System.IdentityModel.Tokens.Jwt;
using System.Security.Claims;
using System;
using Microsoft.Extensions.Configuration;
using Microsoft.IdentityModel.Tokens;

public class TokenService
{
    private readonly IConfiguration _config;

    public TokenService(IConfiguration config) => _config = config;

    public string Issue(string user)
    {
        var key = new SymmetricSecurityKey(Convert.FromBase64String(_config["Jwt:Key"]!));
        var credentials = new SigningCredentials(key, SecurityAlgorithms.HmacSha256);
        var token = new JwtSecurityToken("portal", "portal", new[] { new Claim("sub", user) }, null, DateTime.UtcNow.AddMinutes(15), credentials);
        return new JwtSecurityTokenHandler().WriteToken(token);
    }
}

// === safe: authority with defaults
using Microsoft.AspNetCore.Authentication.JwtBearer;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

public static class Auth
{
    public static void Add(IServiceCollection services, IConfiguration config)
    {
        services.AddAuthentication(JwtBearerDefaults.AuthenticationScheme).AddJwtBearer(o =>
        {
            o.Authority = config["Oidc:Authority"];
            o.Audience = "portal";
        });
    }
}

// === safe: JWT.NET with verification
using System.Collections.Generic;
using System;
using JWT.Algorithms;
using JWT.Builder;
using Microsoft.AspNetCore.Mvc;

public class MeController : Controller
{
    private readonly string _secret = Environment.GetEnvironmentVariable("JWT_SECRET")!;

    [HttpGet("/me")]
    public IActionResult Me([FromQuery] string token)
    {
        var payload = JwtBuilder.Create()
            .WithAlgorithm(new HMACSHA256Algorithm())
            .WithSecret(_secret)
            .MustVerifySignature()
            .Decode<Dictionary<string, object>>(token);
        return Ok(payload["sub"]);
    }
}

// === vulnerable: a token is read, nobody asks who signed it
using System.IdentityModel.Tokens.Jwt;
using System.Linq;
using Microsoft.AspNetCore.Http;

public static class CurrentUser
{
    public static string Id(HttpRequest request)
    {
        var header = request.Headers["Authorization"].ToString();
        var token = new JwtSecurityTokenHandler().ReadJwtToken(header.Replace("Bearer ", ""));
        return token.Claims.First(claim => claim.Type == "sub").Value;
    }
}
