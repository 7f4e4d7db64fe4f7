// === vulnerable: DES
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

public class CardVault {
    public byte[] encrypt(byte[] key, byte[] plain) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("DES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "DES"));
        return cipher.doFinal(plain);
    }
}

// === vulnerable: AES in ECB mode
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

public class NoteCipher {
    private static final String TRANSFORMATION = "AES/ECB/PKCS5Padding";

    public byte[] encrypt(SecretKey key, String note) throws GeneralSecurityException {
        Cipher c = Cipher.getInstance(TRANSFORMATION);
        c.init(Cipher.ENCRYPT_MODE, key);
        return c.doFinal(note.getBytes(StandardCharsets.UTF_8));
    }
}

// === vulnerable: AES with default mode
package com.acme.portal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Service;

@Service
public class TokenService {
    public String seal(byte[] key, String token) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        return Base64.getEncoder().encodeToString(cipher.doFinal(token.getBytes(StandardCharsets.UTF_8)));
    }
}

// === vulnerable: RC4
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

public class StreamBox {
    public byte[] apply(byte[] key, byte[] data) throws GeneralSecurityException {
        SecretKeySpec spec = new SecretKeySpec(key, "RC4");
        Cipher rc4 = Cipher.getInstance("RC4");
        rc4.init(Cipher.ENCRYPT_MODE, spec);
        return rc4.doFinal(data);
    }
}

// === vulnerable: DESede key generator
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;

public class LegacyKeys {
    public byte[] encrypt(byte[] plain) throws GeneralSecurityException {
        KeyGenerator generator = KeyGenerator.getInstance("DESede");
        SecretKey key = generator.generateKey();
        Cipher cipher = Cipher.getInstance("DESede/ECB/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return cipher.doFinal(plain);
    }
}

// === vulnerable: Blowfish
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

public class ArchiveLock {
    public byte[] lock(byte[] key, byte[] data) throws GeneralSecurityException {
        Cipher blowfish = Cipher.getInstance("Blowfish");
        blowfish.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "Blowfish"));
        return blowfish.doFinal(data);
    }
}

// === safe: AES-GCM with random IV
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

public class CardVault {
    private static final SecureRandom RANDOM = new SecureRandom();

    public byte[][] encrypt(SecretKey key, byte[] plain) throws GeneralSecurityException {
        byte[] iv = new byte[12];
        RANDOM.nextBytes(iv);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
        return new byte[][] {iv, cipher.doFinal(plain)};
    }
}

// === safe: ChaCha20-Poly1305
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;

public class NoteCipher {
    public byte[] encrypt(SecretKey key, byte[] note) throws GeneralSecurityException {
        byte[] nonce = new byte[12];
        new SecureRandom().nextBytes(nonce);
        Cipher c = Cipher.getInstance("ChaCha20-Poly1305");
        c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(nonce));
        return c.doFinal(note);
    }
}

// === safe: AES key generator with 256 bits
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;

public class Keys {
    public SecretKey create() throws GeneralSecurityException {
        KeyGenerator generator = KeyGenerator.getInstance("AES");
        generator.init(256);
        return generator.generateKey();
    }
}

// === safe: RSA with OAEP
package com.acme.portal;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import javax.crypto.Cipher;

public class KeyWrap {
    public byte[] wrap(PublicKey key, byte[] secret) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return cipher.doFinal(secret);
    }
}

// === safe: AES-GCM opening with a constant name
package com.acme.portal;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

public class TokenService {
    private static final String ALG = "AES/GCM/NoPadding";

    public byte[] open(SecretKey key, byte[] iv, byte[] box) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALG);
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
        return cipher.doFinal(box);
    }
}

// === safe: getInstance of another factory with the name DES
package com.acme.portal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class RegionFactory {
    private static final Map<String, RegionFactory> ALL = new ConcurrentHashMap<>();
    private final String code;

    private RegionFactory(String code) {
        this.code = code;
    }

    public static RegionFactory getInstance(String code) {
        return ALL.computeIfAbsent(code, RegionFactory::new);
    }

    public static RegionFactory dessau() {
        return RegionFactory.getInstance("DES");
    }
}

// === vulnerable: card numbers in blocks of DES
package com.example.cards;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.*;
import javax.crypto.spec.DESKeySpec;

class CardBox {
    private final SecretKey key;

    CardBox(byte[] secret) throws GeneralSecurityException {
        this.key = SecretKeyFactory.getInstance("DES").generateSecret(new DESKeySpec(secret));
    }

    String close(String number) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("DES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return Base64.getEncoder().encodeToString(cipher.doFinal(number.getBytes()));
    }
}

// === safe: card numbers sealed with AES in GCM
package com.example.cards;

import java.nio.ByteBuffer;
import java.security.*;
import javax.crypto.*;
import javax.crypto.spec.GCMParameterSpec;

class CardBox {
    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    CardBox(SecretKey key) {
        this.key = key;
    }

    byte[] close(byte[] number) throws GeneralSecurityException {
        byte[] nonce = new byte[12];
        random.nextBytes(nonce);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
        byte[] sealed = cipher.doFinal(number);
        return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    }
}
