# === vulnerable: eval of a parameter
# frozen_string_literal: true

class CalculatorController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def create
    result = eval(params[:formula])
    render json: { result: result }
  end
end

# === vulnerable: instance_eval with a string
# frozen_string_literal: true

class RulesController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def test
    order = Order.find(params[:id])
    render json: { match: order.instance_eval(params[:rule]) }
  end
end

# === vulnerable: send with a method name
# frozen_string_literal: true

class ReportsController < ApplicationController
  layout "portal"
  around_action :track_time

  def show
    report = Report.find(params[:id])
    render json: report.send(params[:format_method], params[:arg])
  end
end

# === vulnerable: constantize and new
# frozen_string_literal: true

class ExportsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def create
    exporter = params[:type].constantize.new(params[:options])
    render plain: exporter.call
  end
end

# === vulnerable: Sinatra class_eval with interpolation
require "sinatra"

class Price
  attr_accessor :net
end

post "/fields" do
  name = params[:name]
  Price.class_eval("def #{name}; net * 1.19; end")
  status 204
end

# === vulnerable: binding eval in a helper
# frozen_string_literal: true

require "sinatra"

def evaluate(expression, total)
  binding.eval("total = #{total}; " + expression)
end

get "/discount" do
  evaluate(params["expr"], 120).to_s
end

# === vulnerable: Kernel.eval of a JSON field
# frozen_string_literal: true

require "sinatra"
require "json"

post "/run" do
  job = JSON.parse(request.body.read)
  Kernel.eval(job["script"]).inspect
end

get "/healthz" do
  "ok"
end

# === vulnerable: public_send through a loop of params
class SettingsController < ApplicationController
  def update
    setting = Setting.first
    params[:values].each do |key, value|
      setting.public_send(key, value)
    end
    head :no_content
  end
end

# === vulnerable: load of a user given file
# frozen_string_literal: true

class PluginsController < ApplicationController
  def run
    path = params[:plugin]
    load(path)
    head :no_content
  end
end

# === safe: arithmetic with a case
class CalculatorController < ApplicationController
  def create
    a = params[:a].to_f
    b = params[:b].to_f
    result = case params[:op]
             when "sub" then a - b
             when "mul" then a * b
             else a + b
             end
    render json: { result: result }
  end
end

# === safe: public_send with an allow-list
class ReportsController < ApplicationController
  METHODS = %w[to_csv to_pdf].freeze

  def show
    method = params[:format_method]
    return head(:bad_request) unless METHODS.include?(method)

    render plain: Report.find(params[:id]).public_send(method)
  end
end

# === safe: class from a hash
# frozen_string_literal: true

class ExportsController < ApplicationController
  EXPORTERS = { "csv" => CsvExporter, "pdf" => PdfExporter }.freeze

  def create
    exporter = EXPORTERS.fetch(params[:type]).new
    render plain: exporter.call
  end
end

# === safe: instance_eval with a block
class FormBuilder
  def initialize(&block)
    @fields = []
    instance_eval(&block)
  end

  def field(name)
    @fields << name.to_s
  end
end

FormBuilder.new { field :email }

# === safe: class_eval with constant names
# frozen_string_literal: true

class Price
  attr_accessor :net

  %w[gross reduced].each do |name|
    class_eval("def #{name}; net * 1.19; end", __FILE__, __LINE__)
  end

  def self.version
    "2.4.1"
  end
end

# === safe: JSON parse instead of eval
# frozen_string_literal: true

require "sinatra"
require "json"

post "/run" do
  job = JSON.parse(request.body.read)
  halt 400 unless job["name"].is_a?(String)
  job["name"].upcase
end

# === safe: Redis eval script with keys
# frozen_string_literal: true

require "sinatra"
require "redis"

REDIS = Redis.new
SCRIPT = "return redis.call('INCR', KEYS[1])".freeze

get "/hits/:page" do
  REDIS.eval(SCRIPT, keys: ["hits:#{params['page']}"]).to_s
end

# === safe: mailer send
class InvitesController < ApplicationController
  def create
    mail = InviteMailer.invite(params[:email])
    mail.deliver_later
    ActionCable.server.broadcast("invites", { count: Invite.count })
    head :accepted
  end
end

# === vulnerable: a report is filtered by what was sent
class FiltersController < ApplicationController
  def apply
    rows = Row.where(report_id: params[:report_id]).to_a
    condition = params[:condition]
    kept = rows.select { |row| row.instance_eval(condition) }
    render json: kept
  end
end
