// === vulnerable: md5::compute of a password
use axum::Form;
use serde::Deserialize;

#[derive(Deserialize)]
struct Register {
    password: String,
}

async fn register(Form(form): Form<Register>) -> String {
    let password_hash = format!("{:x}", md5::compute(form.password.as_bytes()));
    password_hash
}

// === vulnerable: Md5 digest crate
use md5::{Digest, Md5};

pub fn hash_password(salt: &[u8], password: &str) -> Vec<u8> {
    let mut hasher = Md5::new();
    hasher.update(salt);
    hasher.update(password.as_bytes());
    hasher.finalize().to_vec()
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: Sha1 for a password
use sha1::{Digest, Sha1};

pub struct Account {
    pub password_digest: String,
}

impl Account {
    pub fn check_password(&self, password: &str) -> bool {
        let digest = Sha1::digest(password.as_bytes());
        hex::encode(digest) == self.password_digest
    }
}

// === vulnerable: openssl MessageDigest::md5 for a reset token
use openssl::hash::{hash, MessageDigest};
use std::time::SystemTime;

pub fn reset_token(email: &str) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let raw = format!("{}:{}", email, now.as_secs());
    hex::encode(hash(MessageDigest::md5(), raw.as_bytes()).unwrap())
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === vulnerable: Hmac with Md5
use hmac::{Hmac, Mac};
use md5::Md5;

type HmacMd5 = Hmac<Md5>;

pub fn verify_signature(secret: &[u8], body: &[u8], signature: &[u8]) -> bool {
    let mut mac = HmacMd5::new_from_slice(secret).unwrap();
    mac.update(body);
    mac.verify_slice(signature).is_ok()
}

// === vulnerable: openssl signer with sha1
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::sign::Signer;

pub fn sign_license(key: &PKey<Private>, license: &[u8]) -> Vec<u8> {
    let mut signer = Signer::new(MessageDigest::sha1(), key).unwrap();
    signer.update(license).unwrap();
    signer.sign_to_vec().unwrap()
}

// === safe: argon2
use argon2::password_hash::{rand_core::OsRng, PasswordHasher, SaltString};
use argon2::Argon2;

pub fn hash_password(password: &str) -> String {
    let salt = SaltString::generate(&mut OsRng);
    Argon2::default().hash_password(password.as_bytes(), &salt).unwrap().to_string()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: bcrypt
use axum::Form;
use serde::Deserialize;

#[derive(Deserialize)]
struct Register {
    password: String,
}

async fn register(Form(form): Form<Register>) -> String {
    bcrypt::hash(&form.password, bcrypt::DEFAULT_COST).unwrap()
}

// === safe: Sha256 of a document
use sha2::{Digest, Sha256};

pub fn fingerprint(document: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(document);
    hex::encode(hasher.finalize())
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: Hmac with Sha256
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub fn verify_signature(secret: &[u8], body: &[u8], signature: &[u8]) -> bool {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    mac.update(body);
    mac.verify_slice(signature).is_ok()
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === safe: DefaultHasher for a shard
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

pub fn shard(key: &str, shards: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish() % shards
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === safe: openssl sha512
use openssl::hash::{hash, MessageDigest};

pub fn digest(data: &[u8]) -> Vec<u8> {
    hash(MessageDigest::sha512(), data).unwrap().to_vec()
}

pub fn same(a: &[u8], b: &[u8]) -> bool {
    digest(a) == digest(b)
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: a password, kept as MD5
use md5::{Digest, Md5};

pub struct Member {
    pub name: String,
    pub password_hash: String,
}

pub fn register(name: &str, password: &str) -> Member {
    let mut hasher = Md5::new();
    hasher.update(name.as_bytes());
    hasher.update(password.as_bytes());
    Member { name: name.to_owned(), password_hash: format!("{:x}", hasher.finalize()) }
}

// === safe: a password, kept by argon2
use argon2::{Argon2, PasswordHasher};
use password_hash::{rand_core::OsRng, SaltString};

pub fn register(name: &str, password: &str) -> Result<Member, password_hash::Error> {
    let salt = SaltString::generate(&mut OsRng);
    let kept = Argon2::default().hash_password(password.as_bytes(), &salt)?.to_string();
    Ok(Member { name: name.to_owned(), password_hash: kept })
}
