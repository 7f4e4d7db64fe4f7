// === vulnerable: jjwt parse instead of parseClaimsJws
package com.acme.portal;

import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jwts;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MeController {
    @GetMapping("/me")
    public String me(@RequestHeader("Authorization") String auth) {
        String token = auth.substring("Bearer ".length());
        int dot = token.lastIndexOf('.');
        Claims claims = Jwts.parser().build().parseClaimsJwt(token.substring(0, dot + 1)).getBody();
        return claims.getSubject();
    }
}

// === vulnerable: auth0 JWT.decode for the role
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.interfaces.DecodedJWT;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class AdminController {
    @GetMapping("/admin")
    public ResponseEntity<String> admin(@RequestHeader("X-Token") String token) {
        DecodedJWT jwt = JWT.decode(token);
        if (!"admin".equals(jwt.getClaim("role").asString())) {
            return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
        }
        return ResponseEntity.ok("settings");
    }
}

// === vulnerable: Algorithm.none
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.time.Instant;
import org.springframework.stereotype.Service;

@Service
public class TokenIssuer {
    public String issue(String user) {
        return JWT.create()
                .withSubject(user)
                .withExpiresAt(Instant.now().plusSeconds(3600))
                .sign(Algorithm.none());
    }
}

// === vulnerable: HMAC secret literal
package com.acme.portal;

import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.SignatureAlgorithm;
import java.util.Date;
import org.springframework.stereotype.Service;

@Service
public class TokenService {
    private static final String SECRET = "portal-signing-key-2021";

    public String issue(String user) {
        return Jwts.builder()
                .setSubject(user)
                .setExpiration(new Date(System.currentTimeMillis() + 900_000))
                .signWith(SignatureAlgorithm.HS256, SECRET)
                .compact();
    }
}

// === vulnerable: payload decoded without verification
package com.acme.portal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Base64;

public class RoleFilter implements Filter {
    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
        String token = ((HttpServletRequest) request).getHeader("Authorization").substring(7);
        byte[] payload = Base64.getUrlDecoder().decode(token.split("\\.")[1]);
        JsonNode claims = mapper.readTree(payload);
        request.setAttribute("role", claims.path("role").asText());
        chain.doFilter(request, response);
    }
}

// === vulnerable: verifier with a literal key
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.interfaces.DecodedJWT;
import com.auth0.jwt.interfaces.JWTVerifier;

public class Verifier {
    public DecodedJWT verify(String token) {
        Algorithm algorithm = Algorithm.HMAC256("Tr0ub4dor-3-portal");
        JWTVerifier verifier = JWT.require(algorithm).withIssuer("portal").build();
        return verifier.verify(token);
    }
}

// === safe: jjwt signed claims with a key from configuration
package com.acme.portal;

import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.io.Decoders;
import io.jsonwebtoken.security.Keys;
import javax.crypto.SecretKey;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

@Service
public class TokenReader {
    private final SecretKey key;

    public TokenReader(@Value("${jwt.secret}") String secret) {
        this.key = Keys.hmacShaKeyFor(Decoders.BASE64.decode(secret));
    }

    public Claims read(String token) {
        return Jwts.parser().verifyWith(key).build().parseSignedClaims(token).getPayload();
    }
}

// === safe: auth0 verifier with a public key
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.interfaces.JWTVerifier;
import java.security.interfaces.RSAPublicKey;

public class Verifier {
    private final JWTVerifier verifier;

    public Verifier(RSAPublicKey publicKey) {
        this.verifier = JWT.require(Algorithm.RSA256(publicKey, null)).withIssuer("portal").build();
    }

    public String subject(String token) {
        return verifier.verify(token).getSubject();
    }
}

// === safe: issuing with a secret from the environment
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.time.Instant;
import org.springframework.stereotype.Service;

@Service
public class TokenIssuer {
    public String issue(String user) {
        Algorithm algorithm = Algorithm.HMAC256(System.getenv("JWT_SECRET"));
        return JWT.create()
                .withSubject(user)
                .withExpiresAt(Instant.now().plusSeconds(900))
                .sign(algorithm);
    }
}

// === safe: parseClaimsJws
package com.acme.portal;

import io.jsonwebtoken.Jwts;
import java.security.Key;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class MeController {
    private final Key key;

    MeController(Key key) {
        this.key = key;
    }

    @GetMapping("/me")
    public String me(@RequestHeader("Authorization") String auth) {
        return Jwts.parserBuilder().setSigningKey(key).build()
                .parseClaimsJws(auth.substring(7)).getBody().getSubject();
    }
}

// === safe: decode of a verified token's header for the key id only
package com.acme.portal;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.interfaces.DecodedJWT;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class AdminController {
    private final Map<String, RSAPublicKey> keys = new ConcurrentHashMap<>();

    @GetMapping("/admin")
    public String admin(@RequestHeader("X-Token") String token) {
        String kid = JWT.decode(token).getKeyId();
        DecodedJWT jwt = JWT.require(Algorithm.RSA256(keys.get(kid), null)).build().verify(token);
        return jwt.getClaim("role").asString();
    }
}
