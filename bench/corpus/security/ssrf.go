// === vulnerable: http.Get of a query value
package web

import (
	"io"
	"net/http"
)

func Fetch(w http.ResponseWriter, r *http.Request) {
	target := r.URL.Query().Get("url")
	resp, err := http.Get(target)
	if err != nil {
		http.Error(w, "fetch failed", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	io.Copy(w, resp.Body)
}

// === vulnerable: webhook URL of a JSON body posted to
package web

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

type hook struct {
	Callback string `json:"callback"`
	Event    string `json:"event"`
}

func TestHook(c *gin.Context) {
	var h hook
	if err := c.ShouldBindJSON(&h); err != nil {
		c.Status(http.StatusBadRequest)
		return
	}
	resp, err := http.Post(h.Callback, "application/json", strings.NewReader(`{"test":true}`))
	if err != nil {
		c.Status(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	c.JSON(http.StatusOK, gin.H{"status": resp.StatusCode})
}

// === vulnerable: host part formatted into the URL
package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

func Metrics(c echo.Context) error {
	u := fmt.Sprintf("http://%s:9100/metrics", c.QueryParam("node"))
	req, err := http.NewRequest(http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 5 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, "node down")
	}
	defer resp.Body.Close()
	return c.Stream(http.StatusOK, "text/plain", resp.Body)
}

// === vulnerable: helper downloads an image for a form value
package web

import (
	"fmt"
	"io"
	"net/http"
)

func download(src string) ([]byte, error) {
	resp, err := http.DefaultClient.Get(src)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func ImportAvatar(w http.ResponseWriter, r *http.Request) {
	img, err := download(r.PostFormValue("avatar_url"))
	if err != nil {
		http.Error(w, "cannot import", 400)
		return
	}
	fmt.Fprintf(w, "%d bytes", len(img))
}

// === vulnerable: net.Dial to a requested address
package web

import (
	"io"
	"net"
	"net/http"
	"time"
)

func Probe(w http.ResponseWriter, r *http.Request) {
	addr := r.FormValue("host") + ":" + r.FormValue("port")
	conn, err := net.DialTimeout("tcp", addr, 3*time.Second)
	if err != nil {
		http.Error(w, "closed", http.StatusOK)
		return
	}
	conn.Close()
	io.WriteString(w, "open")
}

// === vulnerable: resty client with a query value
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-resty/resty/v2"
)

func Preview(c *gin.Context) {
	client := resty.New()
	link := c.DefaultQuery("link", "https://example.org")
	resp, err := client.R().SetHeader("Accept", "text/html").Get(link)
	if err != nil {
		c.Status(http.StatusBadGateway)
		return
	}
	c.String(http.StatusOK, resp.String())
}

// === safe: host compared with an allow-list
package web

import (
	"io"
	"net/http"
	"net/url"
)

var allowed = map[string]bool{"cdn.acme.io": true, "img.acme.io": true}

func Fetch(w http.ResponseWriter, r *http.Request) {
	u, err := url.Parse(r.URL.Query().Get("url"))
	if err != nil || u.Scheme != "https" || !allowed[u.Hostname()] {
		http.Error(w, "not allowed", http.StatusForbidden)
		return
	}
	resp, err := http.Get(u.String())
	if err != nil {
		http.Error(w, "fetch failed", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	io.Copy(w, resp.Body)
}

// === safe: fixed host with an escaped query value
package web

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

func Weather(c *gin.Context) {
	q := url.Values{}
	q.Set("city", c.Query("city"))
	resp, err := http.Get("https://api.weather.acme.io/v1/now?" + q.Encode())
	if err != nil {
		c.Status(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	c.DataFromReader(http.StatusOK, resp.ContentLength, "application/json", resp.Body, nil)
}

// === safe: endpoint chosen by key
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

var backends = map[string]string{
	"stock": "http://stock.internal/health",
	"users": "http://users.internal/health",
}

func Health(c echo.Context) error {
	target, ok := backends[c.Param("name")]
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "unknown backend")
	}
	resp, err := http.Get(target)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return c.NoContent(resp.StatusCode)
}

// === safe: URL from configuration
package web

import (
	"io"
	"net/http"
	"os"
)

var upstream = os.Getenv("UPSTREAM_URL")

func Proxy(w http.ResponseWriter, r *http.Request) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, upstream, nil)
	if err != nil {
		http.Error(w, "config", 500)
		return
	}
	req.Header.Set("X-Search", r.URL.Query().Get("q"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		http.Error(w, "upstream", 502)
		return
	}
	defer resp.Body.Close()
	io.Copy(w, resp.Body)
}

// === safe: Get of a cache, not of an HTTP client
package web

import (
	"io"
	"net/http"
	"sync"
)

type cache struct{ m sync.Map }

func (c *cache) Get(key string) (string, bool) {
	v, ok := c.m.Load(key)
	if !ok {
		return "", false
	}
	return v.(string), true
}

func Cached(c *cache) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, _ := c.Get(r.URL.Query().Get("url"))
		io.WriteString(w, v)
	}
}

// === vulnerable: the feed that a body names
package feeds

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

type addFeed struct {
	Title string `json:"title"`
	Feed  string `json:"feed"`
}

var client = http.Client{Timeout: 3 * time.Second}

func Add(c echo.Context) error {
	in := new(addFeed)
	if err := c.Bind(in); err != nil {
		return echo.ErrBadRequest
	}
	resp, err := client.Get(in.Feed)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]json.RawMessage{"feed": body})
}

// === safe: a city becomes part of the query of a known service
package weather

import (
	"encoding/json"
	"net/http"
	"net/url"
)

func Now(w http.ResponseWriter, r *http.Request) {
	address := url.URL{
		Scheme:   "https",
		Host:     "weather.example.com",
		Path:     "/v2/now",
		RawQuery: url.Values{"city": {r.FormValue("city")}}.Encode(),
	}
	resp, err := http.Get(address.String())
	if err != nil {
		http.Error(w, "no weather", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var now map[string]any
	json.NewDecoder(resp.Body).Decode(&now)
	json.NewEncoder(w).Encode(now)
}
