// === vulnerable: axum Html with format!
use axum::extract::Query;
use axum::response::Html;
use serde::Deserialize;

#[derive(Deserialize)]
struct Hello {
    name: String,
}

async fn hello(Query(q): Query<Hello>) -> Html<String> {
    Html(format!("<h1>Hello, {}!</h1>", q.name))
}

// === vulnerable: actix body with text/html
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;

#[get("/search")]
async fn search(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let term = q.get("q").cloned().unwrap_or_default();
    let page = "<p>No results for <b>".to_string() + &term + "</b></p>";
    HttpResponse::Ok().content_type("text/html; charset=utf-8").body(page)
}

// === vulnerable: form value through a helper
use axum::response::Html;
use axum::Form;
use serde::Deserialize;

#[derive(Deserialize)]
struct Comment {
    body: String,
}

fn wrap(inner: &str) -> String {
    let mut s = String::from("<article>");
    s.push_str(inner);
    s.push_str("</article>");
    s
}

async fn preview(Form(comment): Form<Comment>) -> Html<String> {
    Html(wrap(&comment.body))
}

// === vulnerable: actix path in insert_header html
use actix_web::{get, http::header, web, HttpResponse};

#[get("/greet/{user}")]
async fn greet(path: web::Path<String>) -> HttpResponse {
    let user = path.into_inner();
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/html"))
        .body(format!("<p>Welcome back, {user}</p>"))
}

// === vulnerable: askama safe filter on a query value
use askama::Template;
use axum::extract::Query;
use axum::response::Html;
use std::collections::HashMap;

#[derive(Template)]
#[template(source = "<div>{{ bio|safe }}</div>", ext = "html")]
struct Page {
    bio: String,
}

async fn bio(Query(q): Query<HashMap<String, String>>) -> Html<String> {
    let page = Page { bio: q.get("bio").cloned().unwrap_or_default() };
    Html(page.render().unwrap())
}

// === safe: html_escape
use axum::extract::Query;
use axum::response::Html;
use serde::Deserialize;

#[derive(Deserialize)]
struct Hello {
    name: String,
}

async fn hello(Query(q): Query<Hello>) -> Html<String> {
    Html(format!("<h1>Hello, {}!</h1>", html_escape::encode_text(&q.name)))
}

// === safe: plain text
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;

#[get("/echo")]
async fn echo(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let msg = q.get("msg").cloned().unwrap_or_default();
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(format!("echo {msg}"))
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: askama with escaping
use askama::Template;
use axum::extract::Query;
use axum::response::Html;
use std::collections::HashMap;

#[derive(Template)]
#[template(source = "<div>{{ bio }}</div>", ext = "html")]
struct Page {
    bio: String,
}

async fn bio(Query(q): Query<HashMap<String, String>>) -> Html<String> {
    let page = Page { bio: q.get("bio").cloned().unwrap_or_default() };
    Html(page.render().unwrap())
}

// === safe: JSON
use actix_web::{get, web, HttpResponse};
use serde_json::json;

#[get("/greet/{user}")]
async fn greet(path: web::Path<String>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "user": path.into_inner() }))
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: ammonia
use axum::response::Html;
use axum::Form;
use serde::Deserialize;

#[derive(Deserialize)]
struct Comment {
    body: String,
}

async fn preview(Form(comment): Form<Comment>) -> Html<String> {
    let clean = ammonia::clean(&comment.body);
    Html(format!("<article>{clean}</article>"))
}

// === safe: number
use actix_web::{get, web, HttpResponse};

#[get("/page/{number}")]
async fn page(number: web::Path<u32>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/html").body(format!("<p>Page {}</p>", number))
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: what was searched for, in a page put together by hand
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;

#[get("/search")]
async fn search(query: web::Query<HashMap<String, String>>) -> HttpResponse {
    let words = query.get("words").cloned().unwrap_or_default();
    let found = index(&words);
    let page = format!("<html><body><p>{} found for <em>{}</em></p></body></html>", found, words);
    HttpResponse::Ok().content_type("text/html; charset=utf-8").body(page)
}

// === safe: what was searched for, in a page of maud
use axum::extract::Query;
use maud::{html, Markup};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Search {
    words: String,
}

pub async fn search(Query(search): Query<Search>) -> Markup {
    let found = index(&search.words);
    html! {
        p { (found) " found for " em { (search.words) } }
    }
}
