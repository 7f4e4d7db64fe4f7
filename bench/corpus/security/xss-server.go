// === vulnerable: Fprintf of a query value into html
package main

import (
	"fmt"
	"log"
	"net/http"
)

func Hello(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<h1>Hello, %s!</h1>", name)
}

func main() {
	http.HandleFunc("/hello", Hello)
	log.Fatal(http.ListenAndServe(":8080", nil))
}

// === vulnerable: template.HTML conversion of a form value
package web

import (
	"html/template"
	"net/http"
)

var page = template.Must(template.New("page").Parse(`<div class="bio">{{.Bio}}</div>`))

type profile struct{ Bio template.HTML }

func ShowProfile(w http.ResponseWriter, r *http.Request) {
	bio := r.FormValue("bio")
	if err := page.Execute(w, profile{Bio: template.HTML(bio)}); err != nil {
		http.Error(w, "render", http.StatusInternalServerError)
	}
}

// === vulnerable: text/template renders the page with a query value
package web

import (
	"net/http"
	"text/template"
)

var results = template.Must(template.New("results").Parse("<p>Results for <b>{{.Q}}</b></p>"))

func Search(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	data := struct{ Q string }{Q: r.URL.Query().Get("q")}
	_ = results.Execute(w, data)
}

// === vulnerable: gin c.Data with text/html
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func Preview(c *gin.Context) {
	title := c.PostForm("title")
	body := c.PostForm("body")
	page := "<html><head><title>" + title + "</title></head><body>" + body + "</body></html>"
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(page))
}

// === vulnerable: echo c.HTML with a path parameter
package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

func Greet(c echo.Context) error {
	user := c.Param("user")
	return c.HTML(http.StatusOK, fmt.Sprintf("<p>Welcome back, %s</p>", user))
}

func Register(e *echo.Echo) {
	e.GET("/greet/:user", Greet)
}

// === vulnerable: io.WriteString of html assembled by a helper
package web

import (
	"io"
	"net/http"
)

func row(label, value string) string {
	return "<tr><td>" + label + "</td><td>" + value + "</td></tr>"
}

func Headers(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	io.WriteString(w, "<table>")
	for k, values := range r.URL.Query() {
		for _, v := range values {
			io.WriteString(w, row(k, v))
		}
	}
	io.WriteString(w, "</table>")
}

// === safe: html.EscapeString before Fprintf
package web

import (
	"fmt"
	"html"
	"net/http"
)

func Hello(w http.ResponseWriter, r *http.Request) {
	name := html.EscapeString(r.URL.Query().Get("name"))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<h1>Hello, %s!</h1>", name)
}

// === safe: html/template with a plain string field
package web

import (
	"html/template"
	"net/http"
)

var page = template.Must(template.New("page").Parse(`<div class="bio">{{.Bio}}</div>`))

type profile struct{ Bio string }

func ShowProfile(w http.ResponseWriter, r *http.Request) {
	if err := page.Execute(w, profile{Bio: r.FormValue("bio")}); err != nil {
		http.Error(w, "render", http.StatusInternalServerError)
	}
}

// === safe: plain text response
package web

import (
	"fmt"
	"net/http"
)

func Echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	fmt.Fprintf(w, "you said: %s\n", r.URL.Query().Get("msg"))
}

// === safe: bluemonday policy before template.HTML
package web

import (
	"html/template"
	"net/http"

	"github.com/microcosm-cc/bluemonday"
)

var policy = bluemonday.UGCPolicy()
var page = template.Must(template.New("c").Parse(`<article>{{.}}</article>`))

func Comment(w http.ResponseWriter, r *http.Request) {
	clean := policy.Sanitize(r.FormValue("comment"))
	_ = page.Execute(w, template.HTML(clean))
}

// === safe: gin JSON response with the same value
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func Preview(c *gin.Context) {
	title := c.PostForm("title")
	c.JSON(http.StatusOK, gin.H{"title": title, "html": false})
}

// === safe: number parsed before it is written
package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
)

func Page(c echo.Context) error {
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "bad page")
	}
	return c.HTML(http.StatusOK, fmt.Sprintf("<p>Page %d</p>", n))
}

// === safe: constant markup as template.HTML
package web

import (
	"html/template"
	"net/http"
)

var banner = template.HTML("<strong>Maintenance tonight</strong>")
var tpl = template.Must(template.New("home").Parse(`{{.Banner}}<p>{{.User}}</p>`))

func Home(w http.ResponseWriter, r *http.Request) {
	_ = tpl.Execute(w, map[string]any{"Banner": banner, "User": r.URL.Query().Get("user")})
}

// === vulnerable: the name that was not found, in the page that says so
package shop

import "net/http"

func Product(w http.ResponseWriter, r *http.Request) {
	sku := r.PathValue("sku")
	product, ok := find(sku)
	if !ok {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		w.Write([]byte("<html><body><p>There is no product " + sku + ".</p></body></html>"))
		return
	}
	render(w, product)
}

// === safe: a problem as JSON, the name in it
package shop

import (
	"encoding/json"
	"net/http"
)

func Product(w http.ResponseWriter, r *http.Request) {
	sku := r.PathValue("sku")
	product, ok := find(sku)
	if !ok {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusNotFound)
		json.NewEncoder(w).Encode(map[string]string{"title": "no product " + sku})
		return
	}
	json.NewEncoder(w).Encode(product)
}
