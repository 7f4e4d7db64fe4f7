# === vulnerable: Net::HTTP.get of a parameter
# frozen_string_literal: true

require "net/http"

class FetchController < ApplicationController
  def show
    body = Net::HTTP.get(URI(params[:url]))
    render plain: body
  end
end

# === vulnerable: URI.open
require "open-uri"

class AvatarsController < ApplicationController
  def import
    image = URI.open(params[:avatar_url]).read
    current_user.update(avatar_size: image.bytesize)
    head :no_content
  end
end

# === vulnerable: Faraday with a host
# frozen_string_literal: true

require "sinatra"
require "faraday"

get "/metrics" do
  node = params[:node]
  Faraday.get("http://#{node}:9100/metrics").body
end

get "/healthz" do
  "ok"
end

# === vulnerable: HTTParty post to a webhook of the body
require "httparty"

class HooksController < ApplicationController
  def test
    callback = params.require(:hook)[:callback]
    response = HTTParty.post(callback, body: { test: true }.to_json)
    render json: { status: response.code }
  end
end

# === vulnerable: RestClient through a method
require "sinatra"
require "rest-client"

def load_feed(address)
  RestClient.get(address, accept: "application/rss+xml")
end

get "/feed" do
  load_feed(params["feed"]).body
end

# === vulnerable: TCPSocket to a requested host
# frozen_string_literal: true

require "sinatra"
require "socket"

get "/probe" do
  socket = TCPSocket.new(params[:host], params[:port].to_i)
  socket.close
  "open"
end

# === safe: host allow-list
require "net/http"

class FetchController < ApplicationController
  HOSTS = %w[cdn.acme.io img.acme.io].freeze

  def show
    uri = URI.parse(params[:url].to_s)
    return head(:forbidden) unless uri.is_a?(URI::HTTPS) && HOSTS.include?(uri.host)

    render plain: Net::HTTP.get(uri)
  end
end

# === safe: fixed host with query
# frozen_string_literal: true

require "faraday"

class WeatherController < ApplicationController
  def show
    response = Faraday.get("https://api.weather.acme.io/now", { city: params[:city] })
    render json: response.body
  end
end

# === safe: endpoint by key
# frozen_string_literal: true

require "sinatra"
require "net/http"

BACKENDS = { "stock" => "http://stock.internal/health", "users" => "http://users.internal/health" }.freeze

get "/health/:name" do
  target = BACKENDS[params["name"]] || halt(404)
  Net::HTTP.get(URI(target))
end

# === safe: URL from the environment
# frozen_string_literal: true

require "httparty"

class RatesController < ApplicationController
  def show
    response = HTTParty.get(ENV.fetch("RATES_URL"), query: { currency: params[:currency] })
    render json: response.parsed_response
  end
end

# === safe: URI only parsed
class LinksController < ApplicationController
  def show
    uri = URI.parse(params[:link].to_s)
    render json: { host: uri.host, scheme: uri.scheme }
  rescue URI::InvalidURIError
    head :bad_request
  end
end

# === vulnerable: a calendar is subscribed to
require "open-uri"

class CalendarsController < ApplicationController
  def create
    calendar = current_user.calendars.build(calendar_params)
    events = Icalendar::Event.parse(URI.parse(calendar_params[:address]).open(read_timeout: 5))
    calendar.events = events.map { |event| Event.new(title: event.summary) }
    calendar.save!
    redirect_to calendar
  end

  private

  def calendar_params
    params.require(:calendar).permit(:name, :address)
  end
end

# === safe: the repository is a part of a known address
require "net/http"

class StarsController < ApplicationController
  def show
    name = ERB::Util.url_encode(params[:name])
    answer = Net::HTTP.get(URI("https://api.example.com/repositories/#{name}"))
    render json: { stars: JSON.parse(answer)["stars"] }
  end
end
