// === vulnerable: callback returns true
using System.Net.Http;

public class PartnerClient
{
    public HttpClient Create()
    {
        var handler = new HttpClientHandler
        {
            ServerCertificateCustomValidationCallback = (message, cert, chain, errors) => true,
        };
        return new HttpClient(handler);
    }
}

// === vulnerable: dangerous accept any
using System.Net.Http;

public class RatesClient
{
    public HttpClient Create()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback =
            HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;
        return new HttpClient(handler);
    }
}

// === vulnerable: ServicePointManager
using System.Net;

public static class Startup
{
    public static void Configure()
    {
        ServicePointManager.ServerCertificateValidationCallback += (sender, certificate, chain, errors) => true;
    }
}

// === vulnerable: SslStream callback method
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

public class MailChannel
{
    private static bool Accept(object sender, X509Certificate? cert, X509Chain? chain, SslPolicyErrors errors)
    {
        return true;
    }

    public SslStream Open(TcpClient tcp)
    {
        return new SslStream(tcp.GetStream(), false, Accept);
    }
}

// === vulnerable: SocketsHttpHandler options
using System.Net.Http;
using System.Net.Security;

public class StockClient
{
    public HttpClient Create()
    {
        var handler = new SocketsHttpHandler
        {
            SslOptions = new SslClientAuthenticationOptions
            {
                RemoteCertificateValidationCallback = delegate { return true; },
            },
        };
        return new HttpClient(handler);
    }
}

// === vulnerable: TrustServerCertificate in the connection string
using Microsoft.Data.SqlClient;

public class Database
{
    public SqlConnection Open()
    {
        var con = new SqlConnection("Server=db.acme.io;Database=portal;Integrated Security=true;Encrypt=true;TrustServerCertificate=true");
        con.Open();
        return con;
    }
}

// === safe: default handler
using System.Net.Http;

public class PartnerClient
{
    public HttpClient Create()
    {
        var handler = new HttpClientHandler { CheckCertificateRevocationList = true };
        return new HttpClient(handler);
    }
}

// === safe: callback checks the errors
using System.Net.Http;
using System.Net.Security;

public class RatesClient
{
    public HttpClient Create()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) => errors == SslPolicyErrors.None;
        return new HttpClient(handler);
    }
}

// === safe: SslStream without callback
using System.Net.Security;
using System.Net.Sockets;
using System.Threading.Tasks;

public class MailChannel
{
    public async Task<SslStream> Open(TcpClient tcp)
    {
        var ssl = new SslStream(tcp.GetStream());
        await ssl.AuthenticateAsClientAsync("smtp.acme.io");
        return ssl;
    }
}

// === safe: pinned thumbprint with errors checked
using System.Net.Http;
using System.Net.Security;
using Microsoft.Extensions.Configuration;

public class StockClient
{
    private readonly string _thumbprint;

    public StockClient(IConfiguration config) => _thumbprint = config["Stock:Thumbprint"]!;

    public HttpClient Create() => new(new HttpClientHandler
    {
        ServerCertificateCustomValidationCallback = (_, cert, _, errors) =>
            errors == SslPolicyErrors.None && cert!.Thumbprint == _thumbprint,
    });
}

// === safe: TrustServerCertificate=false
using Microsoft.Data.SqlClient;

public class Database
{
    public SqlConnection Open()
    {
        var con = new SqlConnection("Server=db.acme.io;Database=portal;Integrated Security=true;Encrypt=true;TrustServerCertificate=false");
        con.Open();
        return con;
    }
}
