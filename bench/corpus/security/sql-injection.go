// === vulnerable: net/http query value concatenated into db.Query
package web

import (
	"database/sql"
	"net/http"
)

func ListOrders(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		customer := r.URL.Query().Get("customer")
		rows, err := db.Query("SELECT id, total FROM orders WHERE customer = '" + customer + "'")
		if err != nil {
			http.Error(w, "query failed", http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		w.WriteHeader(http.StatusOK)
	}
}

// === vulnerable: gin path parameter through fmt.Sprintf
package web

import (
	"database/sql"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

type UserStore struct{ db *sql.DB }

func (s *UserStore) Show(c *gin.Context) {
	id := c.Param("id")
	q := fmt.Sprintf("SELECT name, email FROM users WHERE id = %s", id)
	var name, email string
	if err := s.db.QueryRow(q).Scan(&name, &email); err != nil {
		c.JSON(http.StatusNotFound, gin.H{"error": "not found"})
		return
	}
	c.JSON(http.StatusOK, gin.H{"name": name, "email": email})
}

// === vulnerable: echo query parameter as ORDER BY column
package web

import (
	"net/http"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
)

type api struct{ db *sqlx.DB }

type product struct {
	ID   int    `db:"id"`
	Name string `db:"name"`
}

func (a *api) products(c echo.Context) error {
	var out []product
	sort := c.QueryParam("sort")
	stmt := "SELECT id, name FROM products ORDER BY " + sort
	if err := a.db.Select(&out, stmt); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// === vulnerable: strings.Builder filled from form values in a loop
package web

import (
	"database/sql"
	"net/http"
	"strings"
)

func Search(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "bad form", http.StatusBadRequest)
		return
	}
	var sb strings.Builder
	sb.WriteString("SELECT id FROM tickets WHERE 1=1")
	for _, tag := range r.Form["tag"] {
		sb.WriteString(" AND tags LIKE '%" + tag + "%'")
	}
	rows, err := db.QueryContext(r.Context(), sb.String())
	if err != nil {
		http.Error(w, "search failed", 500)
		return
	}
	defer rows.Close()
}

// === vulnerable: gorm Where with a formatted condition
package web

import (
	"fmt"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Account struct {
	ID    uint
	Email string
}

func FindAccount(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var acc Account
		email := c.Query("email")
		db.Where(fmt.Sprintf("email = '%s'", email)).First(&acc)
		c.JSON(200, acc)
	}
}

// === vulnerable: JSON body field used by a helper that builds a DELETE
package web

import (
	"database/sql"
	"encoding/json"
	"net/http"
)

type purgeRequest struct {
	Table string `json:"table"`
	Owner string `json:"owner"`
}

func deleteStatement(owner string) string {
	return "DELETE FROM drafts WHERE owner = '" + owner + "'"
}

func Purge(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var req purgeRequest
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, "bad body", 400)
			return
		}
		if _, err := db.Exec(deleteStatement(req.Owner)); err != nil {
			http.Error(w, "failed", 500)
		}
	}
}

// === vulnerable: pgx pool with a header value in the statement
package web

import (
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
)

func Tenant(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tenant := r.Header.Get("X-Tenant")
		query := `SELECT plan FROM tenants WHERE slug = '` + tenant + `'`
		var plan string
		if err := pool.QueryRow(r.Context(), query).Scan(&plan); err != nil {
			http.Error(w, "unknown tenant", 404)
			return
		}
		fmt.Fprintln(w, plan)
	}
}

// === safe: net/http query value as a placeholder argument
package web

import (
	"database/sql"
	"net/http"
)

