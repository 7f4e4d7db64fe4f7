// === vulnerable: actix query in sqlx::query with format!
use actix_web::{get, web, HttpResponse, Responder};
use serde::Deserialize;
use sqlx::PgPool;

#[derive(Deserialize)]
struct Search {
    name: String,
}

#[get("/users")]
async fn users(pool: web::Data<PgPool>, q: web::Query<Search>) -> impl Responder {
    let sql = format!("SELECT id FROM users WHERE name = '{}'", q.name);
    match sqlx::query(&sql).fetch_all(pool.get_ref()).await {
        Ok(rows) => HttpResponse::Ok().body(rows.len().to_string()),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

// === vulnerable: axum path in rusqlite with concatenation
use axum::extract::{Path, State};
use rusqlite::Connection;
use std::sync::{Arc, Mutex};

type Db = Arc<Mutex<Connection>>;

async fn remove(State(db): State<Db>, Path(owner): Path<String>) -> String {
    let sql = "DELETE FROM drafts WHERE owner = '".to_string() + &owner + "'";
    let con = db.lock().unwrap();
    match con.execute(&sql, []) {
        Ok(n) => n.to_string(),
        Err(_) => "failed".to_string(),
    }
}

// === vulnerable: ORDER BY column in axum with sqlx
use axum::extract::{Query, State};
use sqlx::SqlitePool;
use std::collections::HashMap;

async fn products(State(pool): State<SqlitePool>, Query(params): Query<HashMap<String, String>>) -> String {
    let sort = params.get("sort").cloned().unwrap_or_default();
    let mut sql = String::from("SELECT name FROM products ORDER BY ");
    sql.push_str(&sort);
    let rows: Vec<(String,)> = sqlx::query_as(&sql).fetch_all(&pool).await.unwrap_or_default();
    rows.into_iter().map(|r| r.0).collect::<Vec<_>>().join(",")
}

// === vulnerable: helper function builds the statement from a JSON body
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use sqlx::MySqlPool;

#[derive(Deserialize)]
struct Close {
    id: String,
    reason: String,
}

fn close_sql(c: &Close) -> String {
    format!("UPDATE tickets SET reason = '{}' WHERE id = {}", c.reason, c.id)
}

#[post("/tickets/close")]
async fn close(pool: web::Data<MySqlPool>, body: web::Json<Close>) -> HttpResponse {
    match sqlx::query(&close_sql(&body)).execute(pool.get_ref()).await {
        Ok(_) => HttpResponse::NoContent().finish(),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

// === vulnerable: tokio-postgres with a header
use actix_web::{get, web, HttpRequest, HttpResponse};
use tokio_postgres::Client;

#[get("/plan")]
async fn plan(client: web::Data<Client>, req: HttpRequest) -> HttpResponse {
    let tenant = req.headers().get("x-tenant").and_then(|v| v.to_str().ok()).unwrap_or("");
    let query = format!("SELECT plan FROM tenants WHERE slug = '{tenant}'");
    match client.query_one(query.as_str(), &[]).await {
        Ok(row) => HttpResponse::Ok().body(row.get::<_, String>(0)),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

// === vulnerable: loop over form values
use axum::extract::State;
use axum::Form;
use sqlx::PgPool;

async fn search(State(pool): State<PgPool>, Form(fields): Form<Vec<(String, String)>>) -> String {
    let mut sql = "SELECT id FROM tickets WHERE 1 = 1".to_owned();
    for (_key, tag) in &fields {
        sql += &format!(" AND tags LIKE '%{}%'", tag);
    }
    let rows = sqlx::query(&sql).fetch_all(&pool).await.unwrap_or_default();
    rows.len().to_string()
}

// === safe: sqlx bind
use actix_web::{get, web, HttpResponse, Responder};
use serde::Deserialize;
use sqlx::PgPool;

#[derive(Deserialize)]
struct Search {
    name: String,
}

#[get("/users")]
async fn users(pool: web::Data<PgPool>, q: web::Query<Search>) -> impl Responder {
    let rows = sqlx::query("SELECT id FROM users WHERE name = $1")
        .bind(&q.name)
        .fetch_all(pool.get_ref())
        .await;
    match rows {
        Ok(rows) => HttpResponse::Ok().body(rows.len().to_string()),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

// === safe: rusqlite params!
use axum::extract::{Path, State};
use rusqlite::{params, Connection};
use std::sync::{Arc, Mutex};

type Db = Arc<Mutex<Connection>>;

async fn remove(State(db): State<Db>, Path(owner): Path<String>) -> String {
    let con = db.lock().unwrap();
    match con.execute("DELETE FROM drafts WHERE owner = ?1", params![owner]) {
        Ok(n) => n.to_string(),
        Err(_) => "failed".to_string(),
    }
}

// === safe: column by match
use axum::extract::{Query, State};
use sqlx::SqlitePool;
use std::collections::HashMap;

async fn products(State(pool): State<SqlitePool>, Query(params): Query<HashMap<String, String>>) -> String {
    let column = match params.get("sort").map(String::as_str) {
        Some("price") => "price",
        Some("newest") => "created_at DESC",
        _ => "name",
    };
    let sql = format!("SELECT name FROM products ORDER BY {column}");
    let rows: Vec<(String,)> = sqlx::query_as(&sql).fetch_all(&pool).await.unwrap_or_default();
    rows.len().to_string()
}

// === safe: integer path
use actix_web::{get, web, HttpResponse};
use sqlx::{MySqlPool, Row};

#[get("/invoices/{id}")]
async fn invoice(pool: web::Data<MySqlPool>, id: web::Path<i64>) -> HttpResponse {
    let sql = format!("SELECT total FROM invoices WHERE id = {}", id.into_inner());
    match sqlx::query(&sql).fetch_one(pool.get_ref()).await {
        Ok(row) => HttpResponse::Ok().body(row.get::<i64, _>(0).to_string()),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

// === safe: query! macro
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use sqlx::PgPool;

#[derive(Deserialize)]
struct Close {
    id: i64,
    reason: String,
}

#[post("/tickets/close")]
async fn close(pool: web::Data<PgPool>, body: web::Json<Close>) -> HttpResponse {
    let done = sqlx::query!("UPDATE tickets SET reason = $1 WHERE id = $2", body.reason, body.id)
        .execute(pool.get_ref())
        .await;
    if done.is_ok() { HttpResponse::NoContent().finish() } else { HttpResponse::InternalServerError().finish() }
}

// === safe: QueryBuilder with push_bind
use axum::extract::State;
use axum::Form;
use sqlx::{PgPool, Postgres, QueryBuilder};

async fn search(State(pool): State<PgPool>, Form(fields): Form<Vec<(String, String)>>) -> String {
    let mut builder: QueryBuilder<Postgres> = QueryBuilder::new("SELECT id FROM tickets WHERE 1 = 1");
    for (_key, tag) in &fields {
        builder.push(" AND tags LIKE ").push_bind(format!("%{tag}%"));
    }
    let rows = builder.build().fetch_all(&pool).await.unwrap_or_default();
    rows.len().to_string()
}

// === vulnerable: a store of its own puts the filter together
use axum::{extract::{Query, State}, Json};
use serde::Deserialize;
use sqlx::{PgPool, Row};

#[derive(Clone)]
pub struct Shops {
    pool: PgPool,
}

impl Shops {
    pub async fn in_city(&self, city: &str) -> sqlx::Result<Vec<String>> {
        let mut sql = String::from("SELECT name FROM shops");
        sql.push_str(&format!(" WHERE city = '{}'", city));
        let rows = sqlx::query(&sql).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.get("name")).collect())
    }
}

#[derive(Deserialize)]
pub struct Filter {
    city: String,
}

pub async fn list(State(shops): State<Shops>, Query(filter): Query<Filter>) -> Json<Vec<String>> {
    Json(shops.in_city(&filter.city).await.unwrap_or_default())
}

// === safe: a store of its own binds the city
use axum::{extract::{Query, State}, Json};
use serde::Deserialize;
use sqlx::PgPool;

#[derive(Deserialize)]
pub struct Filter {
    city: Option<String>,
    limit: Option<u16>,
}

pub async fn list(State(pool): State<PgPool>, Query(filter): Query<Filter>) -> Json<Vec<String>> {
    let condition = if filter.city.is_some() { "WHERE city = $1" } else { "WHERE $1::text IS NULL" };
    let limit = filter.limit.unwrap_or(50);
    let sql = format!("SELECT name FROM shops {condition} LIMIT {limit}");
    let names = sqlx::query_scalar::<_, String>(&sql).bind(filter.city).fetch_all(&pool).await;
    Json(names.unwrap_or_default())
}
