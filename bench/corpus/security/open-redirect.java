// === vulnerable: sendRedirect with a parameter
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

@WebServlet("/login")
public class LoginServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String next = req.getParameter("next");
        resp.sendRedirect(next);
    }
}

// === vulnerable: redirect: prefix view name
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
public class SessionController {
    @PostMapping("/logout")
    public String logout(@RequestParam(defaultValue = "/") String returnTo) {
        return "redirect:" + returnTo;
    }
}

// === vulnerable: RedirectView
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.view.RedirectView;

@Controller
public class OutController {
    @GetMapping("/out")
    public RedirectView out(@RequestParam("to") String to) {
        RedirectView view = new RedirectView();
        view.setUrl(to);
        return view;
    }
}

// === vulnerable: Location header of a ResponseEntity
package com.acme.portal;

import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ContinueController {
    @GetMapping("/continue")
    public ResponseEntity<Void> go(@RequestParam String url) {
        HttpHeaders headers = new HttpHeaders();
        headers.setLocation(URI.create(url));
        return new ResponseEntity<>(headers, HttpStatus.FOUND);
    }
}

// === vulnerable: Location set by hand through a helper
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

public class JumpServlet extends HttpServlet {
    private String target(HttpServletRequest req) {
        String t = req.getParameter("target");
        return t == null ? "/" : t;
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) {
        resp.setStatus(HttpServletResponse.SC_MOVED_TEMPORARILY);
        resp.setHeader("Location", target(req));
    }
}

// === vulnerable: ModelAndView with redirect and host part
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

@Controller
public class CountryController {
    @GetMapping("/country")
    public ModelAndView country(@RequestParam String site) {
        String url = String.format("https://%s/start", site);
        return new ModelAndView("redirect:" + url);
    }
}

// === safe: constant target
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

@WebServlet("/login")
public class LoginServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        boolean admin = "admin".equals(req.getParameter("role"));
        resp.sendRedirect(admin ? "/admin" : "/home");
    }
}

// === safe: target by key
package com.acme.portal;

import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.view.RedirectView;

@Controller
public class OutController {
    private static final Map<String, String> TARGETS = Map.of("docs", "https://docs.acme.io", "blog", "https://blog.acme.io");

    @GetMapping("/out")
    public RedirectView out(@RequestParam("to") String to) {
        return new RedirectView(TARGETS.getOrDefault(to, "/"));
    }
}

// === safe: local path check
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class JumpServlet extends HttpServlet {
    private static String local(String t) {
        if (t == null || !t.startsWith("/") || t.startsWith("//") || t.startsWith("/\\")) {
            return "/";
        }
        return t;
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        resp.sendRedirect(local(req.getParameter("target")));
    }
}

// === safe: host compared with an allow-list
package com.acme.portal;

import java.net.URI;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ContinueController {
    private static final Set<String> HOSTS = Set.of("www.acme.io", "shop.acme.io");

    @GetMapping("/continue")
    public ResponseEntity<Void> go(@RequestParam String url) {
        URI uri = URI.create(url);
        if (!"https".equals(uri.getScheme()) || !HOSTS.contains(uri.getHost())) {
            return ResponseEntity.badRequest().build();
        }
        return ResponseEntity.status(HttpStatus.FOUND).location(uri).build();
    }
}

// === safe: numeric id in a local redirect
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
public class ItemController {
    @PostMapping("/items")
    public String create(@RequestParam long id) {
        return "redirect:/items/" + id;
    }
}

// === vulnerable: a link in a mail is counted and followed
package com.example.mails;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.*;

@Controller
class ClickController {
    private final Clicks clicks;

    ClickController(Clicks clicks) {
        this.clicks = clicks;
    }

    @GetMapping("/click/{mail}")
    void follow(@PathVariable long mail, @RequestParam String link, HttpServletResponse response) throws IOException {
        clicks.count(mail, link);
        response.sendRedirect(link);
    }
}

// === safe: a link of a mail is looked up by its number
package com.example.mails;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.*;

@Controller
class ClickController {
    private final Links links;

    ClickController(Links links) {
        this.links = links;
    }

    @GetMapping("/click/{number}")
    String follow(@PathVariable long number, @RequestParam(required = false) String campaign) {
        links.count(number, campaign);
        return "redirect:" + links.address(number);
    }
}
