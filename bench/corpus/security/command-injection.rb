# === vulnerable: backticks
# frozen_string_literal: true

class PingController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def show
    output = `ping -c 1 #{params[:host]}`
    render plain: output
  end
end

# === vulnerable: system with one string
# frozen_string_literal: true

class ThumbnailsController < ApplicationController
  def create
    file = params[:file]
    ok = system("convert uploads/#{file} -resize 200x200 thumbs/#{file}")
    head(ok ? :no_content : :unprocessable_entity)
  end
end

# === vulnerable: Open3 capture2 with a string
require "sinatra"
require "open3"

get "/whois" do
  command = "whois " + params[:domain]
  out, _status = Open3.capture2(command)
  content_type :text
  out
end

# === vulnerable: exec in a spawned job
# frozen_string_literal: true

require "sinatra"

post "/backup" do
  db = params["database"]
  pid = spawn("pg_dump #{db} > /backups/latest.sql")
  Process.detach(pid)
  status 202
end

# === vulnerable: IO.popen through a private method
class LogsController < ApplicationController
  def search
    render plain: IO.popen(command(params[:pattern])).read
  end

  private

  def command(pattern)
    format("grep '%s' /var/log/app.log", pattern)
  end
end

# === vulnerable: %x literal
# frozen_string_literal: true

require "sinatra"

get "/commits" do
  branch = params[:branch]
  content_type :text
  %x(git log --oneline #{branch})
end

get "/healthz" do
  "ok"
end

# === vulnerable: Kernel#open with a pipe
# frozen_string_literal: true

class FilesController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def show
    name = params[:name]
    render plain: open(name).read
  end
end

# === safe: system with arguments
# frozen_string_literal: true

class ThumbnailsController < ApplicationController
  def create
    file = File.basename(params[:file])
    ok = system("convert", "uploads/#{file}", "-resize", "200x200", "thumbs/#{file}")
    head(ok ? :no_content : :unprocessable_entity)
  end
end

# === safe: Shellwords escape
# frozen_string_literal: true

require "shellwords"

class PingController < ApplicationController
  def show
    output = `ping -c 1 #{Shellwords.escape(params[:host])}`
    render plain: output
  end
end

# === safe: Open3 with an argument list
require "sinatra"
require "open3"

get "/whois" do
  halt 400 unless params[:domain].to_s.match?(/\A[a-z0-9][a-z0-9.-]+\z/)
  out, _status = Open3.capture2("whois", params[:domain])
  content_type :text
  out
end

# === safe: constant command
# frozen_string_literal: true

class UptimeController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def show
    render json: { uptime: `uptime -p`, zone: params[:zone] }
  end
end

# === safe: command by key
# frozen_string_literal: true

require "sinatra"

COMMANDS = { "disk" => "df -h", "memory" => "free -m" }.freeze

get "/stats/:name" do
  command = COMMANDS.fetch(params["name"]) { halt 404 }
  content_type :text
  `#{command}`
end

# === safe: exec of a database statement
# frozen_string_literal: true

class CleanupController < ApplicationController
  def create
    ActiveRecord::Base.connection.exec_query("DELETE FROM drafts WHERE created_at < now() - interval '30 days'")
    system("logger", "-t", "portal", "cleanup")
    head :no_content
  end
end

# === vulnerable: a sound is cut by a program
class SoundsController < ApplicationController
  def cut
    sound = current_user.sounds.find(params[:id])
    from = params[:from]
    length = params.fetch(:length, "30")
    target = Rails.root.join("tmp", "#{sound.id}.mp3")
    unless system("ffmpeg -y -ss #{from} -t #{length} -i #{sound.path} #{target}")
      return head :unprocessable_entity
    end

    send_file target, type: "audio/mpeg"
  end
end

# === safe: numbers, and arguments by themselves
class SoundsController < ApplicationController
  def cut
    sound = current_user.sounds.find(params[:id])
    target = Rails.root.join("tmp", "#{sound.id}.mp3").to_s
    done = system("ffmpeg", "-y", "-ss", params[:from].to_i.to_s, "-i", sound.path, target)
    done ? send_file(target) : head(:unprocessable_entity)
  end
end
