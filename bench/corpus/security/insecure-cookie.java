// === vulnerable: Cookie without flags
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

@WebServlet("/login")
public class LoginServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) {
        Cookie cookie = new Cookie("SESSION_TOKEN", UUID.randomUUID().toString());
        cookie.setPath("/");
        resp.addCookie(cookie);
    }
}

// === vulnerable: setSecure(false) and setHttpOnly(false)
package com.acme.portal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TokenController {
    @PostMapping("/token")
    public void token(HttpServletResponse response) {
        Cookie c = new Cookie("auth_token", UUID.randomUUID().toString());
        c.setHttpOnly(false);
        c.setSecure(false);
        c.setMaxAge(86400);
        response.addCookie(c);
    }
}

// === vulnerable: ResponseCookie with secure(false)
package com.acme.portal;

import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RememberController {
    @PostMapping("/remember")
    public ResponseEntity<Void> remember() {
        ResponseCookie cookie = ResponseCookie.from("remember_me", UUID.randomUUID().toString())
                .httpOnly(false)
                .secure(false)
                .path("/")
                .build();
        return ResponseEntity.ok().header(HttpHeaders.SET_COOKIE, cookie.toString()).build();
    }
}

// === vulnerable: secure only missing on a session cookie
package com.acme.portal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

public class SessionServlet extends HttpServlet {
    private Cookie build(String id) {
        Cookie cookie = new Cookie("sessionId", id);
        cookie.setHttpOnly(true);
        cookie.setSecure(false);
        return cookie;
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) {
        resp.addCookie(build(UUID.randomUUID().toString()));
    }
}

// === vulnerable: Set-Cookie header by hand
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

public class HeaderServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) {
        String sid = UUID.randomUUID().toString();
        resp.addHeader("Set-Cookie", "sid=" + sid + "; Path=/");
        resp.setStatus(204);
    }
}

// === safe: flags true
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

@WebServlet("/login")
public class LoginServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) {
        Cookie cookie = new Cookie("SESSION_TOKEN", UUID.randomUUID().toString());
        cookie.setPath("/");
        cookie.setHttpOnly(true);
        cookie.setSecure(true);
        cookie.setAttribute("SameSite", "Lax");
        resp.addCookie(cookie);
    }
}

// === safe: ResponseCookie with all attributes
package com.acme.portal;

import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RememberController {
    @PostMapping("/remember")
    public ResponseEntity<Void> remember() {
        ResponseCookie cookie = ResponseCookie.from("remember_me", UUID.randomUUID().toString())
                .httpOnly(true).secure(true).sameSite("Strict").path("/").build();
        return ResponseEntity.ok().header(HttpHeaders.SET_COOKIE, cookie.toString()).build();
    }
}

// === safe: helper sets the flags
package com.acme.portal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

public class SessionServlet extends HttpServlet {
    private void send(HttpServletResponse resp, Cookie cookie) {
        cookie.setHttpOnly(true);
        cookie.setSecure(true);
        resp.addCookie(cookie);
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) {
        send(resp, new Cookie("sessionId", UUID.randomUUID().toString()));
    }
}

// === safe: Set-Cookie header with attributes
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;

public class HeaderServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) {
        String sid = UUID.randomUUID().toString();
        resp.addHeader("Set-Cookie", "__Host-sid=" + sid + "; Path=/; Secure; HttpOnly; SameSite=Lax");
    }
}

// === safe: reading a cookie
package com.acme.portal;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class ReadServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        for (Cookie cookie : req.getCookies()) {
            if ("session_hint".equals(cookie.getName())) {
                resp.setStatus(cookie.getValue().isEmpty() ? 204 : 200);
            }
        }
    }
}
