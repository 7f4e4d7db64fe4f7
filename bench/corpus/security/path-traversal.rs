// === vulnerable: fs::read with join
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use std::path::Path;

#[get("/download")]
async fn download(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let name = q.get("file").cloned().unwrap_or_default();
    match std::fs::read(Path::new("/srv/files").join(name)) {
        Ok(data) => HttpResponse::Ok().body(data),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

// === vulnerable: format! in tokio fs
use axum::extract::Path;
use axum::http::StatusCode;

async fn doc(Path(name): Path<String>) -> Result<String, StatusCode> {
    let path = format!("/data/docs/{}", name);
    tokio::fs::read_to_string(path).await.map_err(|_| StatusCode::NOT_FOUND)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: multipart file name
use axum::extract::Multipart;
use std::fs::File;
use std::io::Write;

async fn upload(mut form: Multipart) -> String {
    while let Some(field) = form.next_field().await.unwrap() {
        let name = field.file_name().unwrap_or("file").to_string();
        let data = field.bytes().await.unwrap();
        let mut out = File::create("uploads/".to_string() + &name).unwrap();
        out.write_all(&data).unwrap();
    }
    "stored".into()
}

// === vulnerable: NamedFile::open
use actix_files::NamedFile;
use actix_web::{get, web, Result};
use std::path::PathBuf;

fn locate(name: &str) -> PathBuf {
    let mut p = PathBuf::from("/srv/reports");
    p.push(name);
    p
}

#[get("/reports")]
async fn report(q: web::Query<Vec<(String, String)>>) -> Result<NamedFile> {
    let name = &q[0].1;
    Ok(NamedFile::open(locate(name))?)
}

// === vulnerable: remove_file from a JSON body
use actix_web::{post, web, HttpResponse};
use serde::Deserialize;
use std::fs;

#[derive(Deserialize)]
struct Remove {
    name: String,
}

#[post("/attachments/remove")]
async fn remove(body: web::Json<Remove>) -> HttpResponse {
    let target = ["/data/attachments/", &body.name].concat();
    match fs::remove_file(target) {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

// === safe: file_name component
use actix_web::{get, web, HttpResponse};
use std::collections::HashMap;
use std::path::Path;

#[get("/download")]
async fn download(q: web::Query<HashMap<String, String>>) -> HttpResponse {
    let raw = q.get("file").cloned().unwrap_or_default();
    let Some(name) = Path::new(&raw).file_name() else {
        return HttpResponse::BadRequest().finish();
    };
    match std::fs::read(Path::new("/srv/files").join(name)) {
        Ok(data) => HttpResponse::Ok().body(data),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

// === safe: canonicalize and starts_with
use axum::extract::Path;
use axum::http::StatusCode;
use std::path::PathBuf;

async fn doc(Path(name): Path<String>) -> Result<Vec<u8>, StatusCode> {
    let root = PathBuf::from("/data/docs");
    let full = root.join(name).canonicalize().map_err(|_| StatusCode::NOT_FOUND)?;
    if !full.starts_with(&root) {
        return Err(StatusCode::FORBIDDEN);
    }
    std::fs::read(full).map_err(|_| StatusCode::NOT_FOUND)
}

// === safe: generated upload name
use axum::extract::Multipart;
use uuid::Uuid;

async fn upload(mut form: Multipart) -> String {
    let name = format!("uploads/{}.bin", Uuid::new_v4());
    if let Some(field) = form.next_field().await.unwrap() {
        tokio::fs::write(&name, field.bytes().await.unwrap()).await.unwrap();
    }
    name
}

// === safe: file by match
use actix_files::NamedFile;
use actix_web::{error, get, web, Result};

#[get("/manual/{lang}")]
async fn manual(lang: web::Path<String>) -> Result<NamedFile> {
    let file = match lang.as_str() {
        "en" => "/srv/manual-en.pdf",
        "de" => "/srv/manual-de.pdf",
        _ => return Err(error::ErrorNotFound("no manual")),
    };
    Ok(NamedFile::open(file)?)
}

// === safe: numeric id
use axum::extract::Path;
use axum::http::StatusCode;

async fn invoice(Path(id): Path<u64>) -> Result<Vec<u8>, StatusCode> {
    let path = format!("/srv/invoices/{id}.pdf");
    tokio::fs::read(path).await.map_err(|_| StatusCode::NOT_FOUND)
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: a picture of a given name, if there is one
use axum::{extract::Path, http::{header, StatusCode}, response::IntoResponse};
use std::path::PathBuf;

pub async fn picture(Path((album, name)): Path<(String, String)>) -> Result<impl IntoResponse, StatusCode> {
    let mut file = PathBuf::from("/srv/pictures");
    file.push(album);
    file.push(name);
    if !file.is_file() {
        return Err(StatusCode::NOT_FOUND);
    }
    let bytes = tokio::fs::read(&file).await.map_err(|_| StatusCode::NOT_FOUND)?;
    Ok(([(header::CONTENT_TYPE, "image/png")], bytes))
}

// === safe: the last part of the name only
use axum::{extract::Path, http::StatusCode};
use std::path::Path as FilePath;

pub async fn picture(Path(name): Path<String>) -> Result<Vec<u8>, StatusCode> {
    let name = FilePath::new(&name).file_name().ok_or(StatusCode::BAD_REQUEST)?;
    let file = FilePath::new("/srv/pictures").join(name);
    tokio::fs::read(file).await.map_err(|_| StatusCode::NOT_FOUND)
}
