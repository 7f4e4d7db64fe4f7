// === vulnerable: reqwest::get of a query value
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;

#[get("/fetch")]
async fn fetch(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let url = q.get("url").cloned().unwrap_or_default();
    match reqwest::get(url).await {
        Ok(resp) => HttpResponse::Ok().body(resp.text().await.unwrap_or_default()),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}

// === vulnerable: webhook of a JSON body
use axum::Json;
use serde::Deserialize;

#[derive(Deserialize)]
struct Hook {
    callback: String,
}

async fn test_hook(Json(hook): Json<Hook>) -> String {
    let client = reqwest::Client::new();
    let resp = client.post(&hook.callback).body("{}").send().await;
    match resp {
        Ok(r) => r.status().to_string(),
        Err(_) => "failed".into(),
    }
}

// === vulnerable: host in format!
use axum::extract::Path;
use axum::http::StatusCode;

async fn metrics(Path(node): Path<String>) -> Result<String, StatusCode> {
    let target = format!("http://{}:9100/metrics", node);
    let resp = reqwest::Client::new().get(target).send().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    resp.text().await.map_err(|_| StatusCode::BAD_GATEWAY)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: ureq through a helper
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct Avatar {
    avatar_url: String,
}

fn load(address: &str) -> Option<String> {
    ureq::get(address).call().ok()?.into_string().ok()
}

#[post("/avatar")]
async fn import(form: web::Form<Avatar>) -> HttpResponse {
    let size = load(&form.avatar_url).map(|b| b.len()).unwrap_or(0);
    HttpResponse::Ok().body(size.to_string())
}

// === vulnerable: TcpStream to a requested host
use axum::extract::Query;
use std::collections::HashMap;
use tokio::net::TcpStream;

async fn probe(Query(q): Query<HashMap<String, String>>) -> &'static str {
    let addr = format!("{}:{}", q["host"], q["port"]);
    match TcpStream::connect(addr).await {
        Ok(_) => "open",
        Err(_) => "closed",
    }
}

// === safe: host allow-list
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use url::Url;

const HOSTS: [&str; 2] = ["cdn.acme.io", "img.acme.io"];

#[get("/fetch")]
async fn fetch(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let Some(Ok(url)) = q.get("url").map(|u| Url::parse(u)) else {
        return HttpResponse::BadRequest().finish();
    };
    if url.scheme() != "https" || !url.host_str().is_some_and(|h| HOSTS.contains(&h)) {
        return HttpResponse::Forbidden().finish();
    }
    match reqwest::get(url).await {
        Ok(resp) => HttpResponse::Ok().body(resp.text().await.unwrap_or_default()),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}

// === safe: fixed host with query
use axum::extract::Query;
use std::collections::HashMap;

async fn weather(Query(q): Query<HashMap<String, String>>) -> String {
    let city = q.get("city").cloned().unwrap_or_default();
    let client = reqwest::Client::new();
    let resp = client.get("https://api.weather.acme.io/now").query(&[("city", city)]).send().await;
    resp.map(|r| r.status().to_string()).unwrap_or_default()
}

// === safe: endpoint by match
use axum::extract::Path;
use axum::http::StatusCode;

async fn health(Path(name): Path<String>) -> Result<String, StatusCode> {
    let target = match name.as_str() {
        "stock" => "http://stock.internal/health",
        "users" => "http://users.internal/health",
        _ => return Err(StatusCode::NOT_FOUND),
    };
    let resp = reqwest::get(target).await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    resp.text().await.map_err(|_| StatusCode::BAD_GATEWAY)
}

// === safe: URL from the environment
use actix_web::{get, web, HttpResponse};
use std::env;

#[get("/rates/{currency}")]
async fn rates(currency: web::Path<String>) -> HttpResponse {
    let base = env::var("RATES_URL").unwrap();
    match reqwest::get(base).await {
        Ok(r) => HttpResponse::Ok().body(format!("{} {}", currency.len(), r.status())),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}

// === safe: get of a map
use axum::extract::{Query, State};
use std::collections::HashMap;
use std::sync::Arc;

async fn cached(State(cache): State<Arc<HashMap<String, String>>>, Query(q): Query<HashMap<String, String>>) -> String {
    let url = q.get("url").cloned().unwrap_or_default();
    cache.get(&url).cloned().unwrap_or_default()
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: a link is looked at before it is shared
use axum::{extract::State, http::StatusCode, Json};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub struct App {
    http: reqwest::Client,
}

#[derive(Deserialize)]
pub struct Share {
    link: String,
}

#[derive(Serialize)]
pub struct Preview {
    title: String,
}

pub async fn preview(State(app): State<Arc<App>>, Json(share): Json<Share>) -> Result<Json<Preview>, StatusCode> {
    let page = app
        .http
        .get(share.link.as_str())
        .send()
        .await
        .map_err(|_| StatusCode::BAD_GATEWAY)?
        .text()
        .await
        .map_err(|_| StatusCode::BAD_GATEWAY)?;
    Ok(Json(Preview { title: title_of(&page) }))
}

// === safe: a repository is a part of a known address
use axum::{extract::{Path, State}, http::StatusCode};
use std::sync::Arc;

pub struct App {
    http: reqwest::Client,
}

pub async fn stars(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<String, StatusCode> {
    let mut address = reqwest::Url::parse("https://api.example.com/repositories/").expect("a fixed address");
    address.query_pairs_mut().append_pair("name", &name);
    let answer = app.http.get(address).send().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    answer.text().await.map_err(|_| StatusCode::BAD_GATEWAY)
}
