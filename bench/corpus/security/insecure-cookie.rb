# === vulnerable: cookie without flags
# frozen_string_literal: true

class SessionsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def create
    cookies[:session_token] = { value: SecureRandom.hex(32), expires: 1.day }
    head :no_content
  end
end

# === vulnerable: flags false
class RememberController < ApplicationController
  def create
    cookies[:remember_token] = {
      value: current_user.remember_token,
      secure: false,
      httponly: false
    }
    redirect_to root_path
  end
end

# === vulnerable: session store
# frozen_string_literal: true

Rails.application.config.session_store :cookie_store,
                                       key: "_portal_session",
                                       secure: false,
                                       httponly: false

# === vulnerable: Sinatra set_cookie
# frozen_string_literal: true

require "sinatra"
require "securerandom"

post "/login" do
  response.set_cookie("session_id", value: SecureRandom.hex(32), path: "/")
  status 204
end

get "/healthz" do
  "ok"
end

# === vulnerable: Rack session cookie
require "rack"
require "rack/session/cookie"

App = Rack::Builder.new do
  use Rack::Session::Cookie,
      key: "portal.session",
      secret: ENV.fetch("SESSION_SECRET"),
      httponly: false,
      secure: false
  run ->(_env) { [200, {}, ["ok"]] }
end

# === safe: all flags
class SessionsController < ApplicationController
  def create
    cookies[:session_token] = {
      value: SecureRandom.hex(32),
      secure: true,
      httponly: true,
      same_site: :lax
    }
    head :no_content
  end
end

# === safe: encrypted cookie with flags
# frozen_string_literal: true

class RememberController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def create
    cookies.encrypted[:remember_token] = { value: current_user.remember_token, secure: true, httponly: true }
    redirect_to root_path
  end
end

# === safe: session store
# frozen_string_literal: true

Rails.application.config.session_store :cookie_store,
                                       key: "_portal_session",
                                       secure: true,
                                       httponly: true,
                                       same_site: :strict

# === safe: Sinatra set_cookie with flags
# frozen_string_literal: true

require "sinatra"
require "securerandom"

post "/login" do
  response.set_cookie("session_id", value: SecureRandom.hex(32), secure: true, httponly: true, same_site: :lax)
  status 204
end

get "/healthz" do
  "ok"
end

# === safe: session hash
class LoginController < ApplicationController
  def create
    user = User.authenticate_by(email: params[:email], password: params[:password])
    return head(:unauthorized) unless user

    reset_session
    session[:user_id] = user.id
    head :no_content
  end
end
