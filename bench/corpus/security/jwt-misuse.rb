# === vulnerable: decode without verification
# frozen_string_literal: true

class ApiController < ApplicationController
  def current_user
    token = request.headers["Authorization"].to_s.split.last
    payload, _header = JWT.decode(token, nil, false)
    User.find(payload["sub"])
  end
end

# === vulnerable: none algorithm
# frozen_string_literal: true

require "jwt"

module Tokens
  def self.issue(user_id)
    JWT.encode({ sub: user_id, exp: Time.now.to_i + 3600 }, nil, "none")
  end

  def self.title
    name.to_s
  end
end

# === vulnerable: literal secret
# frozen_string_literal: true

require "jwt"

class TokenService
  SECRET = "portal-signing-key-2021".freeze

  def issue(user)
    JWT.encode({ sub: user.id, exp: 15.minutes.from_now.to_i }, SECRET, "HS256")
  end
end

# === vulnerable: algorithm none accepted
# frozen_string_literal: true

require "sinatra"
require "jwt"

get "/me" do
  payload, = JWT.decode(params[:token], nil, false, algorithm: "none")
  payload["sub"].to_s
end

get "/healthz" do
  "ok"
end

# === vulnerable: payload decoded by hand
require "sinatra"
require "json"
require "base64"

get "/admin" do
  token = request.env["HTTP_AUTHORIZATION"].to_s.delete_prefix("Bearer ")
  claims = JSON.parse(Base64.urlsafe_decode64(token.split(".")[1]))
  halt 403 unless claims["role"] == "admin"
  "settings"
end

# === vulnerable: verification with a literal key
class Api::BaseController < ActionController::API
  before_action :authenticate

  private

  def authenticate
    token = request.headers["X-Token"]
    @claims, = JWT.decode(token, "Tr0ub4dor-3-portal", true, { algorithm: "HS256" })
  rescue JWT::DecodeError
    head :unauthorized
  end
end

# === safe: verified with algorithm
# frozen_string_literal: true

class ApiController < ApplicationController
  def current_user
    token = request.headers["Authorization"].to_s.split.last
    payload, = JWT.decode(token, ENV.fetch("JWT_SECRET"), true, algorithm: "HS256")
    User.find(payload["sub"])
  end
end

# === safe: secret from credentials
# frozen_string_literal: true

require "jwt"

class TokenService
  def issue(user)
    secret = Rails.application.credentials.jwt_secret
    JWT.encode({ sub: user.id, exp: 15.minutes.from_now.to_i }, secret, "HS256")
  end
end

# === safe: RS256 with a key file
require "jwt"
require "openssl"

module Tokens
  KEY = OpenSSL::PKey::RSA.new(File.read(ENV.fetch("JWT_KEY_FILE")))

  def self.issue(user_id)
    JWT.encode({ sub: user_id, exp: Time.now.to_i + 600 }, KEY, "RS256")
  end
end

# === safe: Sinatra with issuer check
# frozen_string_literal: true

require "sinatra"
require "jwt"

get "/me" do
  options = { algorithm: "HS512", iss: "portal", verify_iss: true }
  payload, = JWT.decode(params[:token], ENV.fetch("JWT_SECRET"), true, options)
  payload["sub"].to_s
end

# === safe: jwks loader
# frozen_string_literal: true

class Api::BaseController < ActionController::API
  def claims
    loader = ->(options) { KeyCache.fetch(reload: options[:kid_not_found]) }
    JWT.decode(request.headers["X-Token"], nil, true, { algorithms: ["RS256"], jwks: loader }).first
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: who is signed in, read without a key
class ApiController < ActionController::API
  before_action :identify

  private

  def identify
    token = request.headers["Authorization"].to_s.delete_prefix("Bearer ")
    claims, = JWT.decode(token, nil, false)
    @user = User.find(claims.fetch("sub"))
  rescue JWT::DecodeError
    head :unauthorized
  end
end

# === safe: who is signed in, with key, algorithm and issuer
class ApiController < ActionController::API
  def identify
    token = request.headers["Authorization"].to_s.delete_prefix("Bearer ")
    options = { algorithm: "RS256", iss: "https://id.example.com", verify_iss: true, aud: "shop", verify_aud: true }
    claims, = JWT.decode(token, Keys.public_key, true, options)
    @user = User.find(claims.fetch("sub"))
  end
end
