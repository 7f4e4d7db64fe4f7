// === vulnerable: servlet parameter concatenated into Statement.executeQuery
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

@WebServlet("/orders")
public class OrdersServlet extends HttpServlet {
    private DataSource dataSource;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String customer = req.getParameter("customer");
        try (Connection con = dataSource.getConnection(); Statement st = con.createStatement()) {
            ResultSet rs = st.executeQuery("SELECT id FROM orders WHERE customer = '" + customer + "'");
            while (rs.next()) {
                resp.getWriter().println(rs.getLong(1));
            }
        } catch (SQLException e) {
            resp.sendError(500);
        }
    }
}

// === vulnerable: JdbcTemplate with String.format
package com.acme.portal;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class UserController {
    private final JdbcTemplate jdbc;

    public UserController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/users")
    public List<Map<String, Object>> find(@RequestParam String name) {
        String sql = String.format("SELECT id, email FROM users WHERE name LIKE '%%%s%%'", name);
        return jdbc.queryForList(sql);
    }
}

// === vulnerable: JPA createQuery with concatenation
package com.acme.portal;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ProductController {
    @PersistenceContext
    private EntityManager em;

    @GetMapping("/products/{category}")
    public List<?> byCategory(@PathVariable String category) {
        String jpql = "select p from Product p where p.category = '" + category + "'";
        return em.createQuery(jpql).getResultList();
    }
}

// === vulnerable: StringBuilder with sort column in a native query
package com.acme.portal;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Query;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportController {
    @PersistenceContext
    private EntityManager em;

    @GetMapping("/report")
    public List<?> report(@RequestParam("sort") String sort, @RequestParam("dir") String dir) {
        StringBuilder sql = new StringBuilder("SELECT * FROM report");
        sql.append(" ORDER BY ").append(sort);
        sql.append(" ").append(dir);
        Query q = em.createNativeQuery(sql.toString());
        return q.getResultList();
    }
}

// === vulnerable: PreparedStatement whose text contains the header
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

public class TenantServlet extends HttpServlet {
    private DataSource ds;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String tenant = request.getHeader("X-Tenant");
        try (Connection c = ds.getConnection();
             PreparedStatement ps = c.prepareStatement("DELETE FROM sessions WHERE tenant = '" + tenant + "'")) {
            ps.executeUpdate();
        } catch (SQLException e) {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }
}

// === vulnerable: helper method builds the statement from a request body
package com.acme.portal;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TicketController {
    private final JdbcTemplate jdbc;

    TicketController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    record Close(String id, String reason) {}

    private String closeSql(Close c) {
        return "UPDATE tickets SET state = 'closed', reason = '" + c.reason() + "' WHERE id = " + c.id();
    }

    @PostMapping("/tickets/close")
    public int close(@RequestBody Close body) {
        return jdbc.update(closeSql(body));
    }
}

// === safe: PreparedStatement with a bound parameter
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

@WebServlet("/orders")
public class OrdersServlet extends HttpServlet {
    private DataSource dataSource;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try (Connection con = dataSource.getConnection();
             PreparedStatement ps = con.prepareStatement("SELECT id FROM orders WHERE customer = ?")) {
            ps.setString(1, req.getParameter("customer"));
            ResultSet rs = ps.executeQuery();
            while (rs.next()) {
                resp.getWriter().println(rs.getLong(1));
            }
        } catch (SQLException e) {
            resp.sendError(500);
        }
    }
}

// === safe: JdbcTemplate with arguments
package com.acme.portal;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class UserController {
    private final JdbcTemplate jdbc;

    public UserController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/users")
    public List<Map<String, Object>> find(@RequestParam String name) {
        return jdbc.queryForList("SELECT id, email FROM users WHERE name LIKE ?", "%" + name + "%");
    }
}

// === safe: JPA named parameter
package com.acme.portal;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ProductController {
    @PersistenceContext
    private EntityManager em;

    @GetMapping("/products/{category}")
    public List<?> byCategory(@PathVariable String category) {
        return em.createQuery("select p from Product p where p.category = :category")
                .setParameter("category", category)
                .getResultList();
    }
}

// === safe: sort column from an allow-list
package com.acme.portal;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ReportController {
    private static final Map<String, String> COLUMNS = Map.of("name", "name", "date", "created_at");
    private final JdbcTemplate jdbc;

    ReportController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/report")
    public List<Map<String, Object>> report(@RequestParam String sort) {
        String column = COLUMNS.getOrDefault(sort, "id");
        return jdbc.queryForList("SELECT id, name FROM report ORDER BY " + column);
    }
}

// === safe: numeric path variable
package com.acme.portal;

import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class InvoiceController {
    private final JdbcTemplate jdbc;

    InvoiceController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/invoices/{id}")
    public Map<String, Object> show(@PathVariable long id) {
        return jdbc.queryForMap("SELECT total FROM invoices WHERE id = " + id);
    }
}

// === safe: NamedParameterJdbcTemplate with a source
package com.acme.portal;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TicketController {
    private final NamedParameterJdbcTemplate jdbc;

    TicketController(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @PostMapping("/tickets/close")
    public int close(@RequestParam String reason, @RequestParam long id) {
        MapSqlParameterSource p = new MapSqlParameterSource("reason", reason).addValue("id", id);
        return jdbc.update("UPDATE tickets SET reason = :reason WHERE id = :id", p);
    }
}

// === vulnerable: a repository of its own puts the filter together
package com.example.shops;

import java.sql.*;
import java.util.*;
import javax.sql.DataSource;
import org.springframework.stereotype.Repository;
import org.springframework.web.bind.annotation.*;

@RestController
class ShopController {
    private final ShopRepository shops;

    ShopController(ShopRepository shops) {
        this.shops = shops;
    }

    @GetMapping("/shops")
    List<String> byCity(@RequestParam("city") String city) throws SQLException {
        return shops.inCity(city);
    }
}

@Repository
class ShopRepository {
    private final DataSource source;

    ShopRepository(DataSource source) {
        this.source = source;
    }

    List<String> inCity(String city) throws SQLException {
        List<String> names = new ArrayList<>();
        String query = "SELECT name FROM shops WHERE city = '" + city + "' ORDER BY name";
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}

// === safe: a repository of its own with named values
package com.example.shops;

import java.util.*;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.*;

@RestController
class ShopController {
    private final JdbcClient jdbc;

    ShopController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/shops")
    List<String> byCity(@RequestParam String city, @RequestParam(defaultValue = "false") boolean open) {
        String sql = "SELECT name FROM shops WHERE city = :city" + (open ? " AND open" : "") + " ORDER BY name";
        return jdbc.sql(sql).param("city", city).query(String.class).list();
    }
}
