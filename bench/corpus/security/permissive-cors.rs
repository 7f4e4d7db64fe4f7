// === vulnerable: actix-cors permissive
use actix_cors::Cors;
use actix_web::{web, App, HttpResponse, HttpServer};

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    HttpServer::new(|| {
        App::new()
            .wrap(Cors::permissive())
            .route("/account", web::get().to(|| async { HttpResponse::Ok().body("{}") }))
    })
    .bind(("0.0.0.0", 8080))?
    .run()
    .await
}

// === vulnerable: allow_any_origin with credentials
use actix_cors::Cors;

pub fn cors() -> Cors {
    Cors::default()
        .allow_any_origin()
        .allow_any_method()
        .allow_any_header()
        .supports_credentials()
}

// === vulnerable: allowed_origin_fn always true
use actix_cors::Cors;

pub fn cors() -> Cors {
    Cors::default()
        .allowed_origin_fn(|_origin, _req| true)
        .allowed_methods(vec!["GET", "POST"])
        .supports_credentials()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: tower-http mirror_request with credentials
use axum::{routing::get, Router};
use tower_http::cors::{AllowOrigin, CorsLayer};

pub fn router() -> Router {
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::mirror_request())
        .allow_credentials(true);
    Router::new().route("/account", get(|| async { "{}" })).layer(cors)
}

// === vulnerable: header reflected by hand
use actix_web::{get, HttpRequest, HttpResponse};

#[get("/profile")]
async fn profile(req: HttpRequest) -> HttpResponse {
    let origin = req.headers().get("Origin").and_then(|o| o.to_str().ok()).unwrap_or("*").to_string();
    HttpResponse::Ok()
        .insert_header(("Access-Control-Allow-Origin", origin))
        .insert_header(("Access-Control-Allow-Credentials", "true"))
        .body("{}")
}

// === vulnerable: very_permissive layer
use axum::{routing::get, Router};
use tower_http::cors::CorsLayer;

pub fn router() -> Router {
    Router::new()
        .route("/account", get(|| async { "{}" }))
        .layer(CorsLayer::very_permissive())
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: actix-cors with one origin
use actix_cors::Cors;

pub fn cors() -> Cors {
    Cors::default()
        .allowed_origin("https://app.acme.io")
        .allowed_methods(vec!["GET", "POST"])
        .supports_credentials()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: origin function compares
use actix_cors::Cors;

pub fn cors() -> Cors {
    Cors::default()
        .allowed_origin_fn(|origin, _req| origin == "https://app.acme.io")
        .supports_credentials()
        .max_age(3600)
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: tower-http with a list
use axum::http::{HeaderValue, Method};
use axum::{routing::get, Router};
use tower_http::cors::CorsLayer;

pub fn router() -> Router {
    let origins = ["https://app.acme.io".parse::<HeaderValue>().unwrap()];
    let cors = CorsLayer::new().allow_origin(origins).allow_methods([Method::GET]).allow_credentials(true);
    Router::new().route("/account", get(|| async { "{}" })).layer(cors)
}

// === safe: allow-list by hand
use actix_web::{get, HttpRequest, HttpResponse};

const ALLOWED: [&str; 2] = ["https://app.acme.io", "https://admin.acme.io"];

#[get("/profile")]
async fn profile(req: HttpRequest) -> HttpResponse {
    let origin = req.headers().get("Origin").and_then(|o| o.to_str().ok()).unwrap_or("").to_string();
    let mut resp = HttpResponse::Ok();
    if ALLOWED.contains(&origin.as_str()) {
        resp.insert_header(("Access-Control-Allow-Origin", origin));
        resp.insert_header(("Access-Control-Allow-Credentials", "true"));
        resp.insert_header(("Vary", "Origin"));
    }
    resp.body("{}")
}

// === safe: default actix-cors
use actix_cors::Cors;
use actix_web::http::header;

pub fn cors() -> Cors {
    Cors::default()
        .allowed_origin("https://shop.acme.io")
        .allowed_header(header::CONTENT_TYPE)
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}
