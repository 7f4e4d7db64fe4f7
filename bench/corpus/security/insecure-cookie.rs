// === vulnerable: actix cookie with false flags
use actix_web::cookie::Cookie;
use actix_web::{post, HttpResponse};
use uuid::Uuid;

#[post("/login")]
async fn login() -> HttpResponse {
    let cookie = Cookie::build("session_token", Uuid::new_v4().to_string())
        .path("/")
        .secure(false)
        .http_only(false)
        .finish();
    HttpResponse::NoContent().cookie(cookie).finish()
}

// === vulnerable: actix cookie without flags
use actix_web::cookie::Cookie;
use actix_web::{post, HttpResponse};
use uuid::Uuid;

#[post("/remember")]
async fn remember() -> HttpResponse {
    let cookie = Cookie::new("remember_token", Uuid::new_v4().to_string());
    HttpResponse::NoContent().cookie(cookie).finish()
}

// === vulnerable: axum-extra cookie
use axum_extra::extract::cookie::{Cookie, CookieJar};
use uuid::Uuid;

async fn login(jar: CookieJar) -> (CookieJar, &'static str) {
    let mut cookie = Cookie::new("auth_token", Uuid::new_v4().to_string());
    cookie.set_path("/");
    cookie.set_http_only(false);
    cookie.set_secure(false);
    (jar.add(cookie), "ok")
}

// === vulnerable: session middleware
use actix_session::{storage::CookieSessionStore, SessionMiddleware};
use actix_web::cookie::Key;

pub fn sessions(key: Key) -> SessionMiddleware<CookieSessionStore> {
    SessionMiddleware::builder(CookieSessionStore::default(), key)
        .cookie_name("portal_session".to_string())
        .cookie_secure(false)
        .cookie_http_only(false)
        .build()
}

// === vulnerable: Set-Cookie header by hand
use axum::http::{header, HeaderMap, HeaderValue};
use uuid::Uuid;

async fn sign_in() -> (HeaderMap, &'static str) {
    let mut headers = HeaderMap::new();
    let value = format!("sessionid={}; Path=/", Uuid::new_v4());
    headers.insert(header::SET_COOKIE, HeaderValue::from_str(&value).unwrap());
    (headers, "ok")
}

// === safe: actix cookie with flags
use actix_web::cookie::{Cookie, SameSite};
use actix_web::{post, HttpResponse};
use uuid::Uuid;

#[post("/login")]
async fn login() -> HttpResponse {
    let cookie = Cookie::build("session_token", Uuid::new_v4().to_string())
        .path("/")
        .secure(true)
        .http_only(true)
        .same_site(SameSite::Lax)
        .finish();
    HttpResponse::NoContent().cookie(cookie).finish()
}

// === safe: axum-extra cookie
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use uuid::Uuid;

async fn login(jar: CookieJar) -> (CookieJar, &'static str) {
    let mut cookie = Cookie::new("auth_token", Uuid::new_v4().to_string());
    cookie.set_http_only(true);
    cookie.set_secure(true);
    cookie.set_same_site(SameSite::Strict);
    (jar.add(cookie), "ok")
}

// === safe: session middleware
use actix_session::{storage::CookieSessionStore, SessionMiddleware};
use actix_web::cookie::Key;

pub fn sessions(key: Key) -> SessionMiddleware<CookieSessionStore> {
    SessionMiddleware::builder(CookieSessionStore::default(), key)
        .cookie_secure(true)
        .cookie_http_only(true)
        .build()
}

// === safe: Set-Cookie header with attributes
use axum::http::{header, HeaderMap, HeaderValue};
use uuid::Uuid;

async fn sign_in() -> (HeaderMap, &'static str) {
    let mut headers = HeaderMap::new();
    let value = format!("__Host-sid={}; Path=/; Secure; HttpOnly; SameSite=Lax", Uuid::new_v4());
    headers.insert(header::SET_COOKIE, HeaderValue::from_str(&value).unwrap());
    (headers, "ok")
}

// === safe: reading a cookie
use actix_web::{get, HttpRequest, HttpResponse};

#[get("/theme")]
async fn theme(req: HttpRequest) -> HttpResponse {
    let dark = req.cookie("theme").map(|c| c.value() == "dark").unwrap_or(false);
    HttpResponse::Ok().body(if dark { "dark" } else { "light" })
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: a cookie that scripts can read
use axum_extra::extract::cookie::{Cookie, CookieJar};
use time::Duration;

pub fn signed_in(jar: CookieJar, token: String) -> CookieJar {
    let mut cookie = Cookie::new("session_token", token);
    cookie.set_path("/");
    cookie.set_max_age(Duration::days(30));
    cookie.set_http_only(false);
    jar.add(cookie)
}

// === safe: a cookie that scripts cannot read
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};

pub fn signed_in(jar: CookieJar, token: String) -> CookieJar {
    let cookie = Cookie::build(("session_token", token)).path("/").http_only(true).secure(true).same_site(SameSite::Strict);
    jar.add(cookie)
}
