// === vulnerable: DES.Create
using System.Security.Cryptography;

public class CardVault
{
    public byte[] Encrypt(byte[] key, byte[] iv, byte[] plain)
    {
        using var des = DES.Create();
        using var encryptor = des.CreateEncryptor(key, iv);
        return encryptor.TransformFinalBlock(plain, 0, plain.Length);
    }
}

// === vulnerable: AES in ECB mode
using System.Security.Cryptography;
using System.Text;

public class NoteCipher
{
    public byte[] Encrypt(byte[] key, string note)
    {
        using var aes = Aes.Create();
        aes.Key = key;
        aes.Mode = CipherMode.ECB;
        using ICryptoTransform t = aes.CreateEncryptor();
        var bytes = Encoding.UTF8.GetBytes(note);
        return t.TransformFinalBlock(bytes, 0, bytes.Length);
    }
}

// === vulnerable: TripleDES
using System.IO;
using System.Linq;
using System.Security.Cryptography;

public class LegacyBox
{
    public byte[] Seal(byte[] key, byte[] iv, byte[] data)
    {
        using var tdes = TripleDES.Create();
        tdes.Key = key;
        tdes.IV = iv;
        using var stream = new MemoryStream();
        using (var crypto = new CryptoStream(stream, tdes.CreateEncryptor(), CryptoStreamMode.Write))
        {
            crypto.Write(data, 0, data.Length);
        }
        return stream.ToArray();
    }
}

// === vulnerable: RC2
using System.Security.Cryptography;

public class ArchiveLock
{
    public byte[] Lock(byte[] key, byte[] iv, byte[] data)
    {
        using RC2 rc2 = RC2.Create();
        return rc2.CreateEncryptor(key, iv).TransformFinalBlock(data, 0, data.Length);
    }
}

// === vulnerable: DESCryptoServiceProvider
using System.Security.Cryptography;
using System.Text;
using System;

public class TokenCipher
{
    public string Seal(string token, byte[] key)
    {
        var provider = new DESCryptoServiceProvider { Key = key, Mode = CipherMode.ECB };
        var raw = Encoding.UTF8.GetBytes(token);
        return Convert.ToBase64String(provider.CreateEncryptor().TransformFinalBlock(raw, 0, raw.Length));
    }
}

// === vulnerable: AesManaged initialiser with ECB
using System.Security.Cryptography;

public class FileCipher
{
    public ICryptoTransform Create(byte[] key)
    {
        var aes = new AesManaged
        {
            Key = key,
            Mode = CipherMode.ECB,
            Padding = PaddingMode.PKCS7,
        };
        return aes.CreateEncryptor();
    }
}

// === safe: AesGcm
using System.Security.Cryptography;

public class CardVault
{
    public (byte[] nonce, byte[] tag, byte[] box) Encrypt(byte[] key, byte[] plain)
    {
        var nonce = RandomNumberGenerator.GetBytes(12);
        var tag = new byte[16];
        var box = new byte[plain.Length];
        using var gcm = new AesGcm(key, 16);
        gcm.Encrypt(nonce, plain, box, tag);
        return (nonce, tag, box);
    }
}

// === safe: ChaCha20Poly1305
using System.Security.Cryptography;

public class NoteCipher
{
    public byte[] Encrypt(byte[] key, byte[] nonce, byte[] plain, byte[] tag)
    {
        var box = new byte[plain.Length];
        using var chacha = new ChaCha20Poly1305(key);
        chacha.Encrypt(nonce, plain, box, tag);
        return box;
    }
}

// === safe: AES CBC with HMAC afterwards
using System.Linq;
using System.Security.Cryptography;

public class LegacyBox
{
    public byte[] Seal(byte[] key, byte[] macKey, byte[] data)
    {
        using var aes = Aes.Create();
        aes.Key = key;
        aes.GenerateIV();
        var box = aes.IV.Concat(aes.EncryptCbc(data, aes.IV)).ToArray();
        var tag = HMACSHA256.HashData(macKey, box);
        return box.Concat(tag).ToArray();
    }
}

// === safe: RSA with OAEP
using System.Security.Cryptography;

public class KeyWrap
{
    public byte[] Wrap(RSA key, byte[] secret)
    {
        return key.Encrypt(secret, RSAEncryptionPadding.OaepSHA256);
    }
}

// === safe: DES as the name of another class
public static class DES
{
    public static DataEntryScreen Create(string title) => new(title);
}

public record DataEntryScreen(string Title);

public class ScreenFactory
{
    public DataEntryScreen Orders() => DES.Create("Orders");
}
