# === vulnerable: skip_forgery_protection
# frozen_string_literal: true

class TransfersController < ApplicationController
  skip_forgery_protection

  def create
    current_user.transfers.create!(params.require(:transfer).permit(:amount, :iban))
    redirect_to transfers_path
  end
end

# === vulnerable: skip verify_authenticity_token
# frozen_string_literal: true

class PasswordsController < ApplicationController
  skip_before_action :verify_authenticity_token

  def update
    current_user.update!(password: params[:password])
    redirect_to account_path
  end
end

# === vulnerable: switched off in production
# frozen_string_literal: true

Rails.application.configure do
  config.eager_load = true
  config.force_ssl = true
  config.action_controller.allow_forgery_protection = false
end

# === vulnerable: only on update
# frozen_string_literal: true

class EmailsController < ApplicationController
  skip_before_action :verify_authenticity_token, only: %i[update destroy]

  def update
    current_user.update!(email: params[:email])
    head :no_content
  end
end

# === vulnerable: Sinatra protection disabled
require "sinatra"

enable :sessions
set :session_secret, ENV.fetch("SESSION_SECRET")
disable :protection

post "/account/delete" do
  Account.delete(session[:user_id])
  redirect "/"
end

# === vulnerable: class setting
# frozen_string_literal: true

class ApplicationController < ActionController::Base
  self.allow_forgery_protection = false

  before_action :require_login

  def require_login
    redirect_to login_path unless session[:user_id]
  end
end

# === safe: protect_from_forgery
# frozen_string_literal: true

class ApplicationController < ActionController::Base
  protect_from_forgery with: :exception

  before_action :require_login

  def require_login
    redirect_to login_path unless session[:user_id]
  end
end

# === safe: other before_action skipped
# frozen_string_literal: true

class TransfersController < ApplicationController
  skip_before_action :set_locale

  def create
    current_user.transfers.create!(params.require(:transfer).permit(:amount, :iban))
    redirect_to transfers_path
  end
end

# === safe: setting on
# frozen_string_literal: true

Rails.application.configure do
  config.eager_load = true
  config.action_controller.allow_forgery_protection = true
  config.action_controller.per_form_csrf_tokens = true
end

# === safe: Sinatra with Rack::Protection
require "sinatra"
require "rack/protection"

enable :sessions
set :session_secret, ENV.fetch("SESSION_SECRET")
use Rack::Protection::AuthenticityToken

post "/account/delete" do
  Account.delete(session[:user_id])
  redirect "/"
end

# === safe: default controller
# frozen_string_literal: true

class PasswordsController < ApplicationController
  before_action :authenticate_user!

  def update
    current_user.update!(password: params[:password])
    redirect_to account_path
  end
end
