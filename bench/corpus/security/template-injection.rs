// === vulnerable: Tera::one_off with a form value
use axum::response::Html;
use axum::Form;
use serde::Deserialize;
use tera::{Context, Tera};

#[derive(Deserialize)]
struct Letter {
    template: String,
}

async fn letter(Form(form): Form<Letter>) -> Html<String> {
    let mut context = Context::new();
    context.insert("name", "Ana");
    Html(Tera::one_off(&form.template, &context, true).unwrap_or_default())
}

// === vulnerable: add_raw_template with concatenation
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use tera::{Context, Tera};

#[get("/banner")]
async fn banner(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let text = q.get("text").cloned().unwrap_or_default();
    let mut tera = Tera::default();
    tera.add_raw_template("banner.html", &format!("<p>{}</p>{{{{ company }}}}", text)).unwrap();
    let body = tera.render("banner.html", &Context::new()).unwrap_or_default();
    HttpResponse::Ok().content_type("text/html").body(body)
}

// === vulnerable: handlebars render_template
use actix_web::{post, web, HttpResponse};
use handlebars::Handlebars;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Preview {
    source: String,
}

#[post("/preview")]
async fn preview(body: web::Json<Preview>) -> HttpResponse {
    let hb = Handlebars::new();
    let text = hb.render_template(&body.source, &json!({ "user": "Ana" })).unwrap_or_default();
    HttpResponse::Ok().body(text)
}

// === vulnerable: minijinja render_str through a helper
use axum::extract::Query;
use minijinja::{context, Environment};
use std::collections::HashMap;

fn render(source: &str) -> String {
    let env = Environment::new();
    env.render_str(source, context! { shop => "Acme" }).unwrap_or_default()
}

async fn page(Query(q): Query<HashMap<String, String>>) -> String {
    let title = q.get("title").cloned().unwrap_or_default();
    render(&("<h1>".to_owned() + &title + "</h1>"))
}

// === vulnerable: liquid parse of the body
use axum::body::Bytes;

async fn mail(body: Bytes) -> String {
    let source = String::from_utf8_lossy(&body).to_string();
    let parser = liquid::ParserBuilder::with_stdlib().build().unwrap();
    let template = parser.parse(&source).unwrap();
    template.render(&liquid::object!({ "name": "Ana" })).unwrap_or_default()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: Tera file with context
use axum::extract::{Query, State};
use axum::response::Html;
use std::collections::HashMap;
use std::sync::Arc;
use tera::{Context, Tera};

async fn hello(State(tera): State<Arc<Tera>>, Query(q): Query<HashMap<String, String>>) -> Html<String> {
    let mut context = Context::new();
    context.insert("name", q.get("name").map(String::as_str).unwrap_or("guest"));
    Html(tera.render("hello.html", &context).unwrap_or_default())
}

// === safe: constant one_off
use axum::response::Html;
use axum::Form;
use serde::Deserialize;
use tera::{Context, Tera};

#[derive(Deserialize)]
struct Letter {
    name: String,
}

async fn letter(Form(form): Form<Letter>) -> Html<String> {
    let mut context = Context::new();
    context.insert("name", &form.name);
    Html(Tera::one_off("Dear {{ name }}", &context, true).unwrap_or_default())
}

// === safe: handlebars registered template
use actix_web::{get, web, HttpResponse};
use handlebars::Handlebars;
use serde_json::json;

#[get("/greet/{user}")]
async fn greet(hb: web::Data<Handlebars<'_>>, user: web::Path<String>) -> HttpResponse {
    let text = hb.render("greet", &json!({ "user": user.into_inner() })).unwrap_or_default();
    HttpResponse::Ok().content_type("text/html").body(text)
}

// === safe: minijinja with a named template
use axum::extract::Query;
use minijinja::{context, Environment};
use std::collections::HashMap;

async fn page(Query(q): Query<HashMap<String, String>>) -> String {
    let mut env = Environment::new();
    env.add_template("page.html", "<h1>{{ title }}</h1>").unwrap();
    let title = q.get("title").cloned().unwrap_or_default();
    env.get_template("page.html").unwrap().render(context! { title }).unwrap_or_default()
}

// === safe: template name by match
use actix_web::{get, web, HttpResponse};
use tera::{Context, Tera};

#[get("/mail/{kind}")]
async fn mail(tera: web::Data<Tera>, kind: web::Path<String>) -> HttpResponse {
    let name = match kind.as_str() {
        "welcome" => "welcome.html",
        "reset" => "reset.html",
        _ => return HttpResponse::NotFound().finish(),
    };
    HttpResponse::Ok().body(tera.render(name, &Context::new()).unwrap_or_default())
}
