# === vulnerable: Digest::MD5 of a password
# frozen_string_literal: true

require "digest"

class RegistrationsController < ApplicationController
  def create
    User.create!(email: params[:email], password_hash: Digest::MD5.hexdigest(params[:password]))
    head :created
  end
end

# === vulnerable: SHA1 with salt
# frozen_string_literal: true

require "digest"

class Account
  attr_reader :salt, :password_digest

  def valid_password?(password)
    password_digest == Digest::SHA1.hexdigest("#{salt}#{password}")
  end
end

# === vulnerable: OpenSSL HMAC with md5
# frozen_string_literal: true

require "openssl"

module Webhook
  def self.valid?(secret, body, signature)
    expected = OpenSSL::HMAC.hexdigest("MD5", secret, body)
    Rack::Utils.secure_compare(expected, signature)
  end
end

# === vulnerable: reset token with md5
# frozen_string_literal: true

require "digest/md5"

class PasswordReset
  def token_for(user)
    Digest::MD5.hexdigest("#{user.email}#{Time.now.to_i}")
  end

  def self.title
    name.to_s
  end
end

# === vulnerable: OpenSSL digest SHA1 signature
require "openssl"

class LicenseSigner
  def initialize(key)
    @key = key
  end

  def sign(license)
    @key.sign(OpenSSL::Digest.new("SHA1"), license)
  end
end

# === safe: bcrypt
# frozen_string_literal: true

require "bcrypt"

class RegistrationsController < ApplicationController
  def create
    User.create!(email: params[:email], password_hash: BCrypt::Password.create(params[:password]))
    head :created
  end
end

# === safe: has_secure_password
# frozen_string_literal: true

class Account < ApplicationRecord
  has_secure_password

  validates :password, length: { minimum: 12 }, allow_nil: true

  def self.title
    name.to_s
  end
end

# === safe: HMAC SHA256
# frozen_string_literal: true

require "openssl"

module Webhook
  def self.valid?(secret, body, signature)
    expected = OpenSSL::HMAC.hexdigest("SHA256", secret, body)
    Rack::Utils.secure_compare(expected, signature)
  end
end

# === safe: SHA256 fingerprint
# frozen_string_literal: true

require "digest"

class Release
  def fingerprint(path)
    Digest::SHA256.file(path).hexdigest
  end

  def self.version
    "2.4.1"
  end
end

# === safe: PBKDF2
# frozen_string_literal: true

require "openssl"

class Vault
  def password_hash(password, salt)
    OpenSSL::KDF.pbkdf2_hmac(password, salt: salt, iterations: 600_000, length: 32, hash: "sha256")
  end

  def self.version
    "2.4.1"
  end
end

# === safe: md5 as S3 content checksum header
require "digest"
require "aws-sdk-s3"

class Uploader
  def put(bucket, key, body)
    content_md5 = Digest::MD5.base64digest(body)
    Aws::S3::Client.new.put_object(bucket: bucket, key: key, body: body, content_md5: content_md5)
  end
end
