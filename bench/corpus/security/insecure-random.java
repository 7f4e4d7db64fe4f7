// === vulnerable: Random session token
package com.acme.portal;

import java.util.Random;

public class SessionTokens {
    private static final String CHARS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private final Random random = new Random();

    public String newSessionToken() {
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < 32; i++) {
            token.append(CHARS.charAt(random.nextInt(CHARS.length())));
        }
        return token.toString();
    }
}

// === vulnerable: Math.random one-time code
package com.acme.portal;

import jakarta.servlet.http.HttpSession;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OtpController {
    @PostMapping("/otp")
    public void send(HttpSession session) {
        int otp = (int) (Math.random() * 900000) + 100000;
        session.setAttribute("otp", otp);
    }
}

// === vulnerable: SplittableRandom temporary password
package com.acme.portal;

import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

@Service
public class InviteService {
    public String temporaryPassword() {
        SplittableRandom random = new SplittableRandom(System.currentTimeMillis());
        return random.ints(12, 'a', 'z' + 1)
                .mapToObj(c -> String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}

// === vulnerable: ThreadLocalRandom api key
package com.acme.portal;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class KeyController {
    @PostMapping("/keys")
    public Map<String, String> create() {
        long high = ThreadLocalRandom.current().nextLong();
        long low = ThreadLocalRandom.current().nextLong();
        String apiKey = Long.toHexString(high) + Long.toHexString(low);
        return Map.of("apiKey", apiKey);
    }
}

// === vulnerable: Random bytes as an AES key
package com.acme.portal;

import java.util.Random;
import javax.crypto.spec.SecretKeySpec;

public class KeyFactory {
    public SecretKeySpec secretKey() {
        byte[] key = new byte[32];
        new Random(System.nanoTime()).nextBytes(key);
        return new SecretKeySpec(key, "AES");
    }
}

// === vulnerable: password reset token from Random
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Random;

public class ResetServlet extends HttpServlet {
    private static final Random RNG = new Random();

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String resetToken = Long.toString(Math.abs(RNG.nextLong()), 36);
        req.getSession().setAttribute("resetToken", resetToken);
        resp.setStatus(204);
    }
}

// === safe: SecureRandom token
package com.acme.portal;

import java.security.SecureRandom;
import java.util.Base64;

public class SessionTokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    public String newSessionToken() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

// === safe: SecureRandom one-time code
package com.acme.portal;

import jakarta.servlet.http.HttpSession;
import java.security.SecureRandom;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OtpController {
    private final SecureRandom random = new SecureRandom();

    @PostMapping("/otp")
    public void send(HttpSession session) {
        session.setAttribute("otp", 100000 + random.nextInt(900000));
    }
}

// === safe: UUID.randomUUID
package com.acme.portal;

import java.util.Map;
import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class KeyController {
    @PostMapping("/uploads")
    public Map<String, String> create() {
        return Map.of("uploadToken", UUID.randomUUID().toString());
    }
}

// === safe: Random for retry delay
package com.acme.portal;

import java.util.Random;

public class Retry {
    private final Random random = new Random();

    public void run(Runnable job, int attempts) throws InterruptedException {
        for (int i = 0; i < attempts; i++) {
            try {
                job.run();
                return;
            } catch (RuntimeException e) {
                Thread.sleep(100 + random.nextInt(200));
            }
        }
    }
}

// === safe: Collections.shuffle of banners
package com.acme.portal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

@Controller
public class HomeController {
    @GetMapping("/")
    public String home(Model model) {
        List<String> banners = new ArrayList<>(List.of("spring", "summer", "autumn"));
        Collections.shuffle(banners, new Random());
        model.addAttribute("banners", banners);
        return "home";
    }
}

// === safe: Math.random for a chart colour
package com.acme.portal;

public class Colours {
    public String next() {
        int hue = (int) (Math.random() * 360);
        return "hsl(" + hue + ", 60%, 50%)";
    }
}

// === vulnerable: a voucher that is worth money
package com.example.vouchers;

import java.util.concurrent.ThreadLocalRandom;

class Vouchers {
    private static final char[] LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".toCharArray();

    String newSecretCode() {
        char[] code = new char[12];
        for (int at = 0; at < code.length; at++) {
            code[at] = LETTERS[ThreadLocalRandom.current().nextInt(LETTERS.length)];
        }
        return new String(code);
    }
}

// === safe: the order in which banners are shown
package com.example.banners;

import java.util.*;

class Banners {
    private final Random random = new Random();

    List<String> shuffled(List<String> banners) {
        List<String> shown = new ArrayList<>(banners);
        Collections.shuffle(shown, random);
        return shown;
    }

    boolean isSampled(double share) {
        return random.nextDouble() < share;
    }
}
