// === vulnerable: filter formatted with a form value
package web

import (
	"fmt"
	"net/http"

	"github.com/go-ldap/ldap/v3"
)

func Find(conn *ldap.Conn) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		filter := fmt.Sprintf("(&(objectClass=person)(uid=%s))", r.FormValue("uid"))
		req := ldap.NewSearchRequest("dc=acme,dc=io", ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 0, 0, false, filter, []string{"dn"}, nil)
		res, err := conn.Search(req)
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		fmt.Fprintln(w, len(res.Entries))
	}
}

// === vulnerable: concatenated filter in gin
package web

import (
	"github.com/gin-gonic/gin"
	"github.com/go-ldap/ldap/v3"
)

func Groups(conn *ldap.Conn) gin.HandlerFunc {
	return func(c *gin.Context) {
		filter := "(member=" + c.Query("dn") + ")"
		req := &ldap.SearchRequest{BaseDN: "ou=groups,dc=acme,dc=io", Scope: ldap.ScopeWholeSubtree, Filter: filter}
		res, err := conn.Search(req)
		if err != nil {
			c.Status(500)
			return
		}
		c.JSON(200, gin.H{"count": len(res.Entries)})
	}
}

// === vulnerable: bind name built from the request
package web

import (
	"net/http"

	"github.com/go-ldap/ldap/v3"
	"github.com/labstack/echo/v4"
)

func Login(conn *ldap.Conn) echo.HandlerFunc {
	return func(c echo.Context) error {
		dn := "uid=" + c.FormValue("user") + ",ou=people,dc=acme,dc=io"
		if err := conn.Bind(dn, c.FormValue("password")); err != nil {
			return echo.NewHTTPError(http.StatusUnauthorized, "invalid")
		}
		return c.NoContent(http.StatusOK)
	}
}

// === vulnerable: builder helper for the filter
package web

import (
	"net/http"
	"strings"

	"github.com/go-ldap/ldap/v3"
)

func mailFilter(mail string) string {
	var sb strings.Builder
	sb.WriteString("(|(mail=")
	sb.WriteString(mail)
	sb.WriteString(")(alias=" + mail + "))")
	return sb.String()
}

func Lookup(conn *ldap.Conn, w http.ResponseWriter, r *http.Request) {
	req := ldap.NewSearchRequest("dc=acme,dc=io", ldap.ScopeSingleLevel, 0, 1, 0, false, mailFilter(r.URL.Query().Get("mail")), nil, nil)
	if _, err := conn.Search(req); err != nil {
		http.Error(w, "failed", 500)
	}
}

// === vulnerable: base DN from a path parameter
package web

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-ldap/ldap/v3"
)

func Unit(conn *ldap.Conn) gin.HandlerFunc {
	return func(c *gin.Context) {
		base := fmt.Sprintf("ou=%s,dc=acme,dc=io", c.Param("unit"))
		req := ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, 0, 0, 0, false, "(cn="+c.Query("cn")+")", nil, nil)
		res, err := conn.Search(req)
		if err != nil {
			c.Status(http.StatusNotFound)
			return
		}
		c.JSON(http.StatusOK, len(res.Entries))
	}
}

// === safe: ldap.EscapeFilter
package web

import (
	"fmt"
	"net/http"

	"github.com/go-ldap/ldap/v3"
)

func Find(conn *ldap.Conn) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		filter := fmt.Sprintf("(&(objectClass=person)(uid=%s))", ldap.EscapeFilter(r.FormValue("uid")))
		req := ldap.NewSearchRequest("dc=acme,dc=io", ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 0, 0, false, filter, []string{"dn"}, nil)
		if _, err := conn.Search(req); err != nil {
			http.Error(w, "failed", 500)
		}
	}
}

// === safe: ldap.EscapeDN for the bind name
package web

import (
	"net/http"

	"github.com/go-ldap/ldap/v3"
	"github.com/labstack/echo/v4"
)

func Login(conn *ldap.Conn) echo.HandlerFunc {
	return func(c echo.Context) error {
		dn := "uid=" + ldap.EscapeDN(c.FormValue("user")) + ",ou=people,dc=acme,dc=io"
		if err := conn.Bind(dn, c.FormValue("password")); err != nil {
			return echo.NewHTTPError(http.StatusUnauthorized, "invalid")
		}
		return c.NoContent(http.StatusOK)
	}
}

// === safe: constant filter
package web

import (
	"github.com/gin-gonic/gin"
	"github.com/go-ldap/ldap/v3"
)

func All(conn *ldap.Conn) gin.HandlerFunc {
	return func(c *gin.Context) {
		req := ldap.NewSearchRequest("ou=people,dc=acme,dc=io", ldap.ScopeWholeSubtree, 0, 0, 0, false, "(objectClass=person)", []string{"cn"}, nil)
		res, err := conn.Search(req)
		if err != nil {
			c.Status(500)
			return
		}
		c.JSON(200, gin.H{"page": c.Query("page"), "count": len(res.Entries)})
	}
}

// === safe: value checked by a regular expression
package web

import (
	"net/http"
	"regexp"

	"github.com/go-ldap/ldap/v3"
)

var uidRe = regexp.MustCompile(`^[a-z][a-z0-9]{1,30}$`)

func Lookup(conn *ldap.Conn, w http.ResponseWriter, r *http.Request) {
	uid := r.URL.Query().Get("uid")
	if !uidRe.MatchString(uid) {
		http.Error(w, "bad uid", http.StatusBadRequest)
		return
	}
	req := ldap.NewSearchRequest("dc=acme,dc=io", ldap.ScopeWholeSubtree, 0, 1, 0, false, "(uid="+uid+")", nil, nil)
	if _, err := conn.Search(req); err != nil {
		http.Error(w, "failed", 500)
	}
}

// === safe: employee number as integer
package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/go-ldap/ldap/v3"
)

func Employee(conn *ldap.Conn) gin.HandlerFunc {
	return func(c *gin.Context) {
		n, err := strconv.Atoi(c.Param("number"))
		if err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		req := ldap.NewSearchRequest("dc=acme,dc=io", ldap.ScopeWholeSubtree, 0, 1, 0, false, fmt.Sprintf("(employeeNumber=%d)", n), nil, nil)
		res, _ := conn.Search(req)
		c.JSON(http.StatusOK, len(res.Entries))
	}
}
