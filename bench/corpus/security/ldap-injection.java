// === vulnerable: DirContext.search with concatenation
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;

public class DirectoryServlet extends HttpServlet {
    private DirContext ctx;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String filter = "(uid=" + req.getParameter("uid") + ")";
        try {
            NamingEnumeration<SearchResult> found = ctx.search("ou=people,dc=acme,dc=io", filter, new SearchControls());
            resp.getWriter().println(found.hasMore());
        } catch (NamingException e) {
            resp.sendError(500);
        }
    }
}

// === vulnerable: LdapTemplate with String.format
package com.acme.portal;

import java.util.List;
import org.springframework.ldap.core.AttributesMapper;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PeopleController {
    private final LdapTemplate ldap;

    PeopleController(LdapTemplate ldap) {
        this.ldap = ldap;
    }

    @GetMapping("/people")
    public List<String> find(@RequestParam String mail) {
        String filter = String.format("(&(objectClass=person)(mail=%s))", mail);
        return ldap.search("ou=people", filter, (AttributesMapper<String>) a -> a.get("cn").get().toString());
    }
}

// === vulnerable: authenticate with a formatted filter
package com.acme.portal;

import org.springframework.ldap.core.LdapTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LoginController {
    private final LdapTemplate ldap;

    LoginController(LdapTemplate ldap) {
        this.ldap = ldap;
    }

    @PostMapping("/login")
    public boolean login(@RequestParam String user, @RequestParam String password) {
        return ldap.authenticate("ou=people", "(uid=" + user + ")", password);
    }
}

// === vulnerable: principal name from the request
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;

public class BindServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Hashtable<String, String> env = new Hashtable<>();
        env.put(Context.PROVIDER_URL, "ldaps://ldap.acme.io");
        env.put(Context.SECURITY_PRINCIPAL, "uid=" + req.getParameter("user") + ",ou=people,dc=acme,dc=io");
        env.put(Context.SECURITY_CREDENTIALS, req.getParameter("password"));
        try {
            new InitialDirContext(env).close();
        } catch (NamingException e) {
            resp.sendError(401);
        }
    }
}

// === vulnerable: StringBuilder filter in a helper
package com.acme.portal;

import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GroupController {
    private final DirContext ctx;

    GroupController(DirContext ctx) {
        this.ctx = ctx;
    }

    private String filter(String group, String member) {
        StringBuilder sb = new StringBuilder("(&(cn=");
        sb.append(group).append(")(member=").append(member).append("))");
        return sb.toString();
    }

    @GetMapping("/groups/{group}")
    public boolean member(@PathVariable String group, @RequestParam String dn) throws NamingException {
        return ctx.search("ou=groups", filter(group, dn), new SearchControls()).hasMore();
    }
}

// === safe: search with filter arguments
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;

public class DirectoryServlet extends HttpServlet {
    private DirContext ctx;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try {
            Object[] args = {req.getParameter("uid")};
            NamingEnumeration<SearchResult> found = ctx.search("ou=people", "(uid={0})", args, new SearchControls());
            resp.getWriter().println(found.hasMore());
        } catch (NamingException e) {
            resp.sendError(500);
        }
    }
}

// === safe: LdapQueryBuilder
package com.acme.portal;

import java.util.List;
import org.springframework.ldap.core.AttributesMapper;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.ldap.query.LdapQueryBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PeopleController {
    private final LdapTemplate ldap;

    PeopleController(LdapTemplate ldap) {
        this.ldap = ldap;
    }

    @GetMapping("/people")
    public List<String> find(@RequestParam String mail) {
        return ldap.search(LdapQueryBuilder.query().where("mail").is(mail),
                (AttributesMapper<String>) a -> a.get("cn").get().toString());
    }
}

// === safe: LdapEncoder.filterEncode
package com.acme.portal;

import org.springframework.ldap.core.LdapTemplate;
import org.springframework.ldap.support.LdapEncoder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class LoginController {
    private final LdapTemplate ldap;

    LoginController(LdapTemplate ldap) {
        this.ldap = ldap;
    }

    @PostMapping("/login")
    public boolean login(@RequestParam String user, @RequestParam String password) {
        return ldap.authenticate("ou=people", "(uid=" + LdapEncoder.filterEncode(user) + ")", password);
    }
}

// === safe: EqualsFilter
package com.acme.portal;

import java.util.List;
import org.springframework.ldap.core.AttributesMapper;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.ldap.filter.AndFilter;
import org.springframework.ldap.filter.EqualsFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GroupController {
    private final LdapTemplate ldap;

    GroupController(LdapTemplate ldap) {
        this.ldap = ldap;
    }

    @GetMapping("/groups")
    public List<String> groups(@RequestParam String dn) {
        AndFilter filter = new AndFilter();
        filter.and(new EqualsFilter("objectClass", "groupOfNames")).and(new EqualsFilter("member", dn));
        return ldap.search("ou=groups", filter.encode(), (AttributesMapper<String>) a -> a.get("cn").get().toString());
    }
}

// === safe: Rdn.escapeValue for the bind name
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import javax.naming.ldap.Rdn;

public class BindServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Hashtable<String, String> env = new Hashtable<>();
        env.put(Context.PROVIDER_URL, "ldaps://ldap.acme.io");
        env.put(Context.SECURITY_PRINCIPAL, "uid=" + Rdn.escapeValue(req.getParameter("user")) + ",ou=people,dc=acme,dc=io");
        env.put(Context.SECURITY_CREDENTIALS, req.getParameter("password"));
        try {
            new InitialDirContext(env).close();
        } catch (NamingException e) {
            resp.sendError(401);
        }
    }
}
