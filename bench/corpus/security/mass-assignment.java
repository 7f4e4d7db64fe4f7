// === vulnerable: entity bound by ModelAttribute and saved
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

@Entity
class Account {
    @Id Long id;
    String email;
    boolean admin;
    public void setEmail(String email) { this.email = email; }
    public void setAdmin(boolean admin) { this.admin = admin; }
}

interface AccountRepository extends JpaRepository<Account, Long> {}

@Controller
public class AccountController {
    private final AccountRepository accounts;

    AccountController(AccountRepository accounts) { this.accounts = accounts; }

    @PostMapping("/account")
    public String save(@ModelAttribute Account account) {
        accounts.save(account);
        return "redirect:/account";
    }
}

// === vulnerable: entity as request body saved
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@Entity
class Member {
    @Id public Long id;
    public String name;
    public String role;
}

interface MemberRepository extends JpaRepository<Member, Long> {}

@RestController
public class MemberController {
    private final MemberRepository members;

    MemberController(MemberRepository members) { this.members = members; }

    @PostMapping("/members")
    public Member create(@RequestBody Member member) {
        return members.save(member);
    }
}

// === vulnerable: updateValue from a map of the request
package com.acme.portal;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import java.util.Map;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@Entity
class Customer {
    @Id public Long id;
    public String name;
    public boolean admin;
}

@RestController
public class CustomerController {
    @PersistenceContext
    private EntityManager em;
    private final ObjectMapper mapper = new ObjectMapper();

    @PatchMapping("/customers/{id}")
    public Customer patch(@PathVariable Long id, @RequestBody Map<String, Object> fields) throws IOException {
        Customer customer = em.find(Customer.class, id);
        mapper.updateValue(customer, fields);
        return em.merge(customer);
    }
}

// === vulnerable: readerForUpdating with the raw body
package com.acme.portal;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@Entity
class User {
    @Id public Long id;
    public String nick;
    public boolean isAdmin;
}

@RestController
public class UserController {
    @PersistenceContext
    private EntityManager em;

    @PutMapping("/users/{id}")
    public void update(@PathVariable Long id, @RequestBody String json) throws IOException {
        User user = em.find(User.class, id);
        new ObjectMapper().readerForUpdating(user).readValue(json);
        em.merge(user);
    }
}

// === vulnerable: commons BeanUtils.populate from the parameter map
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.commons.beanutils.BeanUtils;

public class ProfileServlet extends HttpServlet {
    @PersistenceContext
    private EntityManager em;

    @Entity
    public static class Profile {
        @Id public Long id;
        private String role;
        public void setRole(String role) { this.role = role; }
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Profile profile = em.find(Profile.class, (Long) req.getSession().getAttribute("profile"));
        try {
            BeanUtils.populate(profile, req.getParameterMap());
        } catch (ReflectiveOperationException e) {
            resp.sendError(400);
            return;
        }
        em.merge(profile);
    }
}

// === safe: DTO with the fields of the form
package com.acme.portal;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MemberController {
    record MemberForm(String name, String city) {}

    private final JdbcTemplate jdbc;

    MemberController(JdbcTemplate jdbc) { this.jdbc = jdbc; }

    @PostMapping("/members")
    public int create(@RequestBody MemberForm form) {
        return jdbc.update("INSERT INTO members(name, city, role) VALUES (?, ?, 'user')", form.name(), form.city());
    }
}

// === safe: InitBinder with allowed fields
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

@Entity
class Account {
    @Id Long id;
    String email;
    boolean admin;
    public void setEmail(String email) { this.email = email; }
}

interface AccountRepository extends JpaRepository<Account, Long> {}

@Controller
public class AccountController {
    private final AccountRepository accounts;

    AccountController(AccountRepository accounts) { this.accounts = accounts; }

    @InitBinder
    void binder(WebDataBinder binder) { binder.setAllowedFields("email"); }

    @PostMapping("/account")
    public String save(@ModelAttribute Account account) {
        accounts.save(account);
        return "redirect:/account";
    }
}

// === safe: fields copied one by one
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@Entity
class Customer {
    @Id public Long id;
    public String name;
    public boolean admin;
}

@RestController
public class CustomerController {
    record CustomerForm(String name) {}

    @PersistenceContext
    private EntityManager em;

    @PutMapping("/customers/{id}")
    public void update(@PathVariable Long id, @RequestBody CustomerForm form) {
        Customer customer = em.find(Customer.class, id);
        customer.name = form.name();
        em.merge(customer);
    }
}

// === safe: single request parameters
package com.acme.portal;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Entity
class User {
    @Id public Long id;
    public String nick;
    public boolean admin;
}

interface UserRepository extends JpaRepository<User, Long> {}

@RestController
public class UserController {
    private final UserRepository users;

    UserController(UserRepository users) { this.users = users; }

    @PostMapping("/users")
    public User create(@RequestParam String nick) {
        User user = new User();
        user.nick = nick;
        user.admin = false;
        return users.save(user);
    }
}

// === safe: map read by key only
package com.acme.portal;

import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class SettingsController {
    private final JdbcTemplate jdbc;

    SettingsController(JdbcTemplate jdbc) { this.jdbc = jdbc; }

    @PatchMapping("/settings")
    public int patch(@RequestBody Map<String, Object> fields) {
        boolean newsletter = Boolean.TRUE.equals(fields.get("newsletter"));
        return jdbc.update("UPDATE settings SET newsletter = ? WHERE id = 1", newsletter);
    }
}
