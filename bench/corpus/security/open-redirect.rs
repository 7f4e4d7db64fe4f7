// === vulnerable: axum Redirect::to
use axum::extract::Query;
use axum::response::Redirect;
use serde::Deserialize;

#[derive(Deserialize)]
struct Login {
    next: String,
}

async fn login(Query(q): Query<Login>) -> Redirect {
    Redirect::to(&q.next)
}

// === vulnerable: actix Location header
use actix_web::{get, http::header, web, HttpResponse};
use std::collections::HashMap;

#[get("/out")]
async fn out(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let to = q.get("to").cloned().unwrap_or_else(|| "/".into());
    HttpResponse::Found().insert_header((header::LOCATION, to)).finish()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: host in format!
use axum::extract::Path;
use axum::response::Redirect;

async fn country(Path(site): Path<String>) -> Redirect {
    let target = format!("https://{site}/welcome");
    Redirect::temporary(&target)
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === vulnerable: form value through a helper
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct Logout {
    return_to: Option<String>,
}

fn target(form: &Logout) -> String {
    form.return_to.clone().unwrap_or_else(|| "/".to_string())
}

#[post("/logout")]
async fn logout(form: web::Form<Logout>) -> HttpResponse {
    HttpResponse::SeeOther().append_header(("Location", target(&form))).finish()
}

// === vulnerable: web::Redirect
use actix_web::{get, web, Responder};
use std::collections::HashMap;

#[get("/continue")]
async fn go(q: web::Query<HashMap<String, String>>) -> impl Responder {
    let url = q.get("url").cloned().unwrap_or_default();
    web::Redirect::to(url).see_other()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: constant target
use axum::extract::Query;
use axum::response::Redirect;
use std::collections::HashMap;

async fn login(Query(q): Query<HashMap<String, String>>) -> Redirect {
    if q.contains_key("admin") {
        Redirect::to("/admin")
    } else {
        Redirect::to("/home")
    }
}

// === safe: target by match
use actix_web::{get, http::header, web, HttpResponse};

#[get("/out/{to}")]
async fn out(to: web::Path<String>) -> HttpResponse {
    let url = match to.as_str() {
        "docs" => "https://docs.acme.io",
        "blog" => "https://blog.acme.io",
        _ => "/",
    };
    HttpResponse::Found().insert_header((header::LOCATION, url)).finish()
}

// === safe: local path check
use axum::extract::Query;
use axum::response::Redirect;
use std::collections::HashMap;

fn local(p: &str) -> &str {
    if p.starts_with('/') && !p.starts_with("//") && !p.starts_with("/\\") {
        p
    } else {
        "/"
    }
}

async fn back(Query(q): Query<HashMap<String, String>>) -> Redirect {
    Redirect::to(local(q.get("next").map(String::as_str).unwrap_or("/")))
}

// === safe: host compared
use actix_web::{get, web, Responder};
use std::collections::HashMap;
use url::Url;

#[get("/continue")]
async fn go(q: web::Query<HashMap<String, String>>) -> impl Responder {
    let url = q.get("url").and_then(|u| Url::parse(u).ok());
    match url {
        Some(u) if u.scheme() == "https" && u.host_str() == Some("www.acme.io") => web::Redirect::to(u.to_string()),
        _ => web::Redirect::to("/".to_string()),
    }
}

// === safe: numeric id
use axum::response::Redirect;
use axum::Form;
use serde::Deserialize;

#[derive(Deserialize)]
struct Created {
    id: u64,
}

async fn created(Form(form): Form<Created>) -> Redirect {
    Redirect::to(&format!("/items/{}", form.id))
}

// === vulnerable: back to where the form says
use actix_web::{http::header, post, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct Login {
    name: String,
    password: String,
    next: Option<String>,
}

#[post("/login")]
async fn login(form: web::Form<Login>) -> HttpResponse {
    if !check(&form.name, &form.password) {
        return HttpResponse::Unauthorized().finish();
    }
    let next = form.next.clone().unwrap_or_else(|| "/".into());
    HttpResponse::SeeOther().insert_header((header::LOCATION, next)).finish()
}

// === safe: to the page of what was made
use actix_web::{http::header, post, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct NewOrder {
    shop: u64,
    note: String,
}

#[post("/orders")]
async fn create(form: web::Form<NewOrder>) -> HttpResponse {
    let number = store(form.shop, &form.note);
    HttpResponse::SeeOther().insert_header((header::LOCATION, format!("/shops/{}/orders/{}", form.shop, number))).finish()
}
