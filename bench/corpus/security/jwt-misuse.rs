// === vulnerable: insecure_disable_signature_validation
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Claims {
    pub sub: String,
    pub exp: usize,
}

pub fn user(token: &str) -> Option<String> {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.insecure_disable_signature_validation();
    let data = decode::<Claims>(token, &DecodingKey::from_secret(&[]), &validation).ok()?;
    Some(data.claims.sub)
}

// === vulnerable: literal secret for encode
use jsonwebtoken::{encode, EncodingKey, Header};
use serde::Serialize;

#[derive(Serialize)]
struct Claims {
    sub: String,
    exp: usize,
}

pub fn issue(user: &str, exp: usize) -> String {
    let claims = Claims { sub: user.to_owned(), exp };
    encode(&Header::default(), &claims, &EncodingKey::from_secret(b"portal-signing-key-2021")).unwrap()
}

// === vulnerable: literal constant for decode
use jsonwebtoken::{decode, DecodingKey, Validation};
use serde::Deserialize;

const JWT_SECRET: &str = "Tr0ub4dor-3-portal";

#[derive(Deserialize)]
pub struct Claims {
    pub sub: String,
}

pub fn verify(token: &str) -> Option<Claims> {
    let key = DecodingKey::from_secret(JWT_SECRET.as_bytes());
    decode::<Claims>(token, &key, &Validation::default()).map(|d| d.claims).ok()
}

// === vulnerable: payload decoded by hand
use actix_web::{get, HttpRequest, HttpResponse};
use base64::{engine::general_purpose::URL_SAFE_NO_PAD, Engine};
use serde_json::Value;

#[get("/admin")]
async fn admin(req: HttpRequest) -> HttpResponse {
    let token = req.headers().get("authorization").and_then(|h| h.to_str().ok()).unwrap_or("");
    let payload = token.trim_start_matches("Bearer ").split('.').nth(1).unwrap_or("");
    let bytes = URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
    let claims: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if claims["role"] != "admin" {
        return HttpResponse::Forbidden().finish();
    }
    HttpResponse::Ok().body("settings")
}

// === vulnerable: dangerous insecure decode
use axum::http::HeaderMap;
use jsonwebtoken::dangerous::insecure_decode;
use serde::Deserialize;

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

async fn me(headers: HeaderMap) -> String {
    let token = headers.get("x-token").and_then(|v| v.to_str().ok()).unwrap_or("");
    match insecure_decode::<Claims>(token) {
        Ok(data) => data.claims.sub,
        Err(_) => "anonymous".into(),
    }
}

// === vulnerable: expiry switched off
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde_json::Value;

pub fn claims(token: &str, key: &DecodingKey) -> Option<Value> {
    let mut validation = Validation::new(Algorithm::RS256);
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    decode::<Value>(token, key, &validation).ok().map(|d| d.claims)
}

// === safe: decode with a key from the environment
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Claims {
    pub sub: String,
    pub exp: usize,
}

pub fn user(token: &str) -> Option<String> {
    let secret = std::env::var("JWT_SECRET").ok()?;
    let validation = Validation::new(Algorithm::HS256);
    let data = decode::<Claims>(token, &DecodingKey::from_secret(secret.as_bytes()), &validation).ok()?;
    Some(data.claims.sub)
}

// === safe: RSA public key
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde_json::Value;

pub fn claims(token: &str, pem: &[u8]) -> Option<Value> {
    let key = DecodingKey::from_rsa_pem(pem).ok()?;
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_issuer(&["portal"]);
    decode::<Value>(token, &key, &validation).ok().map(|d| d.claims)
}

// === safe: encode with a key from a file
use jsonwebtoken::{encode, Algorithm, EncodingKey, Header};
use serde::Serialize;

#[derive(Serialize)]
struct Claims {
    sub: String,
    exp: usize,
}

pub fn issue(user: &str, exp: usize) -> String {
    let pem = std::fs::read("/run/secrets/jwt.pem").unwrap();
    let key = EncodingKey::from_ed_pem(&pem).unwrap();
    encode(&Header::new(Algorithm::EdDSA), &Claims { sub: user.into(), exp }, &key).unwrap()
}

// === safe: state holds the secret
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use jsonwebtoken::{decode, DecodingKey, Validation};
use serde_json::Value;
use std::sync::Arc;

struct App {
    key: DecodingKey,
}

async fn me(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<String, StatusCode> {
    let token = headers.get("x-token").and_then(|v| v.to_str().ok()).ok_or(StatusCode::UNAUTHORIZED)?;
    let data = decode::<Value>(token, &app.key, &Validation::default()).map_err(|_| StatusCode::UNAUTHORIZED)?;
    Ok(data.claims["sub"].to_string())
}

// === safe: header decoded for the key id
use jsonwebtoken::{decode, decode_header, Algorithm, DecodingKey, Validation};
use serde_json::Value;
use std::collections::HashMap;

pub fn claims(token: &str, keys: &HashMap<String, DecodingKey>) -> Option<Value> {
    let kid = decode_header(token).ok()?.kid?;
    let key = keys.get(&kid)?;
    decode::<Value>(token, key, &Validation::new(Algorithm::RS256)).ok().map(|d| d.claims)
}

// === vulnerable: tokens that have run out are taken
use axum::http::{header, HeaderMap, StatusCode};
use jsonwebtoken::{decode, DecodingKey, Validation};

pub fn member(headers: &HeaderMap, key: &DecodingKey) -> Result<Claims, StatusCode> {
    let token = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or(StatusCode::UNAUTHORIZED)?;
    let mut checks = Validation::default();
    checks.insecure_disable_signature_validation();
    decode::<Claims>(token, key, &checks).map(|data| data.claims).map_err(|_| StatusCode::UNAUTHORIZED)
}

// === safe: key, algorithm, issuer and expiry are asked for
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};

pub fn member(token: &str, key: &DecodingKey) -> Result<Claims, jsonwebtoken::errors::Error> {
    let mut checks = Validation::new(Algorithm::EdDSA);
    checks.set_issuer(&["https://id.example.com"]);
    checks.set_audience(&["shop"]);
    checks.leeway = 5;
    decode::<Claims>(token, key, &checks).map(|data| data.claims)
}
