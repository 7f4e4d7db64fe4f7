// === vulnerable: ParseUnverified for authentication
package web

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
)

func Auth(c *gin.Context) {
	raw := strings.TrimPrefix(c.GetHeader("Authorization"), "Bearer ")
	claims := jwt.MapClaims{}
	_, _, err := jwt.NewParser().ParseUnverified(raw, claims)
	if err != nil {
		c.AbortWithStatus(http.StatusUnauthorized)
		return
	}
	c.Set("user", claims["sub"])
	c.Next()
}

// === vulnerable: none algorithm used to sign
package web

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func Issue(user string) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{
		"sub": user,
		"exp": time.Now().Add(time.Hour).Unix(),
	})
	return token.SignedString(jwt.UnsafeAllowNoneSignatureType)
}

// === vulnerable: key function returns UnsafeAllowNoneSignatureType
package web

import (
	"os"

	"github.com/golang-jwt/jwt/v5"
)

func Verify(raw string) (*jwt.Token, error) {
	return jwt.Parse(raw, func(t *jwt.Token) (interface{}, error) {
		if t.Method.Alg() == "none" {
			return jwt.UnsafeAllowNoneSignatureType, nil
		}
		return []byte(os.Getenv("JWT_SECRET")), nil
	})
}

// === vulnerable: hard coded signing secret
package web

import (
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var secret = []byte("s3cr3t-portal-key")

func Sign(userID int) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": strconv.Itoa(userID),
		"exp": time.Now().Add(15 * time.Minute).Unix(),
	})
	return t.SignedString(secret)
}

// === vulnerable: payload decoded by hand for the role
package web

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

func Admin(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), ".")
	if len(parts) != 3 {
		http.Error(w, "unauthorised", 401)
		return
	}
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct{ Role string }
	_ = json.Unmarshal(payload, &claims)
	if claims.Role != "admin" {
		http.Error(w, "forbidden", 403)
		return
	}
	io.WriteString(w, "welcome")
}

// === vulnerable: hard coded key in the parser's key function
package web

import (
	"net/http"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"
)

func Middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		token, err := jwt.Parse(c.Request().Header.Get("X-Token"), func(t *jwt.Token) (interface{}, error) {
			return []byte("Tr0ub4dor&3-jwt"), nil
		}, jwt.WithValidMethods([]string{"HS256"}))
		if err != nil || !token.Valid {
			return echo.NewHTTPError(http.StatusUnauthorized, "invalid token")
		}
		return next(c)
	}
}

// === safe: method checked and key from the environment
package web

import (
	"fmt"
	"os"

	"github.com/golang-jwt/jwt/v5"
)

func Verify(raw string) (*jwt.Token, error) {
	return jwt.Parse(raw, func(t *jwt.Token) (interface{}, error) {
		if _, ok := t.Method.(*jwt.SigningMethodHMAC); !ok {
			return nil, fmt.Errorf("unexpected method %v", t.Header["alg"])
		}
		return []byte(os.Getenv("JWT_SECRET")), nil
	})
}

// === safe: ParseWithClaims with valid methods
package web

import (
	"crypto/rsa"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
)

func Auth(pub *rsa.PublicKey) gin.HandlerFunc {
	return func(c *gin.Context) {
		claims := &jwt.RegisteredClaims{}
		token, err := jwt.ParseWithClaims(c.GetHeader("X-Token"), claims, func(t *jwt.Token) (interface{}, error) {
			return pub, nil
		}, jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer("portal"))
		if err != nil || !token.Valid {
			c.AbortWithStatus(http.StatusUnauthorized)
			return
		}
		c.Set("user", claims.Subject)
	}
}

// === safe: signing with a secret from the environment
package web

import (
	"os"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func Sign(userID int) (string, error) {
	secret := []byte(os.Getenv("JWT_SECRET"))
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": strconv.Itoa(userID),
		"exp": time.Now().Add(15 * time.Minute).Unix(),
	})
	return t.SignedString(secret)
}

// === safe: ed25519 key loaded from a file
package web

import (
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func Sign(user string) (string, error) {
	pem, err := os.ReadFile(os.Getenv("JWT_KEY_FILE"))
	if err != nil {
		return "", err
	}
	key, err := jwt.ParseEdPrivateKeyFromPEM(pem)
	if err != nil {
		return "", err
	}
	claims := jwt.RegisteredClaims{Subject: user, ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Hour))}
	return jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims).SignedString(key)
}

// === safe: none algorithm rejected
package web

import (
	"errors"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

func check(alg string) error {
	if strings.EqualFold(alg, "none") {
		return errors.New("alg none is refused")
	}
	return nil
}

func Verify(raw string, key []byte) (*jwt.Token, error) {
	return jwt.Parse(raw, func(t *jwt.Token) (interface{}, error) {
		return key, check(t.Method.Alg())
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS512.Alg()}))
}

// === vulnerable: unsigned tokens are taken for good ones
package session

import (
	"fmt"

	"github.com/golang-jwt/jwt/v5"
)

func Subject(raw string) (string, error) {
	token, err := jwt.Parse(raw, func(t *jwt.Token) (any, error) {
		if t.Method.Alg() == "none" {
			return jwt.UnsafeAllowNoneSignatureType, nil
		}
		return key()
	})
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return token.Claims.GetSubject()
}

// === safe: one algorithm, an issuer and an expiry are asked for
package session

import (
	"github.com/golang-jwt/jwt/v5"
)

func Subject(raw string, key []byte) (string, error) {
	claims := &jwt.RegisteredClaims{}
	_, err := jwt.ParseWithClaims(raw, claims, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithIssuer("shop"), jwt.WithExpirationRequired())
	if err != nil {
		return "", err
	}
	return claims.Subject, nil
}
