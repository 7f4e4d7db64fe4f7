// === vulnerable: BasicQuery with concatenated JSON
package com.acme.portal;

import java.util.List;
import org.bson.Document;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.BasicQuery;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MemberController {
    private final MongoTemplate mongo;

    MemberController(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    @GetMapping("/members")
    public List<Document> find(@RequestParam String name) {
        BasicQuery query = new BasicQuery("{ name: '" + name + "' }");
        return mongo.find(query, Document.class, "members");
    }
}

// === vulnerable: Document.parse of a formatted filter
package com.acme.portal;

import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ItemController {
    private final MongoCollection<Document> items;

    ItemController(MongoCollection<Document> items) {
        this.items = items;
    }

    @GetMapping("/items/{sku}")
    public Document show(@PathVariable String sku) {
        String json = String.format("{\"sku\": \"%s\", \"visible\": true}", sku);
        return items.find(Document.parse(json)).first();
    }
}

// === vulnerable: $where with a servlet parameter
package com.acme.portal;

import com.mongodb.BasicDBObject;
import com.mongodb.client.MongoDatabase;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class SearchServlet extends HttpServlet {
    private MongoDatabase db;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String author = req.getParameter("author");
        BasicDBObject filter = new BasicDBObject("$where", "this.author == '" + author + "'");
        long count = db.getCollection("posts").countDocuments(filter);
        resp.getWriter().print(count);
    }
}

// === vulnerable: request body used as the filter document
package com.acme.portal;

import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class QueryController {
    private final MongoCollection<Document> events;

    QueryController(MongoCollection<Document> events) {
        this.events = events;
    }

    @PostMapping("/events/search")
    public long search(@RequestBody String body) {
        Document filter = Document.parse(body);
        return events.countDocuments(filter);
    }
}

// === vulnerable: Filters.where built by a helper
package com.acme.portal;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import org.bson.Document;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class StockController {
    private final MongoCollection<Document> stock;

    StockController(MongoCollection<Document> stock) {
        this.stock = stock;
    }

    private String expression(String min) {
        StringBuilder sb = new StringBuilder("this.quantity > ");
        sb.append(min);
        return sb.toString();
    }

    @GetMapping("/stock")
    public Document first(@RequestParam String min) {
        return stock.find(Filters.where(expression(min))).first();
    }
}

// === safe: Criteria with a string value
package com.acme.portal;

import java.util.List;
import org.bson.Document;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MemberController {
    private final MongoTemplate mongo;

    MemberController(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    @GetMapping("/members")
    public List<Document> find(@RequestParam String name) {
        Query query = new Query(Criteria.where("name").is(name));
        return mongo.find(query, Document.class, "members");
    }
}

// === safe: Filters.eq
package com.acme.portal;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import org.bson.Document;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ItemController {
    private final MongoCollection<Document> items;

    ItemController(MongoCollection<Document> items) {
        this.items = items;
    }

    @GetMapping("/items/{sku}")
    public Document show(@PathVariable String sku) {
        return items.find(Filters.eq("sku", sku)).first();
    }
}

// === safe: Document with the value as a field
package com.acme.portal;

import com.mongodb.client.MongoDatabase;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.bson.Document;

public class SearchServlet extends HttpServlet {
    private MongoDatabase db;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Document filter = new Document("author", req.getParameter("author")).append("public", true);
        resp.getWriter().print(db.getCollection("posts").countDocuments(filter));
    }
}

// === safe: constant JSON query
package com.acme.portal;

import java.util.List;
import org.bson.Document;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.BasicQuery;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ActiveController {
    private final MongoTemplate mongo;

    ActiveController(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    @GetMapping("/active")
    public List<Document> active(@RequestParam(defaultValue = "10") int limit) {
        BasicQuery query = new BasicQuery("{ active: true }");
        query.limit(limit);
        return mongo.find(query, Document.class, "members");
    }
}

// === safe: ObjectId parsed from the path
package com.acme.portal;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class DocController {
    private final MongoCollection<Document> docs;

    DocController(MongoCollection<Document> docs) {
        this.docs = docs;
    }

    @GetMapping("/docs/{id}")
    public ResponseEntity<Document> show(@PathVariable String id) {
        if (!ObjectId.isValid(id)) {
            return ResponseEntity.badRequest().build();
        }
        return ResponseEntity.ok(docs.find(Filters.eq("_id", new ObjectId(id))).first());
    }
}
