// === vulnerable: html/template parses a query value
package web

import (
	"html/template"
	"net/http"
)

func Render(w http.ResponseWriter, r *http.Request) {
	t, err := template.New("page").Parse(r.URL.Query().Get("tpl"))
	if err != nil {
		http.Error(w, "bad template", 400)
		return
	}
	_ = t.Execute(w, map[string]string{"Title": "Portal"})
}

// === vulnerable: text/template with a concatenated greeting
package web

import (
	"bytes"
	"net/http"
	"os"
	"text/template"

	"github.com/gin-gonic/gin"
)

type account struct {
	Name     string
	Password string
}

func Mail(c *gin.Context) {
	body := "Hello {{.Name}}, " + c.PostForm("message")
	t := template.Must(template.New("mail").Parse(body))
	var buf bytes.Buffer
	_ = t.Execute(&buf, account{Name: "Ana", Password: os.Getenv("ANA_PW")})
	c.String(http.StatusOK, buf.String())
}

// === vulnerable: Sprintf into the template source
package web

import (
	"fmt"
	"html/template"

	"github.com/labstack/echo/v4"
)

func Page(c echo.Context) error {
	src := fmt.Sprintf("<h1>%s</h1><p>{{.Body}}</p>", c.QueryParam("title"))
	t, err := template.New("p").Parse(src)
	if err != nil {
		return err
	}
	return t.Execute(c.Response(), map[string]any{"Body": "text"})
}

// === vulnerable: JSON field parsed as template by a helper
package web

import (
	"encoding/json"
	"net/http"
	"text/template"
)

type layout struct {
	Source string `json:"source"`
}

func compile(src string) (*template.Template, error) {
	return template.New("custom").Option("missingkey=zero").Parse(src)
}

func Preview(w http.ResponseWriter, r *http.Request) {
	var l layout
	_ = json.NewDecoder(r.Body).Decode(&l)
	t, err := compile(l.Source)
	if err != nil {
		http.Error(w, "bad layout", 400)
		return
	}
	_ = t.Execute(w, r)
}

// === vulnerable: template parsed in a loop over form values
package web

import (
	"net/http"
	"os"
	"strconv"
	"text/template"
)

func Labels(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	set := template.New("labels")
	for i, src := range r.Form["label"] {
		t, err := set.New(strconv.Itoa(i)).Parse(src)
		if err != nil {
			continue
		}
		_ = t.Execute(w, map[string]any{"Env": os.Environ()})
	}
}

// === safe: value passed as data
package web

import (
	"html/template"
	"net/http"
)

var page = template.Must(template.New("page").Parse(`<h1>{{.Title}}</h1>`))

func Render(w http.ResponseWriter, r *http.Request) {
	_ = page.Execute(w, map[string]string{"Title": r.URL.Query().Get("title")})
}

// === safe: ParseFiles with constant names
package web

import (
	"html/template"
	"net/http"

	"github.com/gin-gonic/gin"
)

var pages = template.Must(template.ParseFiles("templates/base.html", "templates/home.html"))

func Home(c *gin.Context) {
	if err := pages.ExecuteTemplate(c.Writer, "base", gin.H{"q": c.Query("q")}); err != nil {
		c.Status(http.StatusInternalServerError)
	}
}

// === safe: template name chosen from an allow-list
package web

import (
	"html/template"

	"github.com/labstack/echo/v4"
)

var mails = template.Must(template.ParseGlob("mails/*.tmpl"))

func Mail(c echo.Context) error {
	name := "default.tmpl"
	switch c.QueryParam("kind") {
	case "welcome":
		name = "welcome.tmpl"
	case "reset":
		name = "reset.tmpl"
	}
	return mails.ExecuteTemplate(c.Response(), name, nil)
}

// === safe: url.Parse and time.Parse of a query value
package web

import (
	"fmt"
	"net/http"
	"net/url"
	"time"
)

func When(w http.ResponseWriter, r *http.Request) {
	t, err := time.Parse("2006-01-02", r.URL.Query().Get("day"))
	if err != nil {
		http.Error(w, "bad day", 400)
		return
	}
	u, err := url.Parse(r.FormValue("ref"))
	if err != nil {
		http.Error(w, "bad ref", 400)
		return
	}
	fmt.Fprintln(w, t.Weekday(), len(u.Path))
}

// === safe: placeholder replaced with strings.NewReplacer
package web

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

func Letter(c *gin.Context) {
	text := "Dear {name}, your appointment is on {day}."
	rep := strings.NewReplacer("{name}", c.Query("name"), "{day}", c.Query("day"))
	c.String(http.StatusOK, rep.Replace(text))
}
