// === vulnerable: filepath.Join with a query value and os.ReadFile
package web

import (
	"net/http"
	"os"
	"path/filepath"
)

func Download(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("file")
	data, err := os.ReadFile(filepath.Join("/srv/files", name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

// === vulnerable: gin c.File with concatenation
package web

import "github.com/gin-gonic/gin"

func Avatar(c *gin.Context) {
	user := c.Query("user")
	c.File("./avatars/" + user + ".png")
}

func Routes(r *gin.Engine) {
	r.GET("/avatar", Avatar)
}

// === vulnerable: uploaded file saved under a form-given name
package web

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func Upload(w http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("doc")
	if err != nil {
		http.Error(w, "no file", 400)
		return
	}
	defer file.Close()
	target := fmt.Sprintf("/data/uploads/%s", r.FormValue("name"))
	dst, err := os.Create(target)
	if err != nil {
		http.Error(w, "cannot save", 500)
		return
	}
	defer dst.Close()
	io.Copy(dst, file)
}

// === vulnerable: echo handler removes a file
package web

import (
	"net/http"
	"os"

	"github.com/labstack/echo/v4"
)

type files struct{ root string }

func (f *files) path(name string) string {
	return f.root + "/" + name
}

func (f *files) remove(c echo.Context) error {
	if err := os.Remove(f.path(c.QueryParam("name"))); err != nil {
		return echo.NewHTTPError(http.StatusNotFound, "missing")
	}
	return c.NoContent(http.StatusNoContent)
}

// === vulnerable: header value in filepath.Join and os.Open
package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

func Theme(w http.ResponseWriter, r *http.Request) {
	theme := r.Header.Get("X-Theme")
	p := filepath.Join("themes", theme, "style.css")
	f, err := os.Open(p)
	if err != nil {
		http.Error(w, "no theme", 404)
		return
	}
	defer f.Close()
	io.Copy(w, f)
}

// === vulnerable: filepath.Clean alone on a relative value
package web

import (
	"net/http"
	"os"
	"path/filepath"

	"github.com/gin-gonic/gin"
)

func Log(c *gin.Context) {
	name := filepath.Clean(c.Query("name"))
	b, err := os.ReadFile("/var/log/app/" + name)
	if err != nil {
		c.Status(http.StatusNotFound)
		return
	}
	c.String(http.StatusOK, string(b))
}

// === safe: filepath.Base of the value
package web

import (
	"net/http"
	"os"
	"path/filepath"
)

func Download(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(r.URL.Query().Get("file"))
	data, err := os.ReadFile(filepath.Join("/srv/files", name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

// === safe: clean, join and prefix check
package web

import (
	"net/http"
	"path/filepath"
	"strings"

	"github.com/gin-gonic/gin"
)

const root = "/data/documents"

func Document(c *gin.Context) {
	full := filepath.Join(root, filepath.Clean("/"+c.Query("path")))
	if !strings.HasPrefix(full, root+string(filepath.Separator)) {
		c.AbortWithStatus(http.StatusForbidden)
		return
	}
	c.File(full)
}

// === safe: filepath.IsLocal check
package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

func Asset(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if !filepath.IsLocal(name) {
		http.Error(w, "bad name", http.StatusBadRequest)
		return
	}
	f, err := os.Open(filepath.Join("assets", name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	io.Copy(w, f)
}

// === safe: file chosen from a map
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

var manuals = map[string]string{"en": "manuals/en.pdf", "de": "manuals/de.pdf"}

func Manual(c echo.Context) error {
	file, ok := manuals[c.QueryParam("lang")]
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "no manual")
	}
	return c.File(file)
}

// === safe: os.Root limits the opened files
package web

import (
	"io"
	"net/http"
	"os"
)

func Open(root *os.Root) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := root.Open(r.URL.Query().Get("file"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		io.Copy(w, f)
	}
}

// === safe: numeric id in the file name
package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

func Invoice(c *gin.Context) {
	id, err := strconv.ParseUint(c.Param("id"), 10, 64)
	if err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	c.File(fmt.Sprintf("/srv/invoices/%d.pdf", id))
}

// === vulnerable: a note of a given name, read by a helper
package notes

import (
	"net/http"
	"os"

	"github.com/gorilla/mux"
)

const folder = "/var/lib/notes/"

func read(name string) (string, error) {
	text, err := os.ReadFile(folder + name + ".md")
	return string(text), err
}

func Show(w http.ResponseWriter, r *http.Request) {
	text, err := read(mux.Vars(r)["name"])
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/markdown")
	w.Write([]byte(text))
}

// === safe: a file system that cannot be left
package notes

import (
	"io/fs"
	"net/http"
	"os"
)

var notes fs.FS = os.DirFS("/var/lib/notes")

func Show(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !fs.ValidPath(name) {
		http.NotFound(w, r)
		return
	}
	text, err := fs.ReadFile(notes, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/markdown")
	w.Write(text)
}
