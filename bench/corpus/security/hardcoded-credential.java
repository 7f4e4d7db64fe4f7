// === vulnerable: DriverManager with a literal password
package com.acme.portal;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

public class Database {
    public Connection open() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://db.acme.io/portal", "portal", "vK7#mQ2pLx9!");
    }
}

// === vulnerable: password constant
package com.acme.portal;

import jakarta.mail.Authenticator;
import jakarta.mail.PasswordAuthentication;

public class MailConfig {
    private static final String SMTP_USER = "alerts@acme.io";
    private static final String SMTP_PASSWORD = "Herbst-2023-mail!";

    public Authenticator authenticator() {
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(SMTP_USER, SMTP_PASSWORD);
            }
        };
    }
}

// === vulnerable: Hikari setPassword
package com.acme.portal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class PoolConfig {
    @Bean
    public DataSource dataSource() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:mysql://mysql.acme.io/shop");
        config.setUsername("shop");
        config.setPassword("c8Yw2nLqE5tR");
        return new HikariDataSource(config);
    }
}

// === vulnerable: AWS keys in the source
package com.acme.portal;

import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.services.s3.AmazonS3;
import com.amazonaws.services.s3.AmazonS3ClientBuilder;

public class Storage {
    public AmazonS3 client() {
        BasicAWSCredentials credentials = new BasicAWSCredentials("AKIAQX7LMN4RT2VWZ5KP", "b7Jd0Kq9XvTz3MwLr8Yc2NfHs5PaGe1UoIx6VtRb");
        return AmazonS3ClientBuilder.standard()
                .withCredentials(new AWSStaticCredentialsProvider(credentials))
                .build();
    }
}

// === vulnerable: AES key literal
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import javax.crypto.spec.SecretKeySpec;

public class Vault {
    private final byte[] secretKey = "q9Lr2xVb7TnWc4Jd".getBytes(StandardCharsets.UTF_8);

    public SecretKeySpec key() {
        return new SecretKeySpec(secretKey, "AES");
    }
}

// === vulnerable: servlet compares with a literal password
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public class AdminServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String password = req.getParameter("password");
        if (!"Gr4nd-Piano-77".equals(password)) {
            resp.sendError(401);
            return;
        }
        req.getSession().setAttribute("admin", true);
    }
}

// === safe: environment
package com.acme.portal;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

public class Database {
    public Connection open() throws SQLException {
        String url = "jdbc:postgresql://db.acme.io/portal";
        return DriverManager.getConnection(url, "portal", System.getenv("DB_PASSWORD"));
    }
}

// === safe: Spring property
package com.acme.portal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class PoolConfig {
    @Value("${spring.datasource.password}")
    private String password;

    @Bean
    public DataSource dataSource() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:mysql://mysql.acme.io/shop");
        config.setPassword(password);
        return new HikariDataSource(config);
    }
}

// === safe: default provider chain
package com.acme.portal;

import com.amazonaws.auth.DefaultAWSCredentialsProviderChain;
import com.amazonaws.services.s3.AmazonS3;
import com.amazonaws.services.s3.AmazonS3ClientBuilder;

public class Storage {
    public AmazonS3 client() {
        return AmazonS3ClientBuilder.standard()
                .withCredentials(DefaultAWSCredentialsProviderChain.getInstance())
                .withRegion("eu-central-1")
                .build();
    }
}

// === safe: names of parameters and keys
package com.acme.portal;

import jakarta.servlet.http.HttpServletRequest;

public class LoginForm {
    public static final String PASSWORD_PARAM = "password";
    public static final String TOKEN_HEADER = "X-Auth-Token";
    public static final String SECRET_PROPERTY = "portal.secret";

    public String password(HttpServletRequest req) {
        return req.getParameter(PASSWORD_PARAM);
    }
}

// === safe: messages about passwords
package com.acme.portal;

public class Messages {
    public static final String PASSWORD_TOO_SHORT = "The password needs at least 12 characters";
    public static final String PASSWORD_RESET = "A link to set a new password was sent";

    public static String check(String password) {
        return password.length() < 12 ? PASSWORD_TOO_SHORT : "";
    }
}
