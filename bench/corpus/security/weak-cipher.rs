// === vulnerable: openssl des_cbc
use openssl::symm::{encrypt, Cipher};

pub fn encrypt_card(key: &[u8], iv: &[u8], plain: &[u8]) -> Vec<u8> {
    encrypt(Cipher::des_cbc(), key, Some(iv), plain).unwrap()
}

pub fn encrypt_all(key: &[u8], iv: &[u8], cards: &[Vec<u8>]) -> Vec<Vec<u8>> {
    cards.iter().map(|c| encrypt_card(key, iv, c)).collect()
}

pub const SERVICE: &str = "portal";

pub fn service() -> String {
    SERVICE.to_uppercase()
}

// === vulnerable: openssl aes_128_ecb
use openssl::symm::{encrypt, Cipher};

pub struct NoteCipher {
    key: Vec<u8>,
}

impl NoteCipher {
    pub fn encrypt(&self, note: &str) -> Vec<u8> {
        let cipher = Cipher::aes_128_ecb();
        encrypt(cipher, &self.key, None, note.as_bytes()).unwrap()
    }
}

// === vulnerable: rc4 crate
use rc4::{KeyInit, Rc4, StreamCipher};

pub fn obscure(key: &[u8; 16], data: &mut [u8]) {
    let mut rc4 = Rc4::new(key.into());
    rc4.apply_keystream(data);
}

pub fn obscure_text(key: &[u8; 16], text: &str) -> Vec<u8> {
    let mut buf = text.as_bytes().to_vec();
    obscure(key, &mut buf);
    buf
}

// === vulnerable: des crate with cbc
use cbc::cipher::{block_padding::Pkcs7, BlockEncryptMut, KeyIvInit};
use des::Des;

type DesCbc = cbc::Encryptor<Des>;

pub fn seal(key: &[u8; 8], iv: &[u8; 8], plain: &[u8]) -> Vec<u8> {
    DesCbc::new(key.into(), iv.into()).encrypt_padded_vec_mut::<Pkcs7>(plain)
}

pub fn version() -> &'static str {
    "2.4.1"
}

// === vulnerable: ecb crate with Aes128
use aes::Aes128;
use ecb::cipher::{block_padding::Pkcs7, BlockEncryptMut, KeyInit};

type Aes128Ecb = ecb::Encryptor<Aes128>;

pub fn seal(key: &[u8; 16], plain: &[u8]) -> Vec<u8> {
    Aes128Ecb::new(key.into()).encrypt_padded_vec_mut::<Pkcs7>(plain)
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === vulnerable: triple DES
use openssl::symm::{Cipher, Crypter, Mode};

pub fn lock(key: &[u8], iv: &[u8], data: &[u8]) -> Vec<u8> {
    let cipher = Cipher::des_ede3_cbc();
    let mut crypter = Crypter::new(cipher, Mode::Encrypt, key, Some(iv)).unwrap();
    let mut out = vec![0; data.len() + cipher.block_size()];
    let n = crypter.update(data, &mut out).unwrap();
    let rest = crypter.finalize(&mut out[n..]).unwrap();
    out.truncate(n + rest);
    out
}

// === safe: aes_gcm crate
use aes_gcm::aead::{Aead, AeadCore, KeyInit, OsRng};
use aes_gcm::{Aes256Gcm, Key};

pub fn encrypt_card(key: &Key<Aes256Gcm>, plain: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let cipher = Aes256Gcm::new(key);
    let nonce = Aes256Gcm::generate_nonce(&mut OsRng);
    let box_ = cipher.encrypt(&nonce, plain).unwrap();
    (nonce.to_vec(), box_)
}

// === safe: chacha20poly1305
use chacha20poly1305::aead::{Aead, AeadCore, KeyInit, OsRng};
use chacha20poly1305::{Key, XChaCha20Poly1305};

pub fn seal(key: &Key, plain: &[u8]) -> Vec<u8> {
    let cipher = XChaCha20Poly1305::new(key);
    let nonce = XChaCha20Poly1305::generate_nonce(&mut OsRng);
    cipher.encrypt(&nonce, plain).unwrap()
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: openssl aes_256_gcm
use openssl::rand::rand_bytes;
use openssl::symm::{encrypt_aead, Cipher};

pub fn seal(key: &[u8], plain: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let mut iv = [0; 12];
    rand_bytes(&mut iv).unwrap();
    let mut tag = [0; 16];
    let out = encrypt_aead(Cipher::aes_256_gcm(), key, Some(&iv), &[], plain, &mut tag).unwrap();
    (out, tag)
}

// === safe: ring aead
use ring::aead::{Aad, LessSafeKey, Nonce, UnboundKey, AES_256_GCM};

pub fn seal(key: &[u8], nonce: [u8; 12], data: &mut Vec<u8>) {
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).unwrap());
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), data).unwrap();
}

pub fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

// === safe: variable called des
pub struct Designer {
    pub name: String,
}

impl Designer {
    pub fn new(name: &str) -> Self {
        Designer { name: name.to_string() }
    }
}

pub fn credits() -> String {
    let des = Designer::new("Ana");
    format!("design: {}", des.name)
}
