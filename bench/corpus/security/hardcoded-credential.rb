# === vulnerable: PG.connect with a literal
# frozen_string_literal: true

require "pg"

def connection
  PG.connect(host: "db.acme.io", dbname: "portal", user: "portal", password: "vK7#mQ2pLx9!")
end

def log_line(text)
  "#{Time.now.utc} #{text}"
end

# === vulnerable: constant API key
require "net/http"

class Geocoder
  API_KEY = "9f2c7b61e0d84a3fb5c1d7e2a6480b9d".freeze

  def find(address)
    uri = URI("https://geo.acme.io/v1")
    uri.query = URI.encode_www_form(q: address, key: API_KEY)
    Net::HTTP.get(uri)
  end
end

# === vulnerable: http basic authentication with literal
# frozen_string_literal: true

class AdminController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  http_basic_authenticate_with name: "admin", password: "Gr4nd-Piano-77"

  def index
    render :index
  end
end

# === vulnerable: smtp settings
Rails.application.configure do
  config.action_mailer.smtp_settings = {
    address: "smtp.acme.io",
    user_name: "alerts@acme.io",
    password: "Herbst-2023-mail!",
    authentication: :plain
  }
end

# === vulnerable: secret_key_base literal
# frozen_string_literal: true

Rails.application.configure do
  config.eager_load = true
  config.secret_key_base = "4f1a9c0b7d2e8f6a5b3c1d9e7f0a2b4c6d8e0f1a3b5c7d9e"
  config.log_level = :info
end

# === vulnerable: aws credentials
require "aws-sdk-s3"

class Storage
  def client
    Aws::S3::Client.new(
      region: "eu-central-1",
      access_key_id: "AKIAQX7LMN4RT2VWZ5KP",
      secret_access_key: "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"
    )
  end
end

# === safe: environment
# frozen_string_literal: true

require "pg"

def connection
  PG.connect(host: "db.acme.io", dbname: "portal", user: "portal", password: ENV.fetch("DB_PASSWORD"))
end

def log_line(text)
  "#{Time.now.utc} #{text}"
end

# === safe: Rails credentials
# frozen_string_literal: true

class Geocoder
  def find(address)
    uri = URI("https://geo.acme.io/v1")
    uri.query = URI.encode_www_form(q: address, key: Rails.application.credentials.geo_api_key)
    Net::HTTP.get(uri)
  end
end

# === safe: basic authentication from the environment
# frozen_string_literal: true

class AdminController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  http_basic_authenticate_with name: ENV.fetch("ADMIN_USER"), password: ENV.fetch("ADMIN_PASSWORD")

  def index
    render :index
  end
end

# === safe: labels and parameter names
class LoginForm
  PASSWORD_PARAM = "password".freeze
  TOKEN_HEADER = "X-Auth-Token".freeze
  PASSWORD_HINT = "Use at least 12 characters".freeze

  def read(params)
    params[PASSWORD_PARAM]
  end
end

# === safe: smtp settings from credentials
Rails.application.configure do
  smtp = Rails.application.credentials.smtp
  config.action_mailer.smtp_settings = {
    address: "smtp.acme.io",
    user_name: smtp[:user],
    password: smtp[:password]
  }
end
