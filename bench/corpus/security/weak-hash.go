// === vulnerable: md5.Sum of a password
package web

import (
	"crypto/md5"
	"database/sql"
	"encoding/hex"
	"net/http"
)

func hashPassword(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

func Register(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = db.Exec("INSERT INTO users(name, pw) VALUES (?, ?)", r.FormValue("name"), hashPassword(r.FormValue("password")))
	}
}

// === vulnerable: sha1.New for a password with salt
package web

import (
	"crypto/sha1"
	"fmt"
	"io"
)

func DigestPassword(salt, password string) string {
	h := sha1.New()
	io.WriteString(h, salt)
	io.WriteString(h, password)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// === vulnerable: hmac with md5 as webhook signature
package web

import (
	"crypto/hmac"
	"crypto/md5"
	"encoding/hex"
)

func VerifySignature(secret, body []byte, signature string) bool {
	mac := hmac.New(md5.New, secret)
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}

// === vulnerable: sha1 digest signed with rsa
package web

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
)

func SignLicense(key *rsa.PrivateKey, license []byte) ([]byte, error) {
	digest := sha1.Sum(license)
	return rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA1, digest[:])
}

// === vulnerable: session token derived with md5
package web

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"time"
)

func SessionToken(userID int, secret string) string {
	raw := fmt.Sprintf("%d:%s:%d", userID, secret, time.Now().Unix())
	h := md5.New()
	h.Write([]byte(raw))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// === vulnerable: md4 credential digest
package web

import (
	"bytes"

	"golang.org/x/crypto/md4"
)

func ntHash(password []byte) []byte {
	h := md4.New()
	h.Write(password)
	return h.Sum(nil)
}

func CheckPassword(stored []byte, password string) bool {
	return bytes.Equal(stored, ntHash([]byte(password)))
}

// === safe: bcrypt for a password
package web

import "golang.org/x/crypto/bcrypt"

func hashPassword(password string) (string, error) {
	b, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return "", err
	}
	return string(b), nil
}

// === safe: argon2id for a password
package web

import (
	"crypto/rand"

	"golang.org/x/crypto/argon2"
)

func DigestPassword(password string) ([]byte, []byte, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return nil, nil, err
	}
	return argon2.IDKey([]byte(password), salt, 1, 64*1024, 4, 32), salt, nil
}

// === safe: hmac sha256 webhook signature
package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

func VerifySignature(secret, body []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}

// === safe: sha512 digest of a document
package web

import (
	"crypto/sha512"
	"encoding/hex"
)

func Fingerprint(document []byte) string {
	sum := sha512.Sum512(document)
	return hex.EncodeToString(sum[:])
}

// === safe: sha256 file digest streamed
package web

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

func FileDigest(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// === safe: function called md5 in a string only
package web

import (
	"log"
	"slices"
	"strings"
)

func Algorithms() []string {
	names := []string{"sha256", "sha512"}
	log.Printf("md5 and sha1 were removed in version %d", 3)
	return names
}

func Supported(name string) bool {
	return slices.Contains(Algorithms(), strings.ToLower(name))
}

// === safe: fnv for a shard number
package web

import "hash/fnv"

func Shard(key string, shards uint32) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32() % shards
}

// === safe: a fingerprint of a file for its name
package assets

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

func Fingerprint(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}
