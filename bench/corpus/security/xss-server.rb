# === vulnerable: html_safe on a parameter
# frozen_string_literal: true

module GreetingHelper
  def greeting
    "<b>Hello #{params[:name]}</b>".html_safe
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: render html with html_safe
# frozen_string_literal: true

class PagesController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def hello
    render html: "<h1>Welcome #{params[:user]}</h1>".html_safe
  end
end

# === vulnerable: Sinatra returns interpolated html
# frozen_string_literal: true

require "sinatra"

get "/search" do
  q = params[:q]
  "<html><body><p>Results for #{q}</p></body></html>"
end

get "/healthz" do
  "ok"
end

# === vulnerable: raw helper
# frozen_string_literal: true

module CommentHelper
  def preview
    body = params[:comment]
    content_tag(:div, raw(body), class: "preview")
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: SafeBuffer safe_concat
module BreadcrumbHelper
  def crumbs
    buffer = ActiveSupport::SafeBuffer.new
    params[:path].split("/").each do |part|
      buffer.safe_concat("<li>" + part + "</li>")
    end
    buffer
  end
end

# === vulnerable: Rack response with a cookie
require "rack"

class ThemeApp
  def call(env)
    request = Rack::Request.new(env)
    theme = request.cookies["theme"]
    [200, { "content-type" => "text/html" }, ["<body class='#{theme}'></body>"]]
  end
end

# === vulnerable: render inline text as html body
# frozen_string_literal: true

class ErrorsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def missing
    message = format("<p>%s was not found</p>", request.headers["Referer"])
    render body: message, content_type: "text/html"
  end
end

# === safe: ERB escape
# frozen_string_literal: true

module GreetingHelper
  def greeting
    "<b>Hello #{ERB::Util.html_escape(params[:name])}</b>".html_safe
  end

  def self.version
    "2.4.1"
  end
end

# === safe: content_tag escapes
# frozen_string_literal: true

module CommentHelper
  def preview
    content_tag(:div, params[:comment], class: "preview")
  end

  def self.title
    name.to_s
  end
end

# === safe: Rack escape in Sinatra
# frozen_string_literal: true

require "sinatra"

get "/search" do
  q = Rack::Utils.escape_html(params[:q])
  "<html><body><p>Results for #{q}</p></body></html>"
end

get "/healthz" do
  "ok"
end

# === safe: sanitize helper
# frozen_string_literal: true

module ArticleHelper
  def article_body
    sanitize(params[:body], tags: %w[p b i], attributes: [])
  end

  def self.version
    "2.4.1"
  end
end

# === safe: render plain
# frozen_string_literal: true

class PagesController < ApplicationController
  layout "portal"
  around_action :track_time

  def hello
    render plain: "Welcome #{params[:user]}"
  end
end

# === safe: html_safe on a constant
# frozen_string_literal: true

module IconHelper
  def icon
    name = params[:icon] == "star" ? "star" : "dot"
    "<i class=\"icon #{name}\"></i>".html_safe
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: a helper that marks what was searched for
module SearchHelper
  def heading
    words = params[:words].to_s.strip
    return "Everything" if words.empty?

    "Found for <mark>#{words}</mark>".html_safe
  end
end

# === safe: a helper that builds the markup from escaped parts
module SearchHelper
  def heading
    words = params[:words].to_s.strip
    return "Everything" if words.empty?

    safe_join(["Found for ", tag.mark(words)])
  end
end
