// === vulnerable: InsecureSkipVerify in a transport
package web

import (
	"crypto/tls"
	"net/http"
	"time"
)

func Client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	return &http.Client{Transport: tr, Timeout: 10 * time.Second}
}

// === vulnerable: field assigned after construction
package web

import "crypto/tls"

func Connect(addr string) (*tls.Conn, error) {
	cfg := &tls.Config{ServerName: "db.acme.io"}
	cfg.InsecureSkipVerify = true
	return tls.Dial("tcp", addr, cfg)
}

// === vulnerable: default transport changed
package web

import (
	"crypto/tls"
	"net/http"
)

func init() {
	http.DefaultTransport.(*http.Transport).TLSClientConfig = &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true,
	}
}

func Rates() (*http.Response, error) {
	return http.Get("https://rates.acme.io/today")
}

// === vulnerable: resty client without verification
package web

import (
	"crypto/tls"

	"github.com/go-resty/resty/v2"
)

func Partner() *resty.Client {
	client := resty.New()
	client.SetTLSClientConfig(&tls.Config{InsecureSkipVerify: true})
	client.SetBaseURL("https://partner.acme.io")
	return client
}

// === vulnerable: gRPC credentials without verification
package web

import (
	"crypto/tls"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

func Dial(target string) (*grpc.ClientConn, error) {
	skip := true
	creds := credentials.NewTLS(&tls.Config{InsecureSkipVerify: skip})
	return grpc.NewClient(target, grpc.WithTransportCredentials(creds))
}

// === vulnerable: ssh host key ignored
package web

import "golang.org/x/crypto/ssh"

func Shell(user string, signer ssh.Signer) (*ssh.Client, error) {
	cfg := &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	}
	return ssh.Dial("tcp", "build.acme.io:22", cfg)
}

// === vulnerable: minimum version SSL 3 / TLS 1.0 with skip
package web

import (
	"crypto/tls"
	"net/http"
)

func Legacy() *http.Client {
	var cfg tls.Config
	cfg.MinVersion = tls.VersionTLS10
	cfg.InsecureSkipVerify = true
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &cfg}}
}

// === safe: default verification with minimum version
package web

import (
	"crypto/tls"
	"net/http"
	"time"
)

func Client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	return &http.Client{Transport: tr, Timeout: 10 * time.Second}
}

// === safe: private CA added to the pool
package web

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
)

func Client(pem []byte) (*http.Client, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate")
	}
	cfg := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: cfg}}, nil
}

// === safe: InsecureSkipVerify explicitly false
package web

import "crypto/tls"

func Connect(addr string) (*tls.Conn, error) {
	cfg := &tls.Config{ServerName: "db.acme.io", InsecureSkipVerify: false, MinVersion: tls.VersionTLS12}
	return tls.Dial("tcp", addr, cfg)
}

// === safe: ssh with a fixed host key
package web

import "golang.org/x/crypto/ssh"

func Shell(user string, signer ssh.Signer, hostKey ssh.PublicKey) (*ssh.Client, error) {
	cfg := &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: ssh.FixedHostKey(hostKey),
	}
	return ssh.Dial("tcp", "build.acme.io:22", cfg)
}

// === safe: gRPC with system roots
package web

import (
	"crypto/x509"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

func Dial(target string) (*grpc.ClientConn, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, err
	}
	creds := credentials.NewClientTLSFromCert(pool, "")
	return grpc.NewClient(target, grpc.WithTransportCredentials(creds))
}

// === safe: option name only in a log message
package web

import (
	"crypto/tls"
	"errors"
	"log"
)

func Warn(cfg *tls.Config) error {
	if cfg.InsecureSkipVerify {
		log.Print("InsecureSkipVerify: true is not supported")
		return errors.New("insecure configuration refused")
	}
	return nil
}

// === vulnerable: a mail server whose certificate nobody looks at
package mail

import (
	"crypto/tls"
	"net/smtp"
)

func Connect(host string) (*smtp.Client, error) {
	settings := &tls.Config{ServerName: host}
	settings.InsecureSkipVerify = true
	conn, err := tls.Dial("tcp", host+":465", settings)
	if err != nil {
		return nil, err
	}
	return smtp.NewClient(conn, host)
}
