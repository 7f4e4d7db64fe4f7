// === vulnerable: ObjectInputStream on the request body
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.ObjectInputStream;

@WebServlet("/import")
public class ImportServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(req.getInputStream())) {
            Object state = in.readObject();
            resp.getWriter().println(state);
        } catch (ClassNotFoundException e) {
            resp.sendError(400);
        }
    }
}

// === vulnerable: base64 cookie deserialised
package com.acme.portal;

import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.util.Base64;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class CartController {
    private Object decode(String value) throws Exception {
        byte[] raw = Base64.getDecoder().decode(value);
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(raw));
        return in.readObject();
    }

    @GetMapping("/cart")
    public Object cart(@CookieValue("cart") String cart) throws Exception {
        return decode(cart);
    }
}

// === vulnerable: snakeyaml Constructor for any class
package com.acme.portal;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.Constructor;

@RestController
public class YamlController {
    @PostMapping("/config")
    public String config(@RequestBody String body) {
        LoaderOptions options = new LoaderOptions();
        options.setTagInspector(tag -> true);
        Yaml yaml = new Yaml(new Constructor(Object.class, options));
        Object config = yaml.load(body);
        return config.toString();
    }
}

// === vulnerable: XStream allowing any type
package com.acme.portal;

import com.thoughtworks.xstream.XStream;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OrderController {
    @PostMapping("/orders/xml")
    public String order(@RequestBody String xml) {
        XStream xstream = new XStream();
        xstream.allowTypesByWildcard(new String[] {"**"});
        Object order = xstream.fromXML(xml);
        return order.toString();
    }
}

// === vulnerable: Jackson default typing
package com.acme.portal;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class EventController {
    private final ObjectMapper mapper = new ObjectMapper();

    public EventController() {
        mapper.enableDefaultTyping();
    }

    @PostMapping("/events")
    public Object event(@RequestBody String json) throws IOException {
        return mapper.readValue(json, Object.class);
    }
}

// === vulnerable: XMLDecoder on an uploaded file
package com.acme.portal;

import java.beans.XMLDecoder;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class BeanController {
    @PostMapping("/beans")
    public String load(@RequestParam("file") MultipartFile file) throws IOException {
        try (XMLDecoder decoder = new XMLDecoder(file.getInputStream())) {
            return String.valueOf(decoder.readObject());
        }
    }
}

// === vulnerable: SerializationUtils.deserialize of a parameter
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Base64;
import org.apache.commons.lang3.SerializationUtils;

public class StateServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        byte[] bytes = Base64.getDecoder().decode(req.getParameter("state"));
        Object state = SerializationUtils.deserialize(bytes);
        resp.getWriter().print(state);
    }
}

// === safe: Jackson into a known class
package com.acme.portal;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ImportController {
    record Item(String name, int quantity) {}

    private final ObjectMapper mapper = new ObjectMapper();

    @PostMapping("/import")
    public Item load(@RequestBody String json) throws IOException {
        return mapper.readValue(json, Item.class);
    }
}

// === safe: snakeyaml SafeConstructor
package com.acme.portal;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

@RestController
public class YamlController {
    @PostMapping("/config")
    public String config(@RequestBody String body) {
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        Map<String, Object> config = yaml.load(body);
        return String.valueOf(config.get("name"));
    }
}

// === safe: ObjectInputStream with a filter
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;

@WebServlet("/import")
public class ImportServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(req.getInputStream())) {
            in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("com.acme.portal.Basket;java.base/*;!*"));
            resp.getWriter().println(in.readObject());
        } catch (ClassNotFoundException e) {
            resp.sendError(400);
        }
    }
}

// === safe: XStream with one allowed type
package com.acme.portal;

import com.thoughtworks.xstream.XStream;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OrderController {
    public static class Order {
        public String sku;
        public int amount;
    }

    @PostMapping("/orders/xml")
    public String order(@RequestBody String xml) {
        XStream xstream = new XStream();
        xstream.allowTypes(new Class[] {Order.class});
        xstream.alias("order", Order.class);
        Order order = (Order) xstream.fromXML(xml);
        return order.sku;
    }
}

// === safe: Jackson tree model
package com.acme.portal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class EventController {
    private final ObjectMapper mapper = new ObjectMapper();

    @PostMapping("/events")
    public String event(@RequestBody String json) throws IOException {
        JsonNode node = mapper.readTree(json);
        return node.path("type").asText();
    }
}

// === vulnerable: a message of a queue is read as an object
package com.example.jobs;

import java.io.*;
import javax.servlet.http.*;

public class JobServlet extends HttpServlet {
    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (ObjectInputStream objects = new ObjectInputStream(request.getInputStream())) {
            Runnable job = (Runnable) objects.readObject();
            job.run();
            response.setStatus(202);
        } catch (ClassNotFoundException unknown) {
            response.sendError(400);
        }
    }
}

// === safe: a message is JSON of a known shape
package com.example.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import javax.servlet.http.*;

public class JobServlet extends HttpServlet {
    record Job(String name, int priority) {}

    private final ObjectMapper json = new ObjectMapper();

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Job job = json.readValue(request.getReader(), Job.class);
        queue(job.name(), job.priority());
        response.setStatus(202);
    }
}
