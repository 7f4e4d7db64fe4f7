# === vulnerable: Marshal.load of a cookie
# frozen_string_literal: true

require "base64"

class CartsController < ApplicationController
  def show
    cart = Marshal.load(Base64.decode64(cookies[:cart]))
    render json: cart
  end
end

# === vulnerable: YAML.unsafe_load of the body
# frozen_string_literal: true

require "sinatra"
require "yaml"

post "/config" do
  config = YAML.unsafe_load(request.body.read)
  config.keys.join(",")
end

get "/healthz" do
  "ok"
end

# === vulnerable: Oj.load in object mode
# frozen_string_literal: true

require "oj"

class EventsController < ApplicationController
  def create
    event = Oj.load(request.raw_post, mode: :object)
    render json: { type: event.class.name }
  end
end

# === vulnerable: Psych.unsafe_load of an uploaded file
# frozen_string_literal: true

class ImportsController < ApplicationController
  def create
    upload = params[:file]
    data = Psych.unsafe_load(upload.read)
    render json: data.size
  end
end

# === vulnerable: Marshal through a helper method
require "sinatra"
require "zlib"

def restore(blob)
  Marshal.restore(Zlib::Inflate.inflate(blob))
end

post "/state" do
  restore(params[:state].unpack1("m")).inspect
end

# === vulnerable: JSON.load with create_additions
# frozen_string_literal: true

require "sinatra"
require "json"

post "/shapes" do
  shape = JSON.parse(request.body.read, create_additions: true)
  shape.to_s
end

get "/healthz" do
  "ok"
end

# === safe: JSON.parse of a cookie
# frozen_string_literal: true

class CartsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    cart = JSON.parse(cookies[:cart] || "[]")
    render json: cart
  end
end

# === safe: YAML.safe_load
# frozen_string_literal: true

require "sinatra"
require "yaml"

post "/config" do
  config = YAML.safe_load(request.body.read, permitted_classes: [])
  config.keys.join(",")
end

get "/healthz" do
  "ok"
end

# === safe: Oj strict mode
# frozen_string_literal: true

require "oj"

class EventsController < ApplicationController
  def create
    event = Oj.load(request.raw_post, mode: :strict)
    render json: { type: event["type"] }
  end
end

# === safe: Marshal round trip of own object
class Template
  attr_reader :settings

  def initialize(settings)
    @settings = settings
  end

  def deep_copy
    Marshal.load(Marshal.dump(settings))
  end
end

# === safe: YAML.load_file of own configuration
# frozen_string_literal: true

class Settings
  FILE = Rails.root.join("config", "portal.yml")

  def self.all
    @all ||= YAML.safe_load_file(FILE, symbolize_names: true)
  end

  def self.title
    name.to_s
  end
end

# === vulnerable: a draft kept in the browser
class DraftsController < ApplicationController
  def show
    kept = cookies[:draft]
    draft = kept ? Marshal.load(Base64.urlsafe_decode64(kept)) : Draft.new
    render json: { title: draft.title, body: draft.body }
  end

  def update
    draft = Draft.new(title: params[:title], body: params[:body])
    cookies[:draft] = Base64.urlsafe_encode64(Marshal.dump(draft))
    head :no_content
  end
end

# === safe: a draft kept in the browser, as JSON
class DraftsController < ApplicationController
  def show
    kept = cookies.encrypted[:draft]
    draft = kept ? JSON.parse(kept, symbolize_names: true) : {}
    render json: draft.slice(:title, :body)
  end
end
