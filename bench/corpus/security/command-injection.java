// === vulnerable: Runtime.exec with a concatenated parameter
package com.acme.portal;

import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PingController {
    @GetMapping("/ping")
    public String ping(@RequestParam String host) throws IOException {
        Process p = Runtime.getRuntime().exec("ping -c 1 " + host);
        return new String(p.getInputStream().readAllBytes());
    }
}

// === vulnerable: ProcessBuilder with sh -c
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class ConvertServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String file = req.getParameter("file");
        ProcessBuilder pb = new ProcessBuilder("sh", "-c", "convert /uploads/" + file + " /thumbs/out.png");
        pb.redirectErrorStream(true);
        pb.start();
        resp.setStatus(204);
    }
}

// === vulnerable: String array with bash -c and format
package com.acme.portal;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class BackupController {
    @PostMapping("/backup")
    public int backup(@RequestBody Map<String, String> body) throws Exception {
        String line = String.format("pg_dump %s > /backups/%s.sql", body.get("db"), body.get("db"));
        String[] cmd = {"/bin/bash", "-c", line};
        return Runtime.getRuntime().exec(cmd).waitFor();
    }
}

// === vulnerable: list command built by a helper
package com.acme.portal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LogController {
    private List<String> command(String pattern) {
        List<String> cmd = new ArrayList<>();
        cmd.add("bash");
        cmd.add("-c");
        cmd.add("grep '" + pattern + "' /var/log/app.log | tail -n 20");
        return cmd;
    }

    @GetMapping("/logs")
    public String logs(@RequestParam String pattern) throws IOException {
        Process p = new ProcessBuilder(command(pattern)).start();
        return new String(p.getInputStream().readAllBytes());
    }
}

// === vulnerable: program name from the path
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ToolController {
    @GetMapping("/tools/{name}")
    public int run(@PathVariable String name) throws Exception {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command(name, "--version");
        return builder.start().waitFor();
    }
}

// === vulnerable: cmd.exe with a header value
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class LookupServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String host = request.getHeader("X-Lookup");
        Runtime rt = Runtime.getRuntime();
        Process proc = rt.exec(new String[] {"cmd.exe", "/c", "nslookup " + host});
        proc.getInputStream().transferTo(response.getOutputStream());
    }
}

// === safe: argument list with a validated host
package com.acme.portal;

import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PingController {
    private static final Pattern HOST = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9.-]{0,250}");

    @GetMapping("/ping")
    public String ping(@RequestParam String host) throws IOException {
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("host");
        }
        Process p = new ProcessBuilder("ping", "-c", "1", host).start();
        return new String(p.getInputStream().readAllBytes());
    }
}

// === safe: constant command
package com.acme.portal;

import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class UptimeController {
    @GetMapping("/uptime")
    public String uptime(@RequestParam(required = false) String tz) throws IOException {
        Process p = Runtime.getRuntime().exec(new String[] {"/usr/bin/uptime", "-p"});
        return tz + " " + new String(p.getInputStream().readAllBytes());
    }
}

// === safe: switch picks the command
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class ServiceServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String action;
        switch (req.getParameter("action")) {
            case "start": action = "start"; break;
            case "stop": action = "stop"; break;
            default: resp.sendError(400); return;
        }
        new ProcessBuilder("systemctl", action, "portal-worker").start();
    }
}

// === safe: value passed through standard input
package com.acme.portal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class FormatController {
    @PostMapping("/format")
    public String format(@RequestBody String source) throws IOException {
        Process p = new ProcessBuilder("clang-format").start();
        try (OutputStream out = p.getOutputStream()) {
            out.write(source.getBytes(StandardCharsets.UTF_8));
        }
        return new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}

// === safe: integer argument
package com.acme.portal;

import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TailController {
    @GetMapping("/tail")
    public String tail(@RequestParam int lines) throws IOException {
        Process p = new ProcessBuilder("tail", "-n", String.valueOf(lines), "/var/log/app.log").start();
        return new String(p.getInputStream().readAllBytes());
    }
}

// === safe: exec of a regex helper
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class MatchServlet extends HttpServlet {
    static class Matcher {
        boolean exec(String text) {
            return text.startsWith("order-");
        }
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        boolean ok = new Matcher().exec("order-" + req.getParameter("id"));
        resp.setStatus(ok ? 200 : 404);
    }
}

// === vulnerable: a report made by a script, its title in the line
package com.example.reports;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import jakarta.servlet.http.*;

public class ReportServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String title = request.getParameter("title");
        String[] command = {"/bin/sh", "-c", "/opt/reports/make.sh --title \"" + title + "\""};
        Process process = Runtime.getRuntime().exec(command);
        try {
            response.setStatus(process.waitFor(30, TimeUnit.SECONDS) ? 201 : 504);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

// === safe: each value is an argument, none is a script
package com.example.reports;

import java.io.IOException;
import java.util.*;
import org.springframework.web.bind.annotation.*;

@RestController
class ReportController {
    @PostMapping("/reports")
    void make(@RequestParam String title, @RequestParam int year) throws IOException {
        List<String> command = new ArrayList<>(List.of("/opt/reports/make", "--year", String.valueOf(year)));
        command.add("--title");
        command.add(title);
        new ProcessBuilder(command).inheritIO().start();
    }
}
