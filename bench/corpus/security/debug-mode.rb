# === vulnerable: consider_all_requests_local in production
# frozen_string_literal: true

Rails.application.configure do
  config.enable_reloading = false
  config.eager_load = true
  config.consider_all_requests_local = true
  config.force_ssl = true
end

# === vulnerable: Sinatra show_exceptions in production
# frozen_string_literal: true

require "sinatra"

set :environment, :production
set :show_exceptions, true
set :dump_errors, true

get "/" do
  "portal"
end

# === vulnerable: backtrace rendered
# frozen_string_literal: true

class ApplicationController < ActionController::Base
  rescue_from StandardError do |error|
    render json: { error: error.message, backtrace: error.backtrace }, status: :internal_server_error
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: web console for every address
# frozen_string_literal: true

Rails.application.configure do
  config.eager_load = true
  config.web_console.development_only = false
  config.web_console.permissions = "0.0.0.0/0"
end

# === vulnerable: better_errors allowed everywhere
require "sinatra/base"
require "better_errors"

class Portal < Sinatra::Base
  configure :production do
    use BetterErrors::Middleware
    BetterErrors::Middleware.allow_ip!("0.0.0.0/0")
  end

  get("/") { "portal" }
end

# === safe: production configuration
# frozen_string_literal: true

Rails.application.configure do
  config.enable_reloading = false
  config.eager_load = true
  config.consider_all_requests_local = false
  config.force_ssl = true
end

# === safe: Sinatra production
require "sinatra"

configure :production do
  set :show_exceptions, false
  set :dump_errors, false
end

get "/" do
  "portal"
end

# === safe: backtrace logged
# frozen_string_literal: true

class ApplicationController < ActionController::Base
  rescue_from StandardError do |error|
    Rails.logger.error("#{error.message}\n#{error.backtrace.join("\n")}")
    render json: { error: "internal error" }, status: :internal_server_error
  end

  def self.version
    "2.4.1"
  end
end

# === safe: better_errors in development only
require "sinatra/base"

class Portal < Sinatra::Base
  configure :development do
    require "better_errors"
    use BetterErrors::Middleware
  end

  get("/") { "portal" }
end

# === safe: log level from the environment
# frozen_string_literal: true

Rails.application.configure do
  config.log_level = ENV.fetch("LOG_LEVEL", "info")
  config.log_tags = [:request_id]
  config.consider_all_requests_local = false
end
