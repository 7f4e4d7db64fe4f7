// === vulnerable: reqwest danger_accept_invalid_certs
use reqwest::Client;
use std::time::Duration;

pub fn client() -> reqwest::Result<Client> {
    Client::builder()
        .timeout(Duration::from_secs(10))
        .danger_accept_invalid_certs(true)
        .build()
}

// === vulnerable: reqwest invalid hostnames
pub async fn rates() -> reqwest::Result<String> {
    let builder = reqwest::ClientBuilder::new();
    let client = builder.danger_accept_invalid_hostnames(true).build()?;
    client.get("https://rates.acme.io/today").send().await?.text().await
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: native_tls connector
use native_tls::TlsConnector;
use std::net::TcpStream;

pub fn connect() -> native_tls::TlsStream<TcpStream> {
    let mut builder = TlsConnector::builder();
    builder.danger_accept_invalid_certs(true);
    let connector = builder.build().unwrap();
    let stream = TcpStream::connect("mail.acme.io:465").unwrap();
    connector.connect("mail.acme.io", stream).unwrap()
}

// === vulnerable: openssl verify none
use openssl::ssl::{SslConnector, SslMethod, SslVerifyMode};

pub fn connector() -> SslConnector {
    let mut builder = SslConnector::builder(SslMethod::tls()).unwrap();
    builder.set_verify(SslVerifyMode::NONE);
    builder.build()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === vulnerable: rustls verifier that accepts all
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};

#[derive(Debug)]
pub struct AcceptAll;

impl ServerCertVerifier for AcceptAll {
    fn verify_server_cert(&self, _: &CertificateDer<'_>, _: &[CertificateDer<'_>], _: &ServerName<'_>, _: &[u8], _: UnixTime) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }
    fn verify_tls12_signature(&self, _: &[u8], _: &CertificateDer<'_>, _: &DigitallySignedStruct) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }
    fn verify_tls13_signature(&self, _: &[u8], _: &CertificateDer<'_>, _: &DigitallySignedStruct) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::RSA_PSS_SHA256]
    }
}

// === vulnerable: blocking client with a variable
use reqwest::blocking::Client;

pub fn partner() -> Client {
    let insecure = true;
    Client::builder().danger_accept_invalid_certs(insecure).build().expect("client")
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: reqwest defaults
use reqwest::Client;
use std::time::Duration;

pub fn client() -> reqwest::Result<Client> {
    Client::builder().timeout(Duration::from_secs(10)).https_only(true).build()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: private CA
use reqwest::{Certificate, Client};

pub fn client(pem: &[u8]) -> reqwest::Result<Client> {
    let ca = Certificate::from_pem(pem)?;
    Client::builder().add_root_certificate(ca).build()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: explicitly false
pub async fn rates() -> reqwest::Result<String> {
    let client = reqwest::ClientBuilder::new()
        .user_agent("portal/1.0")
        .danger_accept_invalid_certs(false)
        .build()?;
    client.get("https://rates.acme.io/today").send().await?.text().await
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: openssl verify peer
use openssl::ssl::{SslConnector, SslMethod, SslVerifyMode};

pub fn connector() -> SslConnector {
    let mut builder = SslConnector::builder(SslMethod::tls()).unwrap();
    builder.set_verify(SslVerifyMode::PEER);
    builder.build()
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: native_tls default
use native_tls::{Protocol, TlsConnector};

pub fn connector() -> TlsConnector {
    TlsConnector::builder()
        .min_protocol_version(Some(Protocol::Tlsv12))
        .build()
        .unwrap()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === vulnerable: a client for an old server
use reqwest::{Client, ClientBuilder};

pub struct Ledger {
    client: Client,
}

impl Ledger {
    pub fn new() -> Result<Self, reqwest::Error> {
        let builder = ClientBuilder::new().user_agent("ledger/1").danger_accept_invalid_certs(true);
        Ok(Self { client: builder.build()? })
    }
}

// === safe: a certificate of our own is added
use reqwest::{Certificate, Client};

pub fn client(pem: &[u8]) -> Result<Client, reqwest::Error> {
    let own = Certificate::from_pem(pem)?;
    Client::builder().user_agent("ledger/1").add_root_certificate(own).min_tls_version(reqwest::tls::Version::TLS_1_2).build()
}