func ListOrders(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		customer := r.URL.Query().Get("customer")
		rows, err := db.Query("SELECT id, total FROM orders WHERE customer = ?", customer)
		if err != nil {
			http.Error(w, "query failed", http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		w.WriteHeader(http.StatusOK)
	}
}

// === safe: gin path parameter converted with strconv.Atoi first
package web

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

type UserStore struct{ db *sql.DB }

func (s *UserStore) Show(c *gin.Context) {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	q := fmt.Sprintf("SELECT name FROM users WHERE id = %d", id)
	var name string
	if err := s.db.QueryRow(q).Scan(&name); err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	c.JSON(http.StatusOK, gin.H{"name": name})
}

// === safe: sort column looked up in a map of constants
package web

import (
	"net/http"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
)

type api struct{ db *sqlx.DB }

var sortColumns = map[string]string{"name": "name", "newest": "created_at DESC"}

func (a *api) products(c echo.Context) error {
	col, ok := sortColumns[c.QueryParam("sort")]
	if !ok {
		col = "id"
	}
	var names []string
	if err := a.db.Select(&names, "SELECT name FROM products ORDER BY "+col); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, names)
}

// === safe: placeholders built in a loop with collected arguments
package web

import (
	"database/sql"
	"net/http"
	"strings"
)

func Search(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	var sb strings.Builder
	args := []any{}
	sb.WriteString("SELECT id FROM tickets WHERE 1=1")
	for _, tag := range r.Form["tag"] {
		sb.WriteString(" AND tags LIKE ?")
		args = append(args, "%"+tag+"%")
	}
	rows, err := db.QueryContext(r.Context(), sb.String(), args...)
	if err != nil {
		http.Error(w, "search failed", 500)
		return
	}
	defer rows.Close()
}

// === safe: gorm Where with a bound value
package web

import (
	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Account struct {
	ID    uint
	Email string
}

func FindAccount(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var acc Account
		db.Where("email = ?", c.Query("email")).First(&acc)
		c.JSON(200, acc)
	}
}

// === safe: prepared statement executed with the body field
package web

import (
	"database/sql"
	"encoding/json"
	"net/http"
)

type purgeRequest struct {
	Owner string `json:"owner"`
}

func Purge(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var req purgeRequest
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, "bad body", 400)
			return
		}
		stmt, err := db.Prepare("DELETE FROM drafts WHERE owner = $1")
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		defer stmt.Close()
		_, _ = stmt.Exec(req.Owner)
	}
}

// === safe: table name constant concatenated, value bound
package web

import (
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
)

const auditTable = "audit_log"

func Audit(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		actor := r.URL.Query().Get("actor")
		query := "SELECT count(*) FROM " + auditTable + " WHERE actor = $1"
		var n int
		if err := pool.QueryRow(r.Context(), query, actor).Scan(&n); err != nil {
			http.Error(w, "failed", 500)
			return
		}
		fmt.Fprintln(w, n)
	}
}

// === vulnerable: table of a report chosen by a path value, two calls away
package reports

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Server struct{ db *sql.DB }

func (s *Server) Routes() http.Handler {
	r := chi.NewRouter()
	r.Get("/reports/{name}", s.report)
	return r
}

func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	total, err := s.total(r.Context(), chi.URLParam(r, "name"))
	if err != nil {
		http.Error(w, "report failed", http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, total)
}

func (s *Server) total(ctx context.Context, table string) (int, error) {
	var n int
	err := s.db.QueryRowContext(ctx, fmt.Sprintf("SELECT COUNT(*) FROM %s", table)).Scan(&n)
	return n, err
}

// === safe: conditions are collected, values are bound
package reports

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
)

func Search(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var conditions []string
		var values []any
		for _, column := range []string{"city", "country"} {
			if given := r.URL.Query().Get(column); given != "" {
				values = append(values, given)
				conditions = append(conditions, fmt.Sprintf("%s = $%d", column, len(values)))
			}
		}
		query := "SELECT name FROM shops"
		if len(conditions) > 0 {
			query += " WHERE " + strings.Join(conditions, " AND ")
		}
		rows, err := db.QueryContext(r.Context(), query, values...)
		if err != nil {
			http.Error(w, "search failed", http.StatusInternalServerError)
			return
		}
		defer rows.Close()
	}
}
