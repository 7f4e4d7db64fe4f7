// === vulnerable: JSON body decoded into bson.M and used as filter
package web

import (
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func FindUsers(users *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var filter bson.M
		if err := json.NewDecoder(r.Body).Decode(&filter); err != nil {
			http.Error(w, "bad body", 400)
			return
		}
		cur, err := users.Find(r.Context(), filter)
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		defer cur.Close(r.Context())
	}
}

// === vulnerable: gin query inside a $where expression
package web

import (
	"github.com/gin-gonic/gin"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func SearchPosts(posts *mongo.Collection) gin.HandlerFunc {
	return func(c *gin.Context) {
		author := c.Query("author")
		filter := bson.M{"$where": "this.author == '" + author + "'"}
		n, err := posts.CountDocuments(c, filter)
		if err != nil {
			c.Status(500)
			return
		}
		c.JSON(200, gin.H{"count": n})
	}
}

// === vulnerable: extended JSON filter taken from the query string
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func Reports(coll *mongo.Collection) echo.HandlerFunc {
	return func(c echo.Context) error {
		var filter bson.D
		raw := c.QueryParam("filter")
		if err := bson.UnmarshalExtJSON([]byte(raw), true, &filter); err != nil {
			return echo.NewHTTPError(400, "bad filter")
		}
		res := coll.FindOne(c.Request().Context(), filter)
		return c.JSON(http.StatusOK, res.Err() == nil)
	}
}

// === vulnerable: login body with interface values reaching FindOne
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

type loginBody struct {
	Email    interface{} `json:"email"`
	Password interface{} `json:"password"`
}

func Login(users *mongo.Collection) gin.HandlerFunc {
	return func(c *gin.Context) {
		var body loginBody
		if err := c.BindJSON(&body); err != nil {
			return
		}
		res := users.FindOne(c, bson.M{"email": body.Email, "password": body.Password})
		if res.Err() != nil {
			c.Status(http.StatusUnauthorized)
			return
		}
		c.Status(http.StatusOK)
	}
}

// === vulnerable: JSON filter text formatted with a form value
package web

import (
	"fmt"
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func Lookup(coll *mongo.Collection, w http.ResponseWriter, r *http.Request) {
	text := fmt.Sprintf(`{"sku": "%s", "visible": true}`, r.FormValue("sku"))
	var filter bson.M
	if err := bson.UnmarshalExtJSON([]byte(text), false, &filter); err != nil {
		http.Error(w, "bad sku", 400)
		return
	}
	if err := coll.FindOne(r.Context(), filter).Err(); err != nil {
		http.Error(w, "not found", 404)
	}
}

// === safe: string query value as an equality match
package web

import (
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func FindUsers(users *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		email := r.URL.Query().Get("email")
		cur, err := users.Find(r.Context(), bson.M{"email": email})
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		defer cur.Close(r.Context())
	}
}

// === safe: body bound to a struct of strings
package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

type loginBody struct {
	Email string `json:"email"`
}

func Login(users *mongo.Collection) gin.HandlerFunc {
	return func(c *gin.Context) {
		var body loginBody
		if err := c.BindJSON(&body); err != nil {
			return
		}
		res := users.FindOne(c, bson.M{"email": body.Email})
		if res.Err() != nil {
			c.Status(http.StatusUnauthorized)
		}
	}
}

// === safe: object id parsed from the path
package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"go.mongodb.org/mongo-driver/mongo"
)

func Show(coll *mongo.Collection) echo.HandlerFunc {
	return func(c echo.Context) error {
		id, err := primitive.ObjectIDFromHex(c.Param("id"))
		if err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "bad id")
		}
		var doc bson.M
		if err := coll.FindOne(c.Request().Context(), bson.M{"_id": id}).Decode(&doc); err != nil {
			return echo.NewHTTPError(http.StatusNotFound, "not found")
		}
		return c.JSON(http.StatusOK, doc)
	}
}

// === safe: $eq operator around the user's value
package web

import (
	"github.com/gin-gonic/gin"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func ByAuthor(posts *mongo.Collection) gin.HandlerFunc {
	return func(c *gin.Context) {
		filter := bson.D{{Key: "author", Value: bson.D{{Key: "$eq", Value: c.Query("author")}}}}
		n, err := posts.CountDocuments(c, filter)
		if err != nil {
			c.Status(500)
			return
		}
		c.JSON(200, gin.H{"count": n})
	}
}

// === safe: constant $where expression
package web

import (
	"fmt"
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

func Overdue(invoices *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, err := invoices.CountDocuments(r.Context(), bson.M{"$where": "this.paid < this.total"})
		if err != nil {
			http.Error(w, "failed", 500)
			return
		}
		fmt.Fprintf(w, "%d\n", n)
	}
}
