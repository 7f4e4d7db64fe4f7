// === vulnerable: servlet writes a parameter into html
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

@WebServlet("/hello")
public class HelloServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        resp.setContentType("text/html;charset=UTF-8");
        PrintWriter out = resp.getWriter();
        out.println("<h1>Hello " + req.getParameter("name") + "</h1>");
    }
}

// === vulnerable: ResponseBody with text/html
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GreetingController {
    @GetMapping(value = "/greet", produces = "text/html")
    public String greet(@RequestParam String user) {
        return "<html><body><p>Welcome back, " + user + "</p></body></html>";
    }
}

// === vulnerable: String.format through getWriter().printf
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class SearchServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/html");
        String q = request.getParameter("q");
        String line = String.format("<p>No results for <b>%s</b></p>", q);
        response.getWriter().write(line);
    }
}

// === vulnerable: ResponseEntity with html media type
package com.acme.portal;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
public class PreviewController {
    private String wrap(String inner) {
        StringBuilder sb = new StringBuilder("<article>");
        sb.append(inner).append("</article>");
        return sb.toString();
    }

    @PostMapping("/preview")
    public ResponseEntity<String> preview(@RequestParam("body") String body) {
        return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body(wrap(body));
    }
}

// === vulnerable: cookie value printed into html
package com.acme.portal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class ThemeServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String theme = "light";
        for (Cookie c : req.getCookies()) {
            if (c.getName().equals("theme")) {
                theme = c.getValue();
            }
        }
        resp.setContentType("text/html");
        resp.getWriter().print("<body class=\"" + theme + "\"></body>");
    }
}

// === vulnerable: header echoed in an error page
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

public class ErrorServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String page = req.getHeader("Referer");
        resp.setContentType("text/html");
        try (PrintWriter w = resp.getWriter()) {
            w.append("<p>The page ").append(page).append(" does not exist.</p>");
        }
    }
}

// === safe: OWASP Encode.forHtml
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.owasp.encoder.Encode;

@WebServlet("/hello")
public class HelloServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        resp.setContentType("text/html;charset=UTF-8");
        resp.getWriter().println("<h1>Hello " + Encode.forHtml(req.getParameter("name")) + "</h1>");
    }
}

// === safe: HtmlUtils.htmlEscape
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

@RestController
public class GreetingController {
    @GetMapping(value = "/greet", produces = "text/html")
    public String greet(@RequestParam String user) {
        String safe = HtmlUtils.htmlEscape(user);
        return "<html><body><p>Welcome back, " + safe + "</p></body></html>";
    }
}

// === safe: model attribute rendered by the view
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
public class SearchController {
    @GetMapping("/search")
    public String search(@RequestParam String q, Model model) {
        model.addAttribute("q", q);
        return "search";
    }
}

// === safe: plain text
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class EchoServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        resp.setContentType("text/plain");
        resp.setHeader("X-Content-Type-Options", "nosniff");
        resp.getWriter().println("echo " + req.getParameter("msg"));
    }
}

// === safe: number in html
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class PageServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        int page = Integer.parseInt(req.getParameter("page"));
        resp.setContentType("text/html");
        resp.getWriter().println("<p>Page " + page + "</p>");
    }
}

// === safe: jsoup clean with a safelist
package com.acme.portal;

import org.jsoup.Jsoup;
import org.jsoup.safety.Safelist;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class CommentController {
    @PostMapping(value = "/comment", produces = MediaType.TEXT_HTML_VALUE)
    public String preview(@RequestParam String comment) {
        String clean = Jsoup.clean(comment, Safelist.basic());
        return "<div>" + clean + "</div>";
    }
}

// === vulnerable: what was searched for, in the page of a servlet
package com.example.search;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.*;
import java.io.*;

@WebServlet("/search")
public class SearchServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String words = request.getParameter("words");
        response.setContentType("text/html;charset=UTF-8");
        StringBuilder page = new StringBuilder("<html><body><h1>Found</h1>");
        page.append("<p>for <em>").append(words).append("</em></p>");
        page.append("</body></html>");
        response.getWriter().write(page.toString());
    }
}

// === safe: what was searched for goes into a model
package com.example.search;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.*;

@Controller
class SearchController {
    private final Index index;

    SearchController(Index index) {
        this.index = index;
    }

    @GetMapping("/search")
    String search(@RequestParam String words, Model model) {
        model.addAttribute("words", words);
        model.addAttribute("found", index.find(words));
        return "search";
    }
}
