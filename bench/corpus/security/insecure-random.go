// === vulnerable: math/rand session token
package web

import "math/rand"

const letters = "abcdefghijklmnopqrstuvwxyz0123456789"

func NewSessionToken() string {
	b := make([]byte, 32)
	for i := range b {
		b[i] = letters[rand.Intn(len(letters))]
	}
	return string(b)
}

// === vulnerable: seeded source for a password reset code
package web

import (
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"time"
)

func ResetCode() string {
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	return fmt.Sprintf("%06d", r.Intn(1000000))
}

func SendReset(w http.ResponseWriter, req *http.Request) {
	code := ResetCode()
	log.Printf("reset issued for %q, %d digits", req.FormValue("email"), len(code))
}

// === vulnerable: math/rand/v2 API key
package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/gin-gonic/gin"
)

func APIKey(c *gin.Context) {
	apiKey := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	c.JSON(http.StatusCreated, gin.H{"api_key": apiKey})
}

// === vulnerable: rand.Read of math/rand for an encryption key
package web

import (
	"crypto/aes"
	"crypto/cipher"
	"math/rand"
)

func GenerateKey() ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	return key, nil
}

func NewBlock() (cipher.Block, error) {
	key, err := GenerateKey()
	if err != nil {
		return nil, err
	}
	return aes.NewCipher(key)
}

// === vulnerable: aliased math/rand for a temporary password
package web

import (
	mrand "math/rand"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

type user struct{ Name, Password string }

func Invite(c echo.Context) error {
	var sb strings.Builder
	for i := 0; i < 12; i++ {
		sb.WriteByte(byte('a' + mrand.Intn(26)))
	}
	u := user{Name: c.FormValue("name"), Password: sb.String()}
	return c.JSON(http.StatusOK, u)
}

// === vulnerable: csrf token from the clock and math/rand
package web

import (
	"math/rand"
	"net/http"
	"strconv"
	"time"
)

func csrfToken() string {
	return strconv.FormatInt(time.Now().Unix()^rand.Int63(), 36)
}

func Form(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "csrf_token", Value: csrfToken(), Secure: true, HttpOnly: true})
	w.WriteHeader(http.StatusNoContent)
}

// === safe: crypto/rand session token
package web

import (
	"crypto/rand"
	"encoding/base64"
)

func NewSessionToken() (string, error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// === safe: crypto/rand Int for a reset code
package web

import (
	"crypto/rand"
	"fmt"
	"math/big"
)

func ResetCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1000000))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%06d", n.Int64()), nil
}

// === safe: math/rand for retry jitter
package web

import (
	"math/rand"
	"time"
)

func Retry(attempts int, f func() error) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Duration(100+rand.Intn(200)) * time.Millisecond)
	}
	return err
}

// === safe: math/rand shuffles banners
package web

import (
	"io"
	"math/rand"
	"net/http"
	"strings"
)

var banners = []string{"spring", "summer", "autumn"}

func Banner(w http.ResponseWriter, r *http.Request) {
	list := append([]string(nil), banners...)
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	io.WriteString(w, strings.Join(list, ","))
}

// === safe: uuid for an order number
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

func CreateOrder(c *gin.Context) {
	id, err := uuid.NewRandom()
	if err != nil {
		c.Status(http.StatusInternalServerError)
		return
	}
	c.JSON(http.StatusCreated, gin.H{"order": id.String()})
}

// === safe: aliased crypto/rand beside math/rand for colours
package web

import (
	crand "crypto/rand"
	"encoding/hex"
	"fmt"
	"math/rand"
)

func Token() (string, error) {
	buf := make([]byte, 24)
	if _, err := crand.Read(buf); err != nil {
		return "", err
	}
	return hex.EncodeToString(buf), nil
}

func Colour() string {
	return fmt.Sprintf("#%06x", rand.Intn(0xffffff))
}

// === vulnerable: a code for signing in, from math/rand
package login

import (
	"fmt"
	"math/rand"
)

type Mailer interface {
	Send(to, text string) error
}

func SendLoginCode(m Mailer, to string) (string, error) {
	code := fmt.Sprintf("%06d", rand.Intn(1_000_000))
	if err := m.Send(to, "Your code is "+code); err != nil {
		return "", err
	}
	return code, nil
}

// === safe: the next question of a quiz
package quiz

import "math/rand"

type Question struct{ Text, Answer string }

func Next(questions []Question, asked map[int]bool) Question {
	for {
		at := rand.Intn(len(questions))
		if !asked[at] {
			asked[at] = true
			return questions[at]
		}
	}
}
