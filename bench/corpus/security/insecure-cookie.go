// === vulnerable: session cookie without Secure and HttpOnly
package web

import "net/http"

func setSession(w http.ResponseWriter, id string) {
	http.SetCookie(w, &http.Cookie{
		Name:  "session_id",
		Value: id,
		Path:  "/",
	})
}

// === vulnerable: gin SetCookie with false, false
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func Login(c *gin.Context) {
	token := c.GetString("session_token")
	c.SetCookie("session_token", token, 3600, "/", "acme.io", false, false)
	c.Status(http.StatusNoContent)
}

// === vulnerable: echo cookie fields set one by one
package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

func Login(c echo.Context) error {
	cookie := new(http.Cookie)
	cookie.Name = "auth_token"
	cookie.Value = c.Get("token").(string)
	cookie.Expires = time.Now().Add(24 * time.Hour)
	cookie.HttpOnly = false
	cookie.Secure = false
	c.SetCookie(cookie)
	return c.NoContent(http.StatusOK)
}

// === vulnerable: gorilla session options
package web

import "github.com/gorilla/sessions"

func Store(key []byte) *sessions.CookieStore {
	store := sessions.NewCookieStore(key)
	store.Options = &sessions.Options{
		Path:     "/",
		MaxAge:   86400,
		HttpOnly: false,
		Secure:   false,
	}
	return store
}

// === vulnerable: Secure false on a login cookie
package web

import (
	"net/http"
	"time"
)

func Remember(w http.ResponseWriter, token string) {
	cookie := http.Cookie{
		Name:     "remember_token",
		Value:    token,
		HttpOnly: true,
		Secure:   false,
		MaxAge:   int((30 * 24 * time.Hour).Seconds()),
	}
	http.SetCookie(w, &cookie)
}

// === vulnerable: Set-Cookie header written by hand
package web

import (
	"net/http"

	"github.com/google/uuid"
)

func SignIn(w http.ResponseWriter, r *http.Request) {
	sid := uuid.NewString()
	w.Header().Add("Set-Cookie", "sessionid="+sid+"; Path=/")
	w.WriteHeader(http.StatusNoContent)
}

// === safe: all attributes
package web

import "net/http"

func setSession(w http.ResponseWriter, id string) {
	http.SetCookie(w, &http.Cookie{
		Name:     "session_id",
		Value:    id,
		Path:     "/",
		HttpOnly: true,
		Secure:   true,
		SameSite: http.SameSiteLaxMode,
	})
}

// === safe: gin SetCookie with true, true
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func Login(c *gin.Context) {
	token := c.GetString("session_token")
	c.SetSameSite(http.SameSiteStrictMode)
	c.SetCookie("session_token", token, 3600, "/", "acme.io", true, true)
	c.Status(http.StatusNoContent)
}

// === safe: echo cookie fields true
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

func Login(c echo.Context) error {
	cookie := new(http.Cookie)
	cookie.Name = "auth_token"
	cookie.Value = c.Get("token").(string)
	cookie.HttpOnly = true
	cookie.Secure = true
	cookie.SameSite = http.SameSiteLaxMode
	c.SetCookie(cookie)
	return c.NoContent(http.StatusOK)
}

// === safe: gorilla session options
package web

import (
	"net/http"

	"github.com/gorilla/sessions"
)

func Store(key []byte) *sessions.CookieStore {
	store := sessions.NewCookieStore(key)
	store.Options = &sessions.Options{
		Path:     "/",
		MaxAge:   86400,
		HttpOnly: true,
		Secure:   true,
		SameSite: http.SameSiteLaxMode,
	}
	return store
}

// === safe: Set-Cookie header with attributes
package web

import (
	"net/http"

	"github.com/google/uuid"
)

func SignIn(w http.ResponseWriter, r *http.Request) {
	sid := uuid.NewString()
	w.Header().Add("Set-Cookie", "__Host-sid="+sid+"; Path=/; Secure; HttpOnly; SameSite=Lax")
	w.WriteHeader(http.StatusNoContent)
}

// === safe: Cookie type of a bakery
package web

import (
	"encoding/json"
	"net/http"
)

type Cookie struct {
	Name  string
	Price int
}

func Menu(w http.ResponseWriter, r *http.Request) {
	list := []Cookie{{Name: "oat", Price: 2}, {Name: "ginger", Price: 3}}
	_ = json.NewEncoder(w).Encode(list)
}
