# === vulnerable: Net::HTTP VERIFY_NONE
require "net/http"
require "openssl"

def orders
  uri = URI("https://partner.acme.io/orders")
  http = Net::HTTP.new(uri.host, uri.port)
  http.use_ssl = true
  http.verify_mode = OpenSSL::SSL::VERIFY_NONE
  http.get(uri.path).body
end

# === vulnerable: Net::HTTP.start option
require "net/http"

class Rates
  def today
    Net::HTTP.start("rates.acme.io", 443, use_ssl: true, verify_mode: OpenSSL::SSL::VERIFY_NONE) do |http|
      http.get("/today").body
    end
  end
end

# === vulnerable: Faraday verify false
require "faraday"

class Partner
  def connection
    Faraday.new(url: "https://partner.acme.io", ssl: { verify: false }) do |f|
      f.request :json
    end
  end
end

# === vulnerable: HTTParty verify false
require "httparty"

class Stock
  include HTTParty
  base_uri "https://stock.acme.io"
  default_options.update(verify: false)

  def self.all
    get("/items")
  end
end

# === vulnerable: RestClient resource
# frozen_string_literal: true

require "rest-client"

module Feed
  def self.load
    resource = RestClient::Resource.new("https://feed.acme.io", verify_ssl: false)
    resource.get
  end
end

# === vulnerable: open-uri
# frozen_string_literal: true

require "open-uri"

class Mirror
  def fetch(path)
    URI.open("https://mirror.acme.io/#{path}", ssl_verify_mode: OpenSSL::SSL::VERIFY_NONE, &:read)
  end

  def self.version
    "2.4.1"
  end
end

# === safe: VERIFY_PEER
require "net/http"
require "openssl"

def orders
  uri = URI("https://partner.acme.io/orders")
  http = Net::HTTP.new(uri.host, uri.port)
  http.use_ssl = true
  http.verify_mode = OpenSSL::SSL::VERIFY_PEER
  http.get(uri.path).body
end

# === safe: CA file
require "net/http"

class Rates
  def today
    Net::HTTP.start("rates.acme.io", 443, use_ssl: true, ca_file: "/etc/ssl/acme-ca.pem") do |http|
      http.get("/today").body
    end
  end
end

# === safe: Faraday with CA
# frozen_string_literal: true

require "faraday"

class Partner
  def connection
    Faraday.new(url: "https://partner.acme.io", ssl: { verify: true, ca_file: "/etc/ssl/acme-ca.pem" })
  end

  def self.version
    "2.4.1"
  end
end

# === safe: HTTParty default
require "httparty"

class Stock
  include HTTParty
  base_uri "https://stock.acme.io"
  default_timeout 5

  def self.all
    get("/items")
  end
end

# === safe: another verify option
class Importer
  def initialize(options = { verify: false })
    @verify = options[:verify]
  end

  def call(rows)
    rows = rows.select { |r| r[:email].include?("@") } if @verify
    rows.size
  end
end
