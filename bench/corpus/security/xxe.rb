# === vulnerable: Nokogiri with noent
# frozen_string_literal: true

class FeedsController < ApplicationController
  layout "portal"
  around_action :track_time

  def create
    doc = Nokogiri::XML(request.raw_post) { |config| config.noent.dtdload }
    render plain: doc.root.text
  end
end

# === vulnerable: Nokogiri parse options constant
# frozen_string_literal: true

require "sinatra"
require "nokogiri"

post "/orders" do
  options = Nokogiri::XML::ParseOptions::NOENT | Nokogiri::XML::ParseOptions::DTDLOAD
  doc = Nokogiri::XML::Document.parse(request.body.read, nil, nil, options)
  doc.at("customer").text
end

# === vulnerable: LibXML with NOENT
require "libxml"

class InvoicesController < ApplicationController
  def create
    parser = LibXML::XML::Parser.string(params[:xml], options: LibXML::XML::Parser::Options::NOENT)
    document = parser.parse
    render plain: document.root.content
  end
end

# === vulnerable: default substitution switched on
# frozen_string_literal: true

require "sinatra"
require "libxml"

LibXML::XML.default_substitute_entities = true

post "/import" do
  doc = LibXML::XML::Document.string(params[:document])
  doc.root.content
end

# === vulnerable: SAX reader with noent in a helper
require "nokogiri"

class CatalogsController < ApplicationController
  def create
    render json: items(params[:file].read).size
  end

  private

  def items(xml)
    doc = Nokogiri.XML(xml, nil, "UTF-8") do |c|
      c.noent
      c.nononet
    end
    doc.css("item")
  end
end

# === safe: Nokogiri defaults
# frozen_string_literal: true

class FeedsController < ApplicationController
  layout "portal"
  around_action :track_time

  def create
    doc = Nokogiri::XML(request.raw_post)
    render plain: doc.root.text
  end
end

# === safe: strict and nonet
# frozen_string_literal: true

require "sinatra"
require "nokogiri"

post "/orders" do
  doc = Nokogiri::XML(request.body.read) { |config| config.strict.nonet }
  doc.at("customer").text
end

get "/healthz" do
  "ok"
end

# === safe: doctype refused
# frozen_string_literal: true

class InvoicesController < ApplicationController
  def create
    doc = Nokogiri::XML(params[:xml], &:nonet)
    return head(:bad_request) if doc.internal_subset

    render plain: doc.root.name
  end
end

# === safe: Hash.from_xml replaced by JSON
# frozen_string_literal: true

class ImportsController < ApplicationController
  layout "portal"
  around_action :track_time

  def create
    data = JSON.parse(request.raw_post)
    render json: data.fetch("items", []).size
  end
end

# === safe: html fragment
# frozen_string_literal: true

require "nokogiri"

class PreviewsController < ApplicationController
  def create
    fragment = Nokogiri::HTML5.fragment(params[:body])
    render json: { words: fragment.text.split.size }
  end
end
