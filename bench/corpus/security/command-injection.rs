// === vulnerable: sh -c with format!
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use std::process::Command;

#[get("/ping")]
async fn ping(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let host = q.get("host").cloned().unwrap_or_default();
    let out = Command::new("sh").arg("-c").arg(format!("ping -c 1 {}", host)).output();
    match out {
        Ok(o) => HttpResponse::Ok().body(o.stdout),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}

// === vulnerable: bash with args array
use axum::Form;
use serde::Deserialize;
use std::process::Command;

#[derive(Deserialize)]
struct Convert {
    file: String,
}

async fn convert(Form(form): Form<Convert>) -> String {
    let line = "convert uploads/".to_string() + &form.file + " thumbs/out.png";
    let status = Command::new("/bin/bash").args(["-c", &line]).status();
    format!("{}", status.is_ok())
}

// === vulnerable: program from the query
use axum::extract::Query;
use std::collections::HashMap;
use std::process::Command;

async fn tool(Query(params): Query<HashMap<String, String>>) -> String {
    let program = params.get("tool").cloned().unwrap_or_default();
    let out = Command::new(program).arg("--version").output().unwrap();
    String::from_utf8_lossy(&out.stdout).into_owned()
}

// === vulnerable: helper with tokio process
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use tokio::process::Command;

#[derive(Deserialize)]
struct Backup {
    database: String,
}

async fn shell(line: &str) -> std::io::Result<std::process::ExitStatus> {
    let mut cmd = Command::new("sh");
    cmd.arg("-c");
    cmd.arg(line);
    cmd.status().await
}

#[post("/backup")]
async fn backup(body: web::Json<Backup>) -> HttpResponse {
    let line = format!("pg_dump {} > /backups/latest.sql", body.database);
    match shell(&line).await {
        Ok(_) => HttpResponse::Accepted().finish(),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

// === vulnerable: cmd /C with a header
use actix_web::{get, HttpRequest, HttpResponse};
use std::process::Command;

#[get("/lookup")]
async fn lookup(req: HttpRequest) -> HttpResponse {
    let host = req.headers().get("x-lookup").and_then(|h| h.to_str().ok()).unwrap_or("localhost");
    let mut line = String::from("nslookup ");
    line.push_str(host);
    let out = Command::new("cmd").args(vec!["/C".to_string(), line]).output().unwrap();
    HttpResponse::Ok().body(out.stdout)
}

// === safe: arguments without a shell
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use std::net::IpAddr;
use std::process::Command;

#[get("/ping")]
async fn ping(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let Some(Ok(ip)) = q.get("host").map(|h| h.parse::<IpAddr>()) else {
        return HttpResponse::BadRequest().finish();
    };
    match Command::new("ping").arg("-c").arg("1").arg(ip.to_string()).output() {
        Ok(o) => HttpResponse::Ok().body(o.stdout),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}

// === safe: constant pipeline
use axum::extract::Query;
use std::collections::HashMap;
use std::process::Command;

async fn processes(Query(params): Query<HashMap<String, String>>) -> String {
    let out = Command::new("sh").arg("-c").arg("ps aux | wc -l").output().unwrap();
    format!("{:?} {}", params.get("zone"), String::from_utf8_lossy(&out.stdout))
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: program by match
use axum::extract::Path;
use axum::http::StatusCode;
use std::process::Command;

async fn tool(Path(name): Path<String>) -> Result<Vec<u8>, StatusCode> {
    let program = match name.as_str() {
        "disk" => "/bin/df",
        "memory" => "/usr/bin/free",
        _ => return Err(StatusCode::NOT_FOUND),
    };
    let out = Command::new(program).output().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(out.stdout)
}

// === safe: integer argument
use actix_web::{get, web, HttpResponse};
use std::process::Command;

#[get("/tail/{lines}")]
async fn tail(lines: web::Path<u16>) -> HttpResponse {
    let out = Command::new("tail").arg("-n").arg(lines.to_string()).arg("/var/log/app.log").output().unwrap();
    HttpResponse::Ok().body(out.stdout)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: clap Command
use axum::extract::Query;
use clap::Command;
use std::collections::HashMap;

async fn usage(Query(params): Query<HashMap<String, String>>) -> String {
    let about = params.get("about").cloned().unwrap_or_default();
    let mut cmd = Command::new("portal").about(about).version("1.0");
    cmd.render_help().to_string()
}

// === vulnerable: a page is printed by a browser
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use std::process::Command;

#[derive(Deserialize)]
struct Print {
    title: String,
}

#[post("/print")]
async fn print(form: web::Form<Print>) -> HttpResponse {
    let script = format!("chromium --headless --print-to-pdf=/srv/pdf/'{}'.pdf http://localhost/page", form.title);
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(script);
    match shell.status() {
        Ok(status) if status.success() => HttpResponse::Created().finish(),
        _ => HttpResponse::InternalServerError().finish(),
    }
}

// === safe: the title is an argument of the program
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use tokio::process::Command;

#[derive(Deserialize)]
struct Print {
    title: String,
    pages: u8,
}

#[post("/print")]
async fn print(form: web::Form<Print>) -> HttpResponse {
    let done = Command::new("/usr/bin/print-page")
        .arg("--title")
        .arg(&form.title)
        .args(["--pages", &form.pages.to_string()])
        .status()
        .await;
    match done {
        Ok(status) if status.success() => HttpResponse::Created().finish(),
        _ => HttpResponse::InternalServerError().finish(),
    }
}
