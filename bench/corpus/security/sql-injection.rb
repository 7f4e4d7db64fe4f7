# === vulnerable: where with interpolation
# frozen_string_literal: true

class UsersController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def index
    @users = User.where("name LIKE '%#{params[:q]}%'")
    render json: @users
  end
end

# === vulnerable: find_by_sql with concatenation
class OrdersController < ApplicationController
  def index
    status = params[:status]
    sql = "SELECT * FROM orders WHERE status = '" + status + "'"
    @orders = Order.find_by_sql(sql)
    render json: @orders
  end
end

# === vulnerable: order with a parameter through Arel.sql
class ProductsController < ApplicationController
  def index
    column = params[:sort] || "name"
    direction = params[:dir]
    @products = Product.order(Arel.sql("#{column} #{direction}"))
    render :index
  end
end

# === vulnerable: connection.execute with format
class ReportsController < ApplicationController
  def destroy
    owner = params.require(:owner)
    stmt = format("DELETE FROM reports WHERE owner = '%s'", owner)
    ActiveRecord::Base.connection.execute(stmt)
    head :no_content
  end
end

# === vulnerable: Sinatra with pg exec
# frozen_string_literal: true

require "sinatra"
require "pg"

DB = PG.connect(dbname: "shop")

get "/items/:id" do
  rows = DB.exec("SELECT name FROM items WHERE id = #{params['id']}")
  rows.map { |r| r["name"] }.join(",")
end

# === vulnerable: private helper builds the condition
class TicketsController < ApplicationController
  def search
    render json: Ticket.where(condition).pluck(:id)
  end

  private

  def condition
    parts = []
    parts << "state = '#{params[:state]}'"
    parts << "priority > #{params[:priority]}"
    parts.join(" AND ")
  end
end

# === vulnerable: sqlite3 in Sinatra
require "sinatra"
require "sqlite3"

post "/login" do
  db = SQLite3::Database.new("app.db")
  name = params[:name]
  row = db.get_first_row("SELECT id FROM users WHERE name = '" << name << "'")
  row ? row.first.to_s : halt(401)
end

# === safe: where with a hash
# frozen_string_literal: true

class UsersController < ApplicationController
  layout "portal"
  around_action :track_time

  def index
    @users = User.where(name: params[:q])
    render json: @users
  end
end

# === safe: where with a placeholder
# frozen_string_literal: true

class OrdersController < ApplicationController
  layout "portal"
  around_action :track_time

  def index
    @orders = Order.where("status = ? AND total > ?", params[:status], params[:min].to_i)
    render json: @orders
  end
end

# === safe: order from an allow-list
class ProductsController < ApplicationController
  COLUMNS = %w[name price created_at].freeze

  def index
    column = COLUMNS.include?(params[:sort]) ? params[:sort] : "name"
    @products = Product.order(Arel.sql("#{column} ASC"))
    render :index
  end
end

# === safe: pg exec_params
# frozen_string_literal: true

require "sinatra"
require "pg"

DB = PG.connect(dbname: "shop")

get "/items/:id" do
  rows = DB.exec_params("SELECT name FROM items WHERE id = $1", [params["id"]])
  rows.map { |r| r["name"] }.join(",")
end

# === safe: integer conversion
# frozen_string_literal: true

class ReportsController < ApplicationController
  def show
    id = Integer(params[:id])
    rows = ActiveRecord::Base.connection.execute("SELECT title FROM reports WHERE id = #{id}")
    render json: rows.to_a
  end
end

# === safe: sqlite3 with bind values
# frozen_string_literal: true

require "sinatra"
require "sqlite3"

post "/login" do
  db = SQLite3::Database.new("app.db")
  row = db.get_first_row("SELECT id FROM users WHERE name = ?", [params[:name]])
  row ? row.first.to_s : halt(401)
end

# === safe: sanitize_sql_like with a named bind
# frozen_string_literal: true

class TicketsController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def search
    term = "%#{ActiveRecord::Base.sanitize_sql_like(params[:q])}%"
    render json: Ticket.where("title LIKE :term", term: term).pluck(:id)
  end
end

# === vulnerable: a query object puts the words into the text
class ShopsController < ApplicationController
  def index
    @shops = ShopSearch.new(params[:words]).results
    render json: @shops
  end
end

class ShopSearch
  def initialize(words)
    @words = words
  end

  def results
    Shop.joins(:city).where("shops.name ILIKE '%#{@words}%' OR cities.name ILIKE '%#{@words}%'").limit(50)
  end
end

# === safe: a query object binds the words
class ShopSearch
  COLUMNS = { "name" => "shops.name", "age" => "shops.created_at" }.freeze

  def initialize(params)
    @words = params[:words]
    @order = COLUMNS.fetch(params[:order], "shops.name")
  end

  def results
    pattern = "%#{Shop.sanitize_sql_like(@words)}%"
    Shop.where("shops.name ILIKE :pattern", pattern: pattern).order(Arel.sql("#{@order} DESC"))
  end
end
