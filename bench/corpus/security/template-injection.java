// === vulnerable: Velocity.evaluate of a parameter
package com.acme.portal;

import java.io.StringWriter;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.Velocity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LetterController {
    @PostMapping("/letter")
    public String letter(@RequestParam String template) {
        VelocityContext context = new VelocityContext();
        context.put("name", "Ana");
        StringWriter out = new StringWriter();
        Velocity.evaluate(context, out, "letter", template);
        return out.toString();
    }
}

// === vulnerable: Freemarker Template from the body
package com.acme.portal;

import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MailController {
    private final Configuration cfg = new Configuration(Configuration.VERSION_2_3_32);

    @PostMapping("/mail/preview")
    public String preview(@RequestBody String source) throws Exception {
        Template template = new Template("mail", new StringReader(source), cfg);
        StringWriter out = new StringWriter();
        template.process(Map.of("user", "Ana"), out);
        return out.toString();
    }
}

// === vulnerable: Thymeleaf view name from the path
package com.acme.portal;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

@Controller
public class PageController {
    @GetMapping("/page/{lang}")
    public String page(@PathVariable String lang) {
        return "pages/" + lang + "/welcome";
    }
}

// === vulnerable: SpEL expression from a parameter
package com.acme.portal;

import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RuleController {
    private final SpelExpressionParser parser = new SpelExpressionParser();

    @GetMapping("/rule")
    public Object rule(@RequestParam String expression) {
        return parser.parseExpression(expression).getValue();
    }
}

// === vulnerable: StringTemplateLoader filled by a servlet parameter
package com.acme.portal;

import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;

public class LayoutServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        StringTemplateLoader loader = new StringTemplateLoader();
        loader.putTemplate("layout", "<h1>" + req.getParameter("layout") + "</h1>");
        Configuration cfg = new Configuration(Configuration.VERSION_2_3_32);
        cfg.setTemplateLoader(loader);
        try {
            cfg.getTemplate("layout").process(new HashMap<String, Object>(), resp.getWriter());
        } catch (Exception e) {
            resp.sendError(400);
        }
    }
}

// === vulnerable: Thymeleaf engine processes a string
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;

@RestController
public class BannerController {
    private final TemplateEngine engine;

    BannerController(TemplateEngine engine) {
        this.engine = engine;
    }

    @GetMapping("/banner")
    public String banner(@RequestParam String text) {
        String source = String.format("<p th:text=\"${title}\"></p>%s", text);
        return engine.process(source, new Context());
    }
}

// === safe: Velocity template file with a context value
package com.acme.portal;

import java.io.StringWriter;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LetterController {
    private final VelocityEngine engine = new VelocityEngine();

    @PostMapping("/letter")
    public String letter(@RequestParam String name) {
        VelocityContext context = new VelocityContext();
        context.put("name", name);
        StringWriter out = new StringWriter();
        engine.getTemplate("letter.vm").merge(context, out);
        return out.toString();
    }
}

// === safe: Freemarker with a fixed template
package com.acme.portal;

import freemarker.template.Configuration;
import java.io.StringWriter;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MailController {
    private final Configuration cfg = new Configuration(Configuration.VERSION_2_3_32);

    @GetMapping("/mail/preview")
    public String preview(@RequestParam String user) throws Exception {
        StringWriter out = new StringWriter();
        cfg.getTemplate("mail.ftlh").process(Map.of("user", user), out);
        return out.toString();
    }
}

// === safe: view name from an allow-list
package com.acme.portal;

import java.util.Set;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

@Controller
public class PageController {
    private static final Set<String> LANGS = Set.of("en", "de", "fr");

    @GetMapping("/page/{lang}")
    public String page(@PathVariable String lang) {
        if (!LANGS.contains(lang)) {
            return "pages/en/welcome";
        }
        return "pages/" + lang + "/welcome";
    }
}

// === safe: constant SpEL expression
package com.acme.portal;

import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RuleController {
    record Order(int total) {}

    private final SpelExpressionParser parser = new SpelExpressionParser();

    @GetMapping("/rule")
    public Boolean rule(@RequestParam int total) {
        return parser.parseExpression("total > 100").getValue(new Order(total), Boolean.class);
    }
}

// === safe: Thymeleaf with a named template
package com.acme.portal;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;

@RestController
public class BannerController {
    private final TemplateEngine engine;

    BannerController(TemplateEngine engine) {
        this.engine = engine;
    }

    @GetMapping("/banner")
    public String banner(@RequestParam String text) {
        Context context = new Context();
        context.setVariable("text", text);
        return engine.process("banner", context);
    }
}
