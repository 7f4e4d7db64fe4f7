// === vulnerable: new File with a parameter
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

@WebServlet("/download")
public class DownloadServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        File file = new File("/srv/files/" + req.getParameter("name"));
        try (InputStream in = new FileInputStream(file)) {
            in.transferTo(resp.getOutputStream());
        }
    }
}

// === vulnerable: Paths.get with a query value
package com.acme.portal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DocController {
    @GetMapping("/doc")
    public byte[] doc(@RequestParam String path) throws IOException {
        return Files.readAllBytes(Paths.get("/data/docs", path));
    }
}

// === vulnerable: upload stored under the original file name
package com.acme.portal;

import java.io.File;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class UploadController {
    private static final String DIR = "/data/uploads/";

    @PostMapping("/upload")
    public String upload(@RequestParam("file") MultipartFile file) throws IOException {
        File target = new File(DIR + file.getOriginalFilename());
        file.transferTo(target);
        return "stored";
    }
}

// === vulnerable: resolve without check, delete
package com.acme.portal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class AttachmentController {
    private final Path base = Path.of("/data/attachments");

    private Path locate(String name) {
        return base.resolve(name);
    }

    @DeleteMapping("/attachments")
    public void remove(@RequestParam String name) throws IOException {
        Files.deleteIfExists(locate(name));
    }
}

// === vulnerable: FileSystemResource from a formatted string
package com.acme.portal;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportController {
    @GetMapping("/reports")
    public Resource report(@RequestParam String year, @RequestParam String file) {
        String location = String.format("/srv/reports/%s/%s", year, file);
        return new FileSystemResource(location);
    }
}

// === vulnerable: FileReader with a cookie value
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;

public class LangServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String lang = req.getCookies()[0].getValue();
        try (BufferedReader in = new BufferedReader(new FileReader("lang/" + lang + "/messages.txt"))) {
            resp.getWriter().println(in.readLine());
        }
    }
}

// === safe: normalised path with startsWith
package com.acme.portal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DocController {
    private static final Path BASE = Path.of("/data/docs").toAbsolutePath().normalize();

    @GetMapping("/doc")
    public ResponseEntity<byte[]> doc(@RequestParam String path) throws IOException {
        Path target = BASE.resolve(path).normalize();
        if (!target.startsWith(BASE)) {
            return ResponseEntity.badRequest().build();
        }
        return ResponseEntity.ok(Files.readAllBytes(target));
    }
}

// === safe: FilenameUtils.getName
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.io.FilenameUtils;

@WebServlet("/download")
public class DownloadServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String name = FilenameUtils.getName(req.getParameter("name"));
        try (InputStream in = new FileInputStream(new File("/srv/files", name))) {
            in.transferTo(resp.getOutputStream());
        }
    }
}

// === safe: canonical path check
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;

public class FileServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        File root = new File("/srv/files").getCanonicalFile();
        File file = new File(root, req.getParameter("name")).getCanonicalFile();
        if (!file.getPath().startsWith(root.getPath() + File.separator)) {
            resp.sendError(403);
            return;
        }
        Files.copy(file.toPath(), resp.getOutputStream());
    }
}

// === safe: generated name for an upload
package com.acme.portal;

import java.io.File;
import java.io.IOException;
import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class UploadController {
    @PostMapping("/upload")
    public String upload(@RequestParam("file") MultipartFile file) throws IOException {
        String name = UUID.randomUUID() + ".bin";
        file.transferTo(new File("/data/uploads/" + name));
        return name;
    }
}

// === safe: numeric id
package com.acme.portal;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class InvoiceController {
    @GetMapping("/invoices/{id}")
    public Resource invoice(@PathVariable long id) {
        return new FileSystemResource("/srv/invoices/" + id + ".pdf");
    }
}

// === safe: file from a constant map
package com.acme.portal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ManualController {
    private static final Map<String, String> MANUALS = Map.of("en", "/srv/manual-en.pdf", "de", "/srv/manual-de.pdf");

    @GetMapping("/manual")
    public ResponseEntity<byte[]> manual(@RequestParam String lang) throws IOException {
        String file = MANUALS.get(lang);
        if (file == null) {
            return ResponseEntity.notFound().build();
        }
        return ResponseEntity.ok(Files.readAllBytes(Path.of(file)));
    }
}

// === vulnerable: a template of a given name, streamed
package com.example.letters;

import java.io.*;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@RestController
@RequestMapping("/letters")
class LetterController {
    @GetMapping("/{template}")
    ResponseEntity<StreamingResponseBody> letter(@PathVariable String template) {
        File file = new File("/opt/letters/" + template + ".docx");
        StreamingResponseBody body = out -> {
            try (InputStream in = new FileInputStream(file)) {
                in.transferTo(out);
            }
        };
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_OCTET_STREAM).body(body);
    }
}

// === safe: resolved, and compared with the folder
package com.example.letters;

import java.io.IOException;
import java.nio.file.*;
import org.springframework.core.io.FileSystemResource;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;

@RestController
class LetterController {
    private static final Path FOLDER = Path.of("/opt/letters");

    @GetMapping("/letters/{name}")
    FileSystemResource letter(@PathVariable String name) throws IOException {
        Path file = FOLDER.resolve(name).toAbsolutePath().normalize();
        if (!file.startsWith(FOLDER) || !Files.isRegularFile(file)) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return new FileSystemResource(file);
    }
}
