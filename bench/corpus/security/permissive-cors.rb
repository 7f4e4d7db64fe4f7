# === vulnerable: reflected origin
class ApiController < ActionController::Base
  after_action :cors

  private

  def cors
    response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
    response.headers["Access-Control-Allow-Credentials"] = "true"
  end
end

# === vulnerable: rack-cors block always true
# frozen_string_literal: true

Rails.application.config.middleware.insert_before 0, Rack::Cors do
  allow do
    origins { |_source, _env| true }
    resource "*", headers: :any, methods: %i[get post put delete], credentials: true
  end
end

# === vulnerable: rack-cors with a regexp that matches everything
# frozen_string_literal: true

Rails.application.config.middleware.insert_before 0, Rack::Cors do
  allow do
    origins(/.*/)
    resource "/api/*", headers: :any, methods: :any, credentials: true
  end
end

# === vulnerable: Sinatra before filter
require "sinatra"

before do
  origin = request.env["HTTP_ORIGIN"]
  headers "Access-Control-Allow-Origin" => origin,
          "Access-Control-Allow-Credentials" => "true"
end

get "/account" do
  "{}"
end

# === vulnerable: null origin
# frozen_string_literal: true

class AccountController < ActionController::Base
  def show
    response.set_header("Access-Control-Allow-Origin", "null")
    response.set_header("Access-Control-Allow-Credentials", "true")
    render json: { iban: "DE02" }
  end
end

# === safe: fixed origin
class ApiController < ActionController::Base
  after_action :cors

  private

  def cors
    response.headers["Access-Control-Allow-Origin"] = "https://app.acme.io"
    response.headers["Access-Control-Allow-Credentials"] = "true"
    response.headers["Vary"] = "Origin"
  end
end

# === safe: rack-cors with listed origins
# frozen_string_literal: true

Rails.application.config.middleware.insert_before 0, Rack::Cors do
  allow do
    origins "https://app.acme.io", "https://admin.acme.io"
    resource "/api/*", headers: :any, methods: %i[get post], credentials: true
  end
end

# === safe: rack-cors from the environment
# frozen_string_literal: true

Rails.application.config.middleware.insert_before 0, Rack::Cors do
  allow do
    origins(*ENV.fetch("ALLOWED_ORIGINS").split(","))
    resource "/api/*", headers: :any, methods: %i[get post], credentials: true
  end
end

# === safe: allow-list in Sinatra
require "sinatra"

ORIGINS = %w[https://app.acme.io https://admin.acme.io].freeze

before do
  origin = request.env["HTTP_ORIGIN"]
  if ORIGINS.include?(origin)
    headers "Access-Control-Allow-Origin" => origin, "Access-Control-Allow-Credentials" => "true", "Vary" => "Origin"
  end
end

# === safe: anchored regexp
# frozen_string_literal: true

Rails.application.config.middleware.insert_before 0, Rack::Cors do
  allow do
    origins(%r{\Ahttps://[a-z0-9-]+\.acme\.io\z})
    resource "/api/*", headers: :any, methods: [:get], credentials: true
  end
end
