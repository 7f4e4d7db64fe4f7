// === vulnerable: gin debug mode set in main
package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.DebugMode)
	r := gin.Default()
	r.GET("/", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	log.Fatal(r.Run(":80"))
}

// === vulnerable: pprof on the public listener
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "portal")
	})
	log.Fatal(http.ListenAndServe("0.0.0.0:8080", nil))
}

// === vulnerable: echo Debug true
package main

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

func main() {
	e := echo.New()
	e.Debug = true
	e.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })
	e.Logger.Fatal(e.Start(":8080"))
}

// === vulnerable: stack trace written to the response
package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
)

func Recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if err := recover(); err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintf(w, "panic: %v\n\n%s", err, debug.Stack())
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// === vulnerable: pprof handlers registered on the public router
package main

import (
	"log"
	"net/http"
	"net/http/pprof"

	"github.com/gorilla/mux"
)

func Router() *mux.Router {
	r := mux.NewRouter()
	r.HandleFunc("/debug/pprof/", pprof.Index)
	r.HandleFunc("/debug/pprof/profile", pprof.Profile)
	r.HandleFunc("/debug/pprof/trace", pprof.Trace)
	r.HandleFunc("/orders", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) })
	return r
}

func main() {
	log.Fatal(http.ListenAndServe(":443", Router()))
}

// === vulnerable: gin handler returns the stack to the client
package web

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gin-gonic/gin"
)

func ErrorHandler() gin.HandlerFunc {
	return gin.CustomRecovery(func(c *gin.Context, recovered any) {
		c.JSON(http.StatusInternalServerError, gin.H{
			"error": fmt.Sprint(recovered),
			"stack": string(debug.Stack()),
		})
	})
}

// === safe: gin release mode
package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	log.Fatal(r.Run(":8080"))
}

// === safe: pprof on localhost only
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
)

func main() {
	go func() {
		log.Println(http.ListenAndServe("127.0.0.1:6060", nil))
	}()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "portal") })
	log.Fatal(http.ListenAndServe(":8080", mux))
}

// === safe: stack trace logged, generic answer
package web

import (
	"log"
	"net/http"
	"runtime/debug"
)

func Recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if err := recover(); err != nil {
				log.Printf("panic: %v\n%s", err, debug.Stack())
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// === safe: echo Debug false
package main

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

func main() {
	e := echo.New()
	e.Debug = false
	e.HideBanner = true
	e.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })
	e.Logger.Fatal(e.Start(":8080"))
}

// === safe: mode from the environment
package main

import (
	"log"
	"os"

	"github.com/gin-gonic/gin"
)

func main() {
	mode := os.Getenv("GIN_MODE")
	if mode == "" {
		mode = gin.ReleaseMode
	}
	gin.SetMode(mode)
	r := gin.New()
	log.Fatal(r.Run())
}
