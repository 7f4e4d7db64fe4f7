// === vulnerable: connection URL with a password
use sqlx::postgres::PgPoolOptions;
use sqlx::PgPool;

pub async fn pool() -> Result<PgPool, sqlx::Error> {
    PgPoolOptions::new()
        .max_connections(5)
        .connect("postgres://billing:Wq8rTz41kd@pg.acme.io:5432/billing")
        .await
}

// === vulnerable: API key constant
const API_KEY: &str = "9f2c7b61e0d84a3fb5c1d7e2a6480b9d";

pub async fn geocode(address: &str) -> reqwest::Result<String> {
    let client = reqwest::Client::new();
    client
        .get("https://geo.acme.io/v1")
        .query(&[("q", address)])
        .header("X-Api-Key", API_KEY)
        .send()
        .await?
        .text()
        .await
}

// === vulnerable: password in a struct
pub struct DbConfig {
    pub host: String,
    pub user: String,
    pub password: String,
}

impl Default for DbConfig {
    fn default() -> Self {
        DbConfig {
            host: "db.acme.io".to_string(),
            user: "portal".to_string(),
            password: "vK7#mQ2pLx9!".to_string(),
        }
    }
}

// === vulnerable: SMTP credentials
use lettre::transport::smtp::authentication::Credentials;
use lettre::SmtpTransport;

pub fn mailer() -> SmtpTransport {
    let creds = Credentials::new("alerts@acme.io".to_string(), "Herbst-2023-mail!".to_string());
    SmtpTransport::relay("smtp.acme.io").unwrap().credentials(creds).build()
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: comparison with a literal password
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct Login {
    user: String,
    password: String,
}

#[post("/admin/login")]
async fn login(form: web::Form<Login>) -> HttpResponse {
    if form.user == "admin" && form.password == "Gr4nd-Piano-77" {
        return HttpResponse::Ok().finish();
    }
    HttpResponse::Unauthorized().finish()
}

// === vulnerable: PgConnectOptions password
use sqlx::postgres::PgConnectOptions;

pub fn options() -> PgConnectOptions {
    PgConnectOptions::new()
        .host("pg.acme.io")
        .username("shop")
        .password("c8Yw2nLqE5tR")
        .database("shop")
}

// === safe: environment URL
use sqlx::postgres::PgPoolOptions;
use sqlx::PgPool;

pub async fn pool() -> Result<PgPool, sqlx::Error> {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL");
    PgPoolOptions::new().max_connections(5).connect(&url).await
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: secret file
use std::fs;
use std::io;

pub fn api_key() -> io::Result<String> {
    let key = fs::read_to_string("/run/secrets/geo_api_key")?;
    Ok(key.trim().to_string())
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: names of fields
pub const PASSWORD_FIELD: &str = "password";
pub const TOKEN_HEADER: &str = "x-auth-token";
pub const API_KEY_VAR: &str = "GEO_API_KEY";

pub fn api_key() -> Option<String> {
    std::env::var(API_KEY_VAR).ok()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: messages
pub const PASSWORD_TOO_SHORT: &str = "the password needs at least 12 characters";

pub fn check_password(password: &str) -> Result<(), &'static str> {
    if password.len() < 12 {
        return Err(PASSWORD_TOO_SHORT);
    }
    Ok(())
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: SMTP credentials from the environment
use lettre::transport::smtp::authentication::Credentials;
use lettre::SmtpTransport;
use std::env;

pub fn mailer() -> SmtpTransport {
    let password = env::var("SMTP_PASSWORD").unwrap();
    let creds = Credentials::new("alerts@acme.io".to_string(), password);
    SmtpTransport::relay("smtp.acme.io").unwrap().credentials(creds).build()
}
