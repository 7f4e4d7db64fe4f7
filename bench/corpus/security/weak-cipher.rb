# === vulnerable: DES
require "openssl"

class CardVault
  def encrypt(key, plain)
    cipher = OpenSSL::Cipher.new("DES-CBC")
    cipher.encrypt
    cipher.key = key
    cipher.iv = iv = cipher.random_iv
    iv + cipher.update(plain) + cipher.final
  end
end

# === vulnerable: AES-128-ECB
require "openssl"

module NoteCipher
  def self.encrypt(key, note)
    cipher = OpenSSL::Cipher.new("aes-128-ecb").encrypt
    cipher.key = key
    cipher.update(note) + cipher.final
  end
end

# === vulnerable: RC4 constant
require "openssl"

class StreamBox
  ALGORITHM = "rc4".freeze

  def apply(key, data)
    cipher = OpenSSL::Cipher.new(ALGORITHM)
    cipher.encrypt
    cipher.key = key
    cipher.update(data)
  end
end

# === vulnerable: triple DES
require "openssl"

def seal(key, text)
  cipher = OpenSSL::Cipher.new("des-ede3-cbc")
  cipher.encrypt
  cipher.key = key
  cipher.iv = OpenSSL::Random.random_bytes(8)
  cipher.update(text) + cipher.final
end

# === vulnerable: AES class with ECB mode
require "openssl"

class Archive
  def lock(key, data)
    aes = OpenSSL::Cipher::AES.new(256, :ECB)
    aes.encrypt
    aes.key = key
    aes.update(data) + aes.final
  end
end

# === vulnerable: blowfish
require "openssl"

class Lock
  def close(key, data)
    c = OpenSSL::Cipher.new("bf-cbc")
    c.encrypt
    c.key = key
    c.update(data) + c.final
  end
end

# === safe: AES-256-GCM
require "openssl"

class CardVault
  def encrypt(key, plain)
    cipher = OpenSSL::Cipher.new("aes-256-gcm").encrypt
    cipher.key = key
    iv = cipher.random_iv
    cipher.auth_data = ""
    box = cipher.update(plain) + cipher.final
    iv + cipher.auth_tag + box
  end
end

# === safe: ActiveSupport MessageEncryptor
class NoteCipher
  def initialize(key)
    @crypt = ActiveSupport::MessageEncryptor.new(key, cipher: "aes-256-gcm")
  end

  def encrypt(note)
    @crypt.encrypt_and_sign(note)
  end
end

# === safe: RbNaCl box
require "rbnacl"

class StreamBox
  def initialize(key)
    @box = RbNaCl::SimpleBox.from_secret_key(key)
  end

  def seal(text)
    @box.encrypt(text)
  end
end

# === safe: chacha20-poly1305
require "openssl"

def seal(key, text)
  cipher = OpenSSL::Cipher.new("chacha20-poly1305").encrypt
  cipher.key = key
  nonce = cipher.random_iv
  box = cipher.update(text) + cipher.final
  [nonce, cipher.auth_tag, box]
end

# === safe: encrypted attribute
# frozen_string_literal: true

class Patient < ApplicationRecord
  encrypts :diagnosis
  encrypts :insurance_number, deterministic: true

  validates :insurance_number, presence: true

  def self.title
    name.to_s
  end
end
