# === vulnerable: ERB.new of a parameter
# frozen_string_literal: true

require "erb"

class LettersController < ApplicationController
  def create
    @name = "Ana"
    render plain: ERB.new(params[:template]).result(binding)
  end
end

# === vulnerable: render inline
# frozen_string_literal: true

class PreviewsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    render inline: "<h1>" + params[:title] + "</h1>"
  end
end

# === vulnerable: Sinatra erb with a string
# frozen_string_literal: true

require "sinatra"

get "/hello" do
  erb "<p>Hello #{params[:name]}</p>"
end

get "/" do
  erb :index
end

# === vulnerable: Slim template from a body
# frozen_string_literal: true

require "sinatra"
require "slim"

post "/render" do
  source = request.body.read
  Slim::Template.new { source }.render(Object.new)
end

get "/healthz" do
  "ok"
end

# === vulnerable: Haml engine through a method
require "haml"

class BannersController < ApplicationController
  def show
    render html: banner(params[:text])
  end

  private

  def banner(text)
    Haml::Template.new { "%p #{text}" }.render
  end
end

# === safe: render a template with locals
# frozen_string_literal: true

class PreviewsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    render template: "previews/show", locals: { title: params[:title] }
  end
end

# === safe: ERB of an own file
require "erb"

class LettersController < ApplicationController
  SOURCE = File.read(Rails.root.join("app/letters/welcome.erb")).freeze

  def create
    @name = params[:name]
    render plain: ERB.new(SOURCE).result(binding)
  end
end

# === safe: Sinatra view symbol with locals
# frozen_string_literal: true

require "sinatra"

get "/hello" do
  erb :hello, locals: { name: params[:name] }
end

get "/healthz" do
  "ok"
end

# === safe: constant inline template
# frozen_string_literal: true

class StatusController < ApplicationController
  layout "portal"
  around_action :track_time

  def show
    @message = params[:message]
    render inline: "<p><%= @message %></p>"
  end
end

# === safe: Liquid with a fixed template
# frozen_string_literal: true

require "sinatra"
require "liquid"

TEMPLATE = Liquid::Template.parse("Dear {{ name }}, thank you.")

get "/thanks" do
  content_type :text
  TEMPLATE.render("name" => params[:name])
end
