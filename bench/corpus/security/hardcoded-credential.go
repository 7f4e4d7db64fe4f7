// === vulnerable: password constant in a struct literal
package web

import "fmt"

type dbConfig struct {
	Host     string
	User     string
	Password string
}

var config = dbConfig{
	Host:     "db.acme.io",
	User:     "portal",
	Password: "vK7#mQ2pLx9!",
}

func DSN() string {
	return fmt.Sprintf("%s:%s@tcp(%s)/portal", config.User, config.Password, config.Host)
}

// === vulnerable: credentials inside a connection URL
package web

import (
	"database/sql"

	_ "github.com/lib/pq"
)

func Open() (*sql.DB, error) {
	dsn := "postgres://billing:Wq8rTz41kd@pg.acme.io:5432/billing?sslmode=verify-full"
	return sql.Open("postgres", dsn)
}

// === vulnerable: API key constant sent as a header
package web

import (
	"net/http"
	"net/url"
)

const apiKey = "9f2c7b61e0d84a3fb5c1d7e2a6480b9d"

func Geocode(address string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, "https://geo.acme.io/v1?q="+url.QueryEscape(address), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Api-Key", apiKey)
	return http.DefaultClient.Do(req)
}

// === vulnerable: SMTP password literal
package web

import "net/smtp"

func Notify(to string, msg []byte) error {
	auth := smtp.PlainAuth("", "alerts@acme.io", "Herbst-2023-mail!", "smtp.acme.io")
	return smtp.SendMail("smtp.acme.io:587", auth, "alerts@acme.io", []string{to}, msg)
}

// === vulnerable: admin password compared with a literal
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func Admin(c *gin.Context) {
	user, password, ok := c.Request.BasicAuth()
	if !ok || user != "admin" || password != "Gr4nd-Piano-77" {
		c.AbortWithStatus(http.StatusUnauthorized)
		return
	}
	c.String(http.StatusOK, "ok")
}

// === vulnerable: redis password in options
package web

import "github.com/redis/go-redis/v9"

func Cache() *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr:     "redis.acme.io:6379",
		Username: "portal",
		Password: "c8Yw2nLqE5tR",
		DB:       0,
	})
}

// === safe: password from the environment
package web

import "os"

type dbConfig struct {
	Host     string
	User     string
	Password string
}

func Load() dbConfig {
	return dbConfig{
		Host:     "db.acme.io",
		User:     "portal",
		Password: os.Getenv("DB_PASSWORD"),
	}
}

// === safe: key read from a secret file
package web

import (
	"os"
	"strings"
)

func APIKey() (string, error) {
	b, err := os.ReadFile("/run/secrets/geo_api_key")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(b)), nil
}

// === safe: names of fields and headers
package web

import "net/http"

const (
	passwordField = "password"
	apiKeyHeader  = "X-Api-Key"
	tokenParam    = "access_token"
)

func Read(r *http.Request) (string, string) {
	return r.FormValue(passwordField), r.Header.Get(apiKeyHeader)
}

// === safe: empty default password of a flag
package main

import (
	"flag"
	"fmt"
	"log"
)

func main() {
	password := flag.String("password", "", "database password")
	user := flag.String("user", "portal", "database user")
	flag.Parse()
	if *password == "" {
		log.Fatal("password is required")
	}
	fmt.Println("connecting as", *user)
}

// === safe: bcrypt hash compared with the stored one
package web

import (
	"database/sql"
	"net/http"

	"github.com/gin-gonic/gin"
	"golang.org/x/crypto/bcrypt"
)

func Login(db *sql.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var passwordHash string
		row := db.QueryRow("SELECT password_hash FROM users WHERE name = ?", c.PostForm("name"))
		if err := row.Scan(&passwordHash); err != nil {
			c.Status(http.StatusUnauthorized)
			return
		}
		if bcrypt.CompareHashAndPassword([]byte(passwordHash), []byte(c.PostForm("password"))) != nil {
			c.Status(http.StatusUnauthorized)
		}
	}
}

// === safe: password error messages
package web

import (
	"errors"
	"fmt"
)

var (
	ErrPasswordTooShort = errors.New("password must have at least 12 characters")
	passwordHelp        = "Use a long password that you do not use elsewhere"
)

func CheckPassword(password string) error {
	if len(password) < 12 {
		return fmt.Errorf("%w: %s", ErrPasswordTooShort, passwordHelp)
	}
	return nil
}
