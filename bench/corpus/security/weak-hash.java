// === vulnerable: MessageDigest MD5 of a password
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.stereotype.Service;

@Service
public class PasswordService {
    public String hash(String password) throws NoSuchAlgorithmException {
        MessageDigest md = MessageDigest.getInstance("MD5");
        byte[] digest = md.digest(password.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }
}

// === vulnerable: SHA-1 with a salt
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

public class Credentials {
    private static final String ALGORITHM = "SHA-1";

    public static byte[] passwordHash(byte[] salt, String password) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance(ALGORITHM);
        digest.update(salt);
        return digest.digest(password.getBytes(StandardCharsets.UTF_8));
    }
}

// === vulnerable: commons-codec md5Hex of a password
package com.acme.portal;

import org.apache.commons.codec.digest.DigestUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class RegisterController {
    private final JdbcTemplate jdbc;

    RegisterController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @PostMapping("/register")
    public void register(@RequestParam String name, @RequestParam String password) {
        jdbc.update("INSERT INTO users(name, password) VALUES (?, ?)", name, DigestUtils.md5Hex(password));
    }
}

// === vulnerable: HmacMD5 signature
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class WebhookVerifier {
    public boolean verify(byte[] secret, byte[] body, byte[] signature) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacMD5");
        mac.init(new SecretKeySpec(secret, "HmacMD5"));
        return MessageDigest.isEqual(mac.doFinal(body), signature);
    }
}

// === vulnerable: SHA1withRSA signature
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;

public class LicenseSigner {
    public byte[] sign(PrivateKey key, byte[] license) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA1withRSA");
        signature.initSign(key);
        signature.update(license);
        return signature.sign();
    }
}

// === vulnerable: Spring DigestUtils for a reset token
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Service;
import org.springframework.util.DigestUtils;

@Service
public class ResetService {
    public String token(String email, long userId) {
        String raw = email + ":" + userId + ":" + System.currentTimeMillis();
        return DigestUtils.md5DigestAsHex(raw.getBytes(StandardCharsets.UTF_8));
    }
}

// === safe: BCryptPasswordEncoder
package com.acme.portal;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Service;

@Service
public class PasswordService {
    private final PasswordEncoder encoder = new BCryptPasswordEncoder(12);

    public String hash(String password) {
        return encoder.encode(password);
    }

    public boolean matches(String password, String stored) {
        return encoder.matches(password, stored);
    }
}

// === safe: PBKDF2 with SHA-256
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

public class Credentials {
    public static byte[] passwordHash(byte[] salt, char[] password) throws GeneralSecurityException {
        PBEKeySpec spec = new PBEKeySpec(password, salt, 600_000, 256);
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    }
}

// === safe: SHA-256 of a document
package com.acme.portal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

public class Fingerprint {
    public static String of(byte[] document) throws NoSuchAlgorithmException {
        MessageDigest md = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(md.digest(document));
    }
}

// === safe: HmacSHA256 signature
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class WebhookVerifier {
    public boolean verify(byte[] secret, byte[] body, byte[] signature) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return MessageDigest.isEqual(mac.doFinal(body), signature);
    }
}

// === safe: SHA512withRSA signature
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;

public class LicenseSigner {
    public byte[] sign(PrivateKey key, byte[] license) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA512withRSA");
        signature.initSign(key);
        signature.update(license);
        return signature.sign();
    }
}

// === safe: MD5 named in a list of refused algorithms
package com.acme.portal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;

public class DigestPolicy {
    private static final Set<String> REFUSED = Set.of("MD2", "MD5", "SHA-1");

    public MessageDigest create(String name) throws NoSuchAlgorithmException {
        if (REFUSED.contains(name)) {
            throw new NoSuchAlgorithmException(name);
        }
        return MessageDigest.getInstance("SHA-512");
    }
}
