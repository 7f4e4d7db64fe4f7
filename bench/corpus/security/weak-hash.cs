// === vulnerable: MD5.Create for a password
using System.Security.Cryptography;
using System.Text;
using System;

public class PasswordService
{
    public string HashPassword(string password)
    {
        using var md5 = MD5.Create();
        byte[] digest = md5.ComputeHash(Encoding.UTF8.GetBytes(password));
        return Convert.ToHexString(digest);
    }
}

// === vulnerable: SHA1.HashData with a salt
using System.Security.Cryptography;
using System.Text;

public static class Credentials
{
    public static byte[] PasswordHash(string salt, string password)
    {
        return SHA1.HashData(Encoding.UTF8.GetBytes(salt + password));
    }
}

// === vulnerable: HMACMD5 signature
using System.Security.Cryptography;

public class WebhookVerifier
{
    public bool Verify(byte[] secret, byte[] body, byte[] signature)
    {
        using var mac = new HMACMD5(secret);
        return CryptographicOperations.FixedTimeEquals(mac.ComputeHash(body), signature);
    }
}

// === vulnerable: MD5CryptoServiceProvider in a controller
using System.Security.Cryptography;
using System.Text;
using System;
using Microsoft.AspNetCore.Mvc;

public class RegisterController : Controller
{
    [HttpPost("/register")]
    public IActionResult Register(string name, string password)
    {
        var provider = new MD5CryptoServiceProvider();
        var passwordHash = BitConverter.ToString(provider.ComputeHash(Encoding.UTF8.GetBytes(password)));
        return Ok(new { name, passwordHash });
    }
}

// === vulnerable: RSA signature with SHA1
using System.Security.Cryptography;

public class LicenseSigner
{
    public byte[] Sign(RSA key, byte[] license)
    {
        return key.SignData(license, HashAlgorithmName.SHA1, RSASignaturePadding.Pkcs1);
    }
}

// === vulnerable: reset token with HashAlgorithm.Create
using System.Security.Cryptography;
using System.Text;
using System;

public class ResetService
{
    public string Token(string email)
    {
        using var hash = HashAlgorithm.Create("MD5")!;
        var raw = Encoding.UTF8.GetBytes($"{email}:{DateTime.UtcNow.Ticks}");
        return Convert.ToBase64String(hash.ComputeHash(raw));
    }
}

// === safe: PasswordHasher
using Microsoft.AspNetCore.Identity;

public class PasswordService
{
    private readonly PasswordHasher<string> _hasher = new();

    public string HashPassword(string user, string password)
    {
        return _hasher.HashPassword(user, password);
    }
}

// === safe: PBKDF2 with SHA-256
using System.Security.Cryptography;

public static class Credentials
{
    public static byte[] PasswordHash(byte[] salt, string password)
    {
        return Rfc2898DeriveBytes.Pbkdf2(password, salt, 600_000, HashAlgorithmName.SHA256, 32);
    }
}

// === safe: HMACSHA256
using System.Security.Cryptography;

public class WebhookVerifier
{
    public bool Verify(byte[] secret, byte[] body, byte[] signature)
    {
        using var mac = new HMACSHA256(secret);
        return CryptographicOperations.FixedTimeEquals(mac.ComputeHash(body), signature);
    }
}

// === safe: SHA256 of a document
using System.IO;
using System.Security.Cryptography;
using System;

public class Fingerprint
{
    public string Of(Stream document)
    {
        using var sha = SHA256.Create();
        return Convert.ToHexString(sha.ComputeHash(document));
    }
}

// === safe: RSA signature with SHA512
using System.Security.Cryptography;

public class LicenseSigner
{
    public byte[] Sign(RSA key, byte[] license)
    {
        return key.SignData(license, HashAlgorithmName.SHA512, RSASignaturePadding.Pss);
    }
}

// === vulnerable: passwords, kept as SHA-1
using System;
using System.Security.Cryptography;
using System.Text;

public class Members
{
    public void Register(Member member, string password)
    {
        using var sha = SHA1.Create();
        member.PasswordHash = Convert.ToBase64String(sha.ComputeHash(Encoding.UTF8.GetBytes(password)));
        Save(member);
    }
}

// === safe: passwords, kept by the framework
using Microsoft.AspNetCore.Identity;

public class Members
{
    private readonly IPasswordHasher<Member> _hasher;

    public Members(IPasswordHasher<Member> hasher) => _hasher = hasher;

    public void Register(Member member, string password)
    {
        member.PasswordHash = _hasher.HashPassword(member, password);
        Save(member);
    }
}
