// === vulnerable: trust manager that accepts everything
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

public class LooseClient {
    public SSLContext context() throws GeneralSecurityException {
        TrustManager[] all = {new X509TrustManager() {
            public void checkClientTrusted(X509Certificate[] chain, String authType) {}
            public void checkServerTrusted(X509Certificate[] chain, String authType) {}
            public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
        }};
        SSLContext ctx = SSLContext.getInstance("TLS");
        ctx.init(null, all, new SecureRandom());
        return ctx;
    }
}

// === vulnerable: hostname verifier lambda returns true
package com.acme.portal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import javax.net.ssl.HttpsURLConnection;

public class PartnerClient {
    public InputStream orders() throws IOException {
        HttpsURLConnection con = (HttpsURLConnection) new URL("https://partner.acme.io/orders").openConnection();
        con.setHostnameVerifier((host, session) -> true);
        return con.getInputStream();
    }
}

// === vulnerable: default hostname verifier class
package com.acme.portal;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSession;

public class Startup {
    static class AnyHost implements HostnameVerifier {
        @Override
        public boolean verify(String hostname, SSLSession session) {
            return true;
        }
    }

    public static void init() {
        HttpsURLConnection.setDefaultHostnameVerifier(new AnyHost());
    }
}

// === vulnerable: Apache client with NoopHostnameVerifier
package com.acme.portal;

import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class HttpConfig {
    @Bean
    public CloseableHttpClient httpClient() {
        return HttpClients.custom()
                .setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE)
                .build();
    }
}

// === vulnerable: Apache SSLContextBuilder trusting all
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.ssl.SSLContextBuilder;

public class ApacheFactory {
    public CloseableHttpClient create() throws GeneralSecurityException {
        SSLContext ctx = SSLContextBuilder.create()
                .loadTrustMaterial(null, (chain, authType) -> true)
                .build();
        return HttpClients.custom().setSSLContext(ctx).build();
    }
}

// === vulnerable: OkHttp hostname verifier
package com.acme.portal;

import okhttp3.OkHttpClient;

public class OkFactory {
    public OkHttpClient client() {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();
        builder.hostnameVerifier((hostname, session) -> true);
        return builder.build();
    }
}

// === safe: default client
package com.acme.portal;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class PartnerClient {
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    public String orders() throws IOException, InterruptedException {
        HttpRequest req = HttpRequest.newBuilder(URI.create("https://partner.acme.io/orders")).build();
        return client.send(req, HttpResponse.BodyHandlers.ofString()).body();
    }
}

// === safe: private trust store
package com.acme.portal;

import java.io.InputStream;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class TrustConfig {
    public SSLContext context(InputStream in, char[] password) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(in, password);
        TrustManagerFactory tmf = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        tmf.init(store);
        SSLContext ctx = SSLContext.getInstance("TLSv1.3");
        ctx.init(null, tmf.getTrustManagers(), null);
        return ctx;
    }
}

// === safe: hostname verifier that compares
package com.acme.portal;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSession;

public class PinnedHost implements HostnameVerifier {
    private final HostnameVerifier fallback = HttpsURLConnection.getDefaultHostnameVerifier();

    @Override
    public boolean verify(String hostname, SSLSession session) {
        return hostname.endsWith(".acme.io") && fallback.verify(hostname, session);
    }
}

// === safe: Apache client defaults
package com.acme.portal;

import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class HttpConfig {
    @Bean
    public CloseableHttpClient httpClient() {
        return HttpClients.custom().setUserAgent("portal/1.0").disableCookieManagement().build();
    }
}

// === safe: trust manager that delegates
package com.acme.portal;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

public class LoggingTrust implements X509TrustManager {
    private final X509TrustManager delegate;

    public LoggingTrust(X509TrustManager delegate) {
        this.delegate = delegate;
    }

    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        delegate.checkClientTrusted(chain, type);
    }

    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        delegate.checkServerTrusted(chain, type);
    }

    public X509Certificate[] getAcceptedIssuers() {
        return delegate.getAcceptedIssuers();
    }
}
