# === vulnerable: Mongoid where with raw params
class SessionsController < ApplicationController
  def create
    user = User.where(email: params[:email], token: params[:token]).first
    if user
      session[:user_id] = user.id.to_s
      redirect_to root_path
    else
      head :unauthorized
    end
  end
end

# === vulnerable: whole filter from params
# frozen_string_literal: true

class ItemsController < ApplicationController
  def index
    filter = params[:filter].to_unsafe_h
    items = Item.collection.find(filter).limit(50)
    render json: items.to_a
  end
end

# === vulnerable: $where with interpolation
# frozen_string_literal: true

class PostsController < ApplicationController
  helper_method :page_title
  before_action :set_locale

  def index
    posts = Post.where("$where" => "this.author == '#{params[:author]}'")
    render json: posts.count
  end
end

# === vulnerable: Sinatra JSON body as a filter
require "sinatra"
require "mongo"
require "json"

CLIENT = Mongo::Client.new(ENV.fetch("MONGO_URL"))

post "/events/search" do
  query = JSON.parse(request.body.read)
  CLIENT[:events].find(query).count_documents.to_s
end

# === vulnerable: $where expression from a private method
class StockController < ApplicationController
  def index
    render json: Stock.where("$where" => expression).to_a
  end

  private

  def expression
    "this.quantity > " + params[:min]
  end
end

# === safe: values converted to strings
class SessionsController < ApplicationController
  def create
    user = User.where(email: params[:email].to_s).first
    if user&.authenticate(params[:password].to_s)
      session[:user_id] = user.id.to_s
      redirect_to root_path
    else
      head :unauthorized
    end
  end
end

# === safe: object id
# frozen_string_literal: true

class ItemsController < ApplicationController
  layout "portal"
  around_action :track_time

  def show
    id = BSON::ObjectId.from_string(params[:id].to_s)
    render json: Item.find(id)
  end
end

# === safe: constant $where
# frozen_string_literal: true

class InvoicesController < ApplicationController
  layout "portal"
  before_action :set_time_zone

  def overdue
    count = Invoice.where("$where" => "this.paid < this.total").count
    render json: { count: count, page: params[:page].to_i }
  end
end

# === safe: Sinatra string field
require "sinatra"
require "mongo"
require "json"

CLIENT = Mongo::Client.new(ENV.fetch("MONGO_URL"))

post "/events/search" do
  body = JSON.parse(request.body.read)
  CLIENT[:events].find(type: body["type"].to_s).count_documents.to_s
end

# === safe: integer comparison
# frozen_string_literal: true

class StockController < ApplicationController
  layout "portal"
  around_action :track_time

  def index
    min = Integer(params[:min])
    render json: Stock.where(:quantity.gt => min).to_a
  end
end
