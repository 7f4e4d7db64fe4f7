# === vulnerable: redirect_to a parameter
# frozen_string_literal: true

class SessionsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def create
    sign_in(User.find_by(email: params[:email]))
    redirect_to params[:return_to], allow_other_host: true
  end
end

# === vulnerable: redirect_to with a default
# frozen_string_literal: true

class LogoutController < ApplicationController
  def show
    reset_session
    target = params[:next] || root_path
    redirect_to(target)
  end
end

# === vulnerable: Sinatra redirect
# frozen_string_literal: true

require "sinatra"

get "/out" do
  redirect params[:to]
end

get "/" do
  "home"
end

# === vulnerable: host interpolated
# frozen_string_literal: true

class CountriesController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    site = params[:site]
    redirect_to "https://#{site}/welcome", allow_other_host: true, status: :found
  end
end

# === vulnerable: Location header through a method
class JumpController < ApplicationController
  def show
    response.headers["Location"] = target
    head :found
  end

  private

  def target
    params.fetch(:target, "/")
  end
end

# === vulnerable: Rack response with a query value
# frozen_string_literal: true

require "rack"

class Continue
  def call(env)
    request = Rack::Request.new(env)
    [302, { "location" => request.params["continue"] }, []]
  end
end

# === safe: constant path
# frozen_string_literal: true

class SessionsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def create
    sign_in(User.find_by(email: params[:email]))
    redirect_to dashboard_path, notice: params[:notice]
  end
end

# === safe: url_from
# frozen_string_literal: true

class LogoutController < ApplicationController
  layout "portal"
  around_action :track_time

  def show
    reset_session
    redirect_to url_from(params[:next]) || root_path
  end
end

# === safe: target by key
# frozen_string_literal: true

require "sinatra"

TARGETS = { "docs" => "https://docs.acme.io", "blog" => "https://blog.acme.io" }.freeze

get "/out" do
  redirect TARGETS.fetch(params["to"], "/")
end

get "/healthz" do
  "ok"
end

# === safe: local path check
# frozen_string_literal: true

class JumpController < ApplicationController
  def show
    target = params[:target].to_s
    target = "/" unless target.match?(%r{\A/(?![/\\])[\w/.-]*\z})
    redirect_to target
  end
end

# === safe: record
# frozen_string_literal: true

class ItemsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def create
    item = Item.create!(params.require(:item).permit(:name))
    redirect_to item
  end
end

# === safe: host compared
class ContinueController < ApplicationController
  def show
    uri = URI.parse(params[:url].to_s)
    if uri.scheme == "https" && uri.host == "www.acme.io"
      redirect_to uri.to_s, allow_other_host: true
    else
      redirect_to root_path
    end
  end
end

# === vulnerable: a short link that says where it leads
class LinksController < ApplicationController
  skip_before_action :authenticate!

  def follow
    target = params[:target]
    Visit.create!(target: target, address: request.remote_ip)
    redirect_to(target, allow_other_host: true, status: :moved_permanently)
  end
end

# === safe: a short link is looked up
class LinksController < ApplicationController
  def follow
    link = Link.find_by!(slug: params[:slug])
    link.increment!(:visits)
    redirect_to link.target, allow_other_host: true
  end
end
