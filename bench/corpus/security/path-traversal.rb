# === vulnerable: send_file with a parameter
# frozen_string_literal: true

class DownloadsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def show
    send_file Rails.root.join("files", params[:name]).to_s
  end
end

# === vulnerable: File.read with interpolation
# frozen_string_literal: true

class DocsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def show
    path = "/srv/docs/#{params[:path]}"
    render plain: File.read(path)
  end
end

# === vulnerable: Sinatra upload under the client's file name
# frozen_string_literal: true

require "sinatra"

post "/upload" do
  upload = params[:file]
  target = File.join("uploads", upload[:filename])
  File.open(target, "wb") { |f| f.write(upload[:tempfile].read) }
  status 201
end

# === vulnerable: delete through a private method
class AttachmentsController < ApplicationController
  def destroy
    File.delete(path_for(params[:name]))
    head :no_content
  end

  private

  def path_for(name)
    File.join("/data/attachments", name)
  end
end

# === vulnerable: IO.readlines with a cookie
# frozen_string_literal: true

class LogsController < ApplicationController
  def index
    log = "log/" + cookies[:log_name]
    lines = IO.readlines(log).last(20)
    render json: lines
  end
end

# === vulnerable: Sinatra send_file with a query value
# frozen_string_literal: true

require "sinatra"

get "/theme" do
  theme = params["theme"]
  send_file("themes/" + theme + "/style.css", type: "text/css")
end

get "/healthz" do
  "ok"
end

# === safe: File.basename
# frozen_string_literal: true

class DownloadsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def show
    name = File.basename(params[:name].to_s)
    send_file Rails.root.join("files", name).to_s
  end
end

# === safe: expand_path and prefix
class DocsController < ApplicationController
  BASE = "/srv/docs".freeze

  def show
    path = File.expand_path(params[:path].to_s, BASE)
    return head(:forbidden) unless path.start_with?("#{BASE}/")

    render plain: File.read(path)
  end
end

# === safe: generated upload name
# frozen_string_literal: true

require "sinatra"
require "securerandom"

post "/upload" do
  target = File.join("uploads", "#{SecureRandom.uuid}.bin")
  File.open(target, "wb") { |f| f.write(params[:file][:tempfile].read) }
  status 201
end

# === safe: allow-list
# frozen_string_literal: true

require "sinatra"

THEMES = %w[light dark].freeze

get "/theme" do
  halt 404 unless THEMES.include?(params["theme"])
  send_file("themes/#{params['theme']}/style.css", type: "text/css")
end

get "/healthz" do
  "ok"
end

# === safe: numeric id
# frozen_string_literal: true

class InvoicesController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    id = params[:id].to_i
    send_file "/srv/invoices/#{id}.pdf", type: "application/pdf"
  end
end

# === safe: record's own path
# frozen_string_literal: true

class AvatarsController < ApplicationController
  layout "portal"
  around_action :track_time

  def show
    avatar = current_user.avatars.find(params[:id])
    redirect_to rails_blob_path(avatar.image, disposition: "attachment")
  end
end

# === vulnerable: a page of the manual
class ManualController < ApplicationController
  FOLDER = Rails.root.join("manual")

  def show
    page = params[:page] || "index"
    file = FOLDER.join("#{page}.md")
    return head :not_found unless file.exist?

    @text = Kramdown::Document.new(file.read).to_html
  end
end

# === safe: the pages are those that exist
class ManualController < ApplicationController
  PAGES = Dir.children(Rails.root.join("manual")).freeze

  def show
    page = "#{params[:page]}.md"
    return head :not_found unless PAGES.include?(page)

    @text = Rails.root.join("manual", page).read
  end
end
