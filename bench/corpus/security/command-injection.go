// === vulnerable: sh -c with a concatenated query value
package web

import (
	"net/http"
	"os/exec"
)

func Ping(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	out, err := exec.Command("sh", "-c", "ping -c 1 "+host).CombinedOutput()
	if err != nil {
		http.Error(w, "unreachable", http.StatusBadGateway)
		return
	}
	w.Write(out)
}

// === vulnerable: gin form value in bash -c through Sprintf
package web

import (
	"fmt"
	"net/http"
	"os/exec"

	"github.com/gin-gonic/gin"
)

func Convert(c *gin.Context) {
	name := c.PostForm("file")
	cmdline := fmt.Sprintf("convert uploads/%s -resize 200x200 thumbs/%s", name, name)
	cmd := exec.Command("/bin/bash", "-c", cmdline)
	if err := cmd.Run(); err != nil {
		c.Status(http.StatusInternalServerError)
		return
	}
	c.Status(http.StatusNoContent)
}

// === vulnerable: program name from the request
package web

import (
	"net/http"
	"os/exec"

	"github.com/labstack/echo/v4"
)

func RunTool(c echo.Context) error {
	tool := c.QueryParam("tool")
	out, err := exec.CommandContext(c.Request().Context(), tool, "--version").Output()
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "failed")
	}
	return c.String(http.StatusOK, string(out))
}

// === vulnerable: helper in the same file runs a shell
package web

import (
	"encoding/json"
	"net/http"
	"os/exec"
)

type backupRequest struct {
	Database string `json:"database"`
}

func shell(line string) error {
	return exec.Command("bash", "-lc", line).Run()
}

func Backup(w http.ResponseWriter, r *http.Request) {
	var req backupRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad body", 400)
		return
	}
	if err := shell("pg_dump " + req.Database + " > /backups/latest.sql"); err != nil {
		http.Error(w, "backup failed", 500)
	}
}

// === vulnerable: exec.Cmd struct with Args joined from form values
package web

import (
	"net/http"
	"os/exec"
	"strings"
)

func Grep(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	words := strings.Join(r.Form["word"], "|")
	cmd := &exec.Cmd{
		Path:   "/bin/sh",
		Args:   []string{"sh", "-c", "grep -E '" + words + "' /var/log/app.log"},
		Stdout: w,
	}
	if err := cmd.Run(); err != nil {
		http.Error(w, "no match", 404)
	}
}

// === vulnerable: Windows cmd /C with a header value
package web

import (
	"net/http"
	"os/exec"

	"github.com/gin-gonic/gin"
)

func Resolve(c *gin.Context) {
	args := []string{"/C", "nslookup " + c.GetHeader("X-Host")}
	out, err := exec.Command("cmd.exe", args...).Output()
	if err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	c.String(http.StatusOK, string(out))
}

// === safe: argument list without a shell after validation
package web

import (
	"net/http"
	"os/exec"
	"regexp"
)

var hostRe = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.-]{0,252}$`)

func Ping(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	if !hostRe.MatchString(host) {
		http.Error(w, "bad host", http.StatusBadRequest)
		return
	}
	out, err := exec.Command("ping", "-c", "1", host).CombinedOutput()
	if err != nil {
		http.Error(w, "unreachable", http.StatusBadGateway)
		return
	}
	w.Write(out)
}

// === safe: command picked from a map of constants
package web

import (
	"net/http"
	"os/exec"

	"github.com/labstack/echo/v4"
)

var tools = map[string][]string{
	"uptime": {"/usr/bin/uptime"},
	"disk":   {"/bin/df", "-h"},
}

func RunTool(c echo.Context) error {
	argv, ok := tools[c.QueryParam("tool")]
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "unknown tool")
	}
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, string(out))
}

// === safe: constant shell pipeline
package web

import (
	"fmt"
	"net/http"
	"os/exec"
)

func Processes(w http.ResponseWriter, r *http.Request) {
	out, err := exec.Command("sh", "-c", "ps aux | wc -l").Output()
	if err != nil {
		http.Error(w, "failed", 500)
		return
	}
	fmt.Fprintf(w, "%s for %s", out, r.RemoteAddr)
}

// === safe: integer argument
package web

import (
	"net/http"
	"os/exec"
	"strconv"

	"github.com/gin-gonic/gin"
)

func Tail(c *gin.Context) {
	n, err := strconv.Atoi(c.DefaultQuery("lines", "50"))
	if err != nil || n < 1 || n > 500 {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	out, _ := exec.Command("tail", "-n", strconv.Itoa(n), "/var/log/app.log").Output()
	c.String(http.StatusOK, string(out))
}

// === safe: user value goes to standard input
package web

import (
	"net/http"
	"os/exec"
	"strings"
)

func Format(w http.ResponseWriter, r *http.Request) {
	cmd := exec.Command("gofmt")
	cmd.Stdin = strings.NewReader(r.FormValue("source"))
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		http.Error(w, "cannot format", http.StatusUnprocessableEntity)
	}
}

// === safe: Command of a bot library, not os/exec
package web

import (
	"log"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

type bot struct{ log *log.Logger }

func (b *bot) Command(name string, text string) string {
	b.log.Printf("command %q", name)
	return strings.ToUpper(text)
}

func Chat(b *bot) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.String(http.StatusOK, b.Command("sh", c.Query("text")))
	}
}

// === vulnerable: archive of a folder named in a form, through a login shell
package backup

import (
	"net/http"
	"os/exec"
)

func Archive(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "bad form", http.StatusBadRequest)
		return
	}
	folder := r.PostForm.Get("folder")
	script := "cd /srv && tar czf /backup/latest.tgz " + folder
	cmd := exec.Command("/bin/bash", "-lc", script)
	if out, err := cmd.CombinedOutput(); err != nil {
		http.Error(w, string(out), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// === safe: the branch is an argument of git
package deploy

import (
	"net/http"
	"os/exec"
	"regexp"
)

var branchName = regexp.MustCompile(`^[\w./-]{1,80}$`)

func Checkout(w http.ResponseWriter, r *http.Request) {
	branch := r.FormValue("branch")
	if !branchName.MatchString(branch) {
		http.Error(w, "bad branch", http.StatusBadRequest)
		return
	}
	if err := exec.CommandContext(r.Context(), "git", "-C", "/srv/app", "checkout", branch).Run(); err != nil {
		http.Error(w, "checkout failed", http.StatusConflict)
	}
}
