// === vulnerable: des.NewCipher in cbc mode
package web

import (
	"crypto/cipher"
	"crypto/des"
)

func EncryptCard(key, iv, plain []byte) ([]byte, error) {
	block, err := des.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain)
	return out, nil
}

// === vulnerable: triple DES
package web

import (
	"crypto/cipher"
	"crypto/des"
)

func Seal3DES(key, iv, plain []byte) ([]byte, error) {
	block, err := des.NewTripleDESCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(plain))
	stream := cipher.NewCTR(block, iv)
	stream.XORKeyStream(out, plain)
	return out, nil
}

// === vulnerable: RC4 stream
package web

import "crypto/rc4"

func Obscure(key, data []byte) ([]byte, error) {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out, nil
}

// === vulnerable: AES block by block (ECB by hand)
package web

import "crypto/aes"

func EncryptBlocks(key, plain []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(plain))
	for i := 0; i < len(plain); i += aes.BlockSize {
		block.Encrypt(out[i:i+aes.BlockSize], plain[i:i+aes.BlockSize])
	}
	return out, nil
}

// === vulnerable: blowfish
package web

import (
	"crypto/cipher"

	"golang.org/x/crypto/blowfish"
)

func Lock(key, iv, plain []byte) ([]byte, error) {
	block, err := blowfish.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain)
	return out, nil
}

// === vulnerable: TLS config with RC4 and 3DES suites
package web

import (
	"crypto/tls"
	"net/http"
)

func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Addr:    ":8443",
		Handler: handler,
		TLSConfig: &tls.Config{
			CipherSuites: []uint16{
				tls.TLS_RSA_WITH_RC4_128_SHA,
				tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA,
			},
		},
	}
}

// === safe: AES-GCM with a random nonce
package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
)

func Encrypt(key, plain []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return gcm.Seal(nonce, nonce, plain, nil), nil
}

// === safe: chacha20poly1305
package web

import (
	"crypto/rand"

	"golang.org/x/crypto/chacha20poly1305"
)

func Encrypt(key, plain []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return aead.Seal(nonce, nonce, plain, nil), nil
}

// === safe: AES-GCM opening
package web

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
)

func Decrypt(key, box []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	n := gcm.NonceSize()
	if len(box) < n {
		return nil, errors.New("short message")
	}
	return gcm.Open(nil, box[:n], box[n:], nil)
}

// === safe: TLS config with modern suites
package web

import (
	"crypto/tls"
	"net/http"
)

func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Addr:    ":8443",
		Handler: handler,
		TLSConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			CipherSuites: []uint16{
				tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
				tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
			},
		},
	}
}

// === safe: description word des on another object
package web

import (
	"io"
	"net/http"
)

type catalogue struct{ items map[string]string }

func (c *catalogue) NewCipher(name string) string {
	return c.items[name]
}

func Describe(w http.ResponseWriter, r *http.Request) {
	des := &catalogue{items: map[string]string{"a": "Aluminium frame"}}
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, des.NewCipher(r.URL.Query().Get("item")))
}
