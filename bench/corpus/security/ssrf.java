// === vulnerable: URL.openStream of a parameter
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;

@WebServlet("/fetch")
public class FetchServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        URL url = new URL(req.getParameter("url"));
        try (InputStream in = url.openStream()) {
            in.transferTo(resp.getOutputStream());
        }
    }
}

// === vulnerable: RestTemplate with a request parameter
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

@RestController
public class PreviewController {
    private final RestTemplate rest = new RestTemplate();

    @GetMapping("/preview")
    public String preview(@RequestParam String link) {
        return rest.getForObject(link, String.class);
    }
}

// === vulnerable: java.net.http client with a body field
package com.acme.portal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class WebhookController {
    record Hook(String callback) {}

    private final HttpClient client = HttpClient.newHttpClient();

    @PostMapping("/hooks/test")
    public int test(@RequestBody Hook hook) throws Exception {
        HttpRequest req = HttpRequest.newBuilder(URI.create(hook.callback()))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return client.send(req, HttpResponse.BodyHandlers.ofString()).statusCode();
    }
}

// === vulnerable: host part concatenated for HttpURLConnection
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

public class NodeServlet extends HttpServlet {
    private HttpURLConnection open(String address) throws IOException {
        return (HttpURLConnection) new URL(address).openConnection();
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String node = req.getParameter("node");
        HttpURLConnection con = open("http://" + node + "/status");
        con.setConnectTimeout(2000);
        resp.setStatus(con.getResponseCode());
    }
}

// === vulnerable: OkHttp with a header value
package com.acme.portal;

import java.io.IOException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ProxyController {
    private final OkHttpClient http = new OkHttpClient();

    @GetMapping("/proxy")
    public String proxy(@RequestHeader("X-Target") String target) throws IOException {
        Request request = new Request.Builder().url(target).build();
        try (Response response = http.newCall(request).execute()) {
            return response.body().string();
        }
    }
}

// === vulnerable: WebClient with a path variable as host
package com.acme.portal;

import java.net.URI;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;

@RestController
public class TenantController {
    private final WebClient web = WebClient.create();

    @GetMapping("/tenant/{host}/info")
    public String info(@PathVariable String host) {
        String uri = String.format("https://%s/api/info", host);
        return web.get().uri(URI.create(uri)).retrieve().bodyToMono(String.class).block();
    }
}

// === safe: host allow-list
package com.acme.portal;

import java.net.URI;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

@RestController
public class PreviewController {
    private static final Set<String> HOSTS = Set.of("cdn.acme.io", "img.acme.io");
    private final RestTemplate rest = new RestTemplate();

    @GetMapping("/preview")
    public ResponseEntity<String> preview(@RequestParam String link) {
        URI uri = URI.create(link);
        if (!"https".equals(uri.getScheme()) || !HOSTS.contains(uri.getHost())) {
            return ResponseEntity.badRequest().build();
        }
        return ResponseEntity.ok(rest.getForObject(uri, String.class));
    }
}

// === safe: fixed host with URI variables
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

@RestController
public class WeatherController {
    private final RestTemplate rest = new RestTemplate();

    @GetMapping("/weather")
    public String weather(@RequestParam String city) {
        return rest.getForObject("https://api.weather.acme.io/now?city={city}", String.class, city);
    }
}

// === safe: URL from configuration
package com.acme.portal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RatesController {
    @Value("${rates.url}")
    private String ratesUrl;

    @GetMapping("/rates")
    public String rates(@RequestParam String currency) throws Exception {
        HttpRequest req = HttpRequest.newBuilder(URI.create(ratesUrl)).header("X-Currency-Length", "" + currency.length()).build();
        return HttpClient.newHttpClient().send(req, HttpResponse.BodyHandlers.ofString()).body();
    }
}

// === safe: endpoint by key
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.Map;

public class HealthServlet extends HttpServlet {
    private static final Map<String, String> BACKENDS = Map.of(
            "stock", "http://stock.internal/health",
            "users", "http://users.internal/health");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String target = BACKENDS.get(req.getParameter("name"));
        if (target == null) {
            resp.sendError(404);
            return;
        }
        HttpURLConnection con = (HttpURLConnection) new URL(target).openConnection();
        resp.setStatus(con.getResponseCode());
    }
}

// === safe: URI only parsed for display
package com.acme.portal;

import java.net.URI;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LinkController {
    @GetMapping("/link/host")
    public Map<String, String> host(@RequestParam String link) {
        URI uri = URI.create(link);
        return Map.of("host", String.valueOf(uri.getHost()), "scheme", String.valueOf(uri.getScheme()));
    }
}

// === vulnerable: a picture is fetched from where the form says
package com.example.pictures;

import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.*;

@RestController
class PictureController {
    private final HttpClient http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    record Picture(String address, String caption) {}

    @PostMapping("/pictures")
    int add(@RequestBody Picture picture) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder().uri(URI.create(picture.address())).build();
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return answer.body().length;
    }
}

// === safe: hosts that pictures may come from
package com.example.pictures;

import java.io.*;
import java.net.*;
import java.util.Set;
import org.springframework.web.bind.annotation.*;

@RestController
class PictureController {
    private static final Set<String> HOSTS = Set.of("pictures.example.com", "cdn.example.com");

    @PostMapping("/pictures")
    byte[] add(@RequestParam String address) throws IOException {
        URL url = URI.create(address).toURL();
        if (!HOSTS.contains(url.getHost())) {
            throw new IllegalArgumentException("host");
        }
        try (InputStream in = url.openStream()) {
            return in.readAllBytes();
        }
    }
}
