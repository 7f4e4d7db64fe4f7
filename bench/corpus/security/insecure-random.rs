// === vulnerable: SmallRng session token
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

pub fn session_token(seed: u64) -> String {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..32).map(|_| rng.gen_range(b'a'..=b'z') as char).collect()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: fastrand one-time code
use axum::Json;
use serde_json::{json, Value};

async fn send_otp() -> Json<Value> {
    let otp = fastrand::u32(100_000..1_000_000);
    Json(json!({ "otp": otp }))
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: StdRng seeded with the time for a key
use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};
use std::time::{SystemTime, UNIX_EPOCH};

pub fn encryption_key() -> [u8; 32] {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let mut rng = StdRng::seed_from_u64(now);
    let mut key = [0u8; 32];
    rng.fill_bytes(&mut key);
    key
}

// === vulnerable: linear congruential reset token
use std::time::{SystemTime, UNIX_EPOCH};

pub fn reset_token() -> String {
    let mut state = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut token = String::new();
    for _ in 0..16 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        token.push_str(&format!("{:02x}", (state >> 33) as u8));
    }
    token
}

// === vulnerable: oorandom password
use oorandom::Rand32;

const CHARS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";

pub fn temporary_password(user_id: u64) -> String {
    let mut rng = Rand32::new(user_id);
    let mut password = String::new();
    for _ in 0..12 {
        let i = rng.rand_range(0..CHARS.len() as u32) as usize;
        password.push(CHARS[i] as char);
    }
    password
}

// === vulnerable: fastrand alphanumeric api key
use actix_web::{post, HttpResponse};

#[post("/keys")]
async fn create_key() -> HttpResponse {
    let api_key: String = std::iter::repeat_with(fastrand::alphanumeric).take(40).collect();
    HttpResponse::Created().body(api_key)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: OsRng token
use rand::rngs::OsRng;
use rand::RngCore;

pub fn session_token() -> String {
    let mut bytes = [0u8; 32];
    OsRng.fill_bytes(&mut bytes);
    hex::encode(bytes)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: thread_rng with Alphanumeric
use rand::distributions::Alphanumeric;
use rand::{thread_rng, Rng};

pub fn api_key() -> String {
    thread_rng().sample_iter(&Alphanumeric).take(40).map(char::from).collect()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: getrandom key
pub fn encryption_key() -> Result<[u8; 32], getrandom::Error> {
    let mut key = [0u8; 32];
    getrandom::getrandom(&mut key)?;
    Ok(key)
}

pub fn key_hex() -> String {
    hex::encode(encryption_key().unwrap())
}

// === safe: fastrand for jitter
use std::thread::sleep;
use std::time::Duration;

pub fn retry<F: Fn() -> bool>(attempts: u32, job: F) -> bool {
    for _ in 0..attempts {
        if job() {
            return true;
        }
        sleep(Duration::from_millis(100 + fastrand::u64(0..200)));
    }
    false
}

// === safe: SmallRng picks a banner
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::SeedableRng;

const BANNERS: [&str; 3] = ["spring", "summer", "autumn"];

pub fn banner() -> &'static str {
    let mut rng = SmallRng::from_entropy();
    BANNERS.choose(&mut rng).unwrap()
}

// === safe: uuid
use actix_web::{post, HttpResponse};
use uuid::Uuid;

#[post("/uploads")]
async fn create_upload() -> HttpResponse {
    let upload_token = Uuid::new_v4().to_string();
    HttpResponse::Created().body(upload_token)
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}
