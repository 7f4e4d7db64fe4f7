// === vulnerable: http.Redirect to a query value
package web

import "net/http"

func Login(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("next")
	http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Secure: true, HttpOnly: true})
	http.Redirect(w, r, next, http.StatusFound)
}

// === vulnerable: gin c.Redirect with a default
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func After(c *gin.Context) {
	dest := c.DefaultQuery("return_to", "/dashboard")
	c.Redirect(http.StatusSeeOther, dest)
}

// === vulnerable: echo redirect to a form value
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

func Logout(c echo.Context) error {
	target := c.FormValue("redirect")
	if target == "" {
		target = "/"
	}
	return c.Redirect(http.StatusFound, target)
}

// === vulnerable: Location header set by hand
package web

import "net/http"

func Out(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "bad form", 400)
		return
	}
	w.Header().Set("Location", r.Form.Get("to"))
	w.WriteHeader(http.StatusMovedPermanently)
}

// === vulnerable: target from a helper that reads the request
package web

import "net/http"

func nextURL(r *http.Request) string {
	if v := r.FormValue("continue"); v != "" {
		return v
	}
	return "/home"
}

func Continue(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, nextURL(r), http.StatusTemporaryRedirect)
}

// === vulnerable: host part from the request in the target
package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

func Country(c *gin.Context) {
	site := c.Query("site")
	target := fmt.Sprintf("https://%s/welcome", site)
	c.Redirect(http.StatusFound, target)
}

// === safe: constant target
package web

import "net/http"

func Login(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("next") == "" {
		http.Error(w, "missing", 400)
		return
	}
	http.Redirect(w, r, "/account", http.StatusFound)
}

// === safe: only local paths accepted
package web

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

func safePath(p string) string {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") || strings.HasPrefix(p, "/\\") {
		return "/"
	}
	return p
}

func After(c *gin.Context) {
	c.Redirect(http.StatusSeeOther, safePath(c.Query("return_to")))
}

// === safe: host allow-list after url.Parse
package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
)

func Logout(c echo.Context) error {
	u, err := url.Parse(c.FormValue("redirect"))
	if err != nil || u.Scheme != "https" || u.Host != "www.acme.io" {
		return c.Redirect(http.StatusFound, "/")
	}
	return c.Redirect(http.StatusFound, u.String())
}

// === safe: target looked up by key
package web

import "net/http"

var targets = map[string]string{"docs": "https://docs.acme.io", "blog": "https://blog.acme.io"}

func Out(w http.ResponseWriter, r *http.Request) {
	to, ok := targets[r.FormValue("to")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.Redirect(w, r, to, http.StatusFound)
}

// === safe: user value only as an escaped query parameter of a fixed path
package web

import (
	"net/http"
	"net/url"
)

func Search(w http.ResponseWriter, r *http.Request) {
	q := url.QueryEscape(r.FormValue("q"))
	http.Redirect(w, r, "/search?q="+q, http.StatusSeeOther)
}

// === safe: integer id in a local path
package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

func Created(c *gin.Context) {
	id, err := strconv.Atoi(c.PostForm("id"))
	if err != nil {
		c.Status(http.StatusBadRequest)
		return
	}
	c.Redirect(http.StatusFound, fmt.Sprintf("/items/%d", id))
}

// === vulnerable: back to where a cookie says
package auth

import "net/http"

func Callback(w http.ResponseWriter, r *http.Request) {
	back := "/"
	if cookie, err := r.Cookie("return_to"); err == nil {
		back = cookie.Value
	}
	if err := signIn(w, r); err != nil {
		http.Error(w, "sign in failed", http.StatusUnauthorized)
		return
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// === safe: to the page of what was made
package auth

import (
	"fmt"
	"net/http"
	"strconv"
)

func Create(w http.ResponseWriter, r *http.Request) {
	shop, err := strconv.ParseInt(r.FormValue("shop"), 10, 64)
	if err != nil {
		http.Error(w, "bad shop", http.StatusBadRequest)
		return
	}
	id := store(shop, r.FormValue("name"))
	http.Redirect(w, r, fmt.Sprintf("/shops/%d/orders/%s", shop, id), http.StatusSeeOther)
}
