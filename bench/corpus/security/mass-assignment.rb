# === vulnerable: permit!
# frozen_string_literal: true

class UsersController < ApplicationController
  layout "portal"
  around_action :track_time

  def create
    @user = User.create!(params.require(:user).permit!)
    render json: @user, status: :created
  end
end

# === vulnerable: to_unsafe_h
# frozen_string_literal: true

class ProfilesController < ApplicationController
  def update
    attributes = params[:profile].to_unsafe_h
    current_user.update!(attributes)
    redirect_to profile_path
  end
end

# === vulnerable: admin permitted
class AccountsController < ApplicationController
  def update
    current_user.update!(account_params)
    redirect_to account_path
  end

  private

  def account_params
    params.require(:account).permit(:name, :email, :admin, :role)
  end
end

# === vulnerable: permit all parameters
# frozen_string_literal: true

class Application < Rails::Application
  config.load_defaults 7.1
  config.action_controller.permit_all_parameters = true
  config.time_zone = "Berlin"

  def self.version
    "2.4.1"
  end
end

# === vulnerable: Sinatra with all params
require "sinatra"
require "sinatra/activerecord"

class Member < ActiveRecord::Base; end

post "/members" do
  member = Member.new(params)
  member.save!
  status 201
end

# === vulnerable: assign_attributes from parsed JSON
class MembersController < ApplicationController
  def update
    member = Member.find(params[:id])
    member.assign_attributes(JSON.parse(request.raw_post))
    member.save!
    head :no_content
  end
end

# === safe: permit list
# frozen_string_literal: true

class UsersController < ApplicationController
  layout "portal"
  around_action :track_time

  def create
    @user = User.create!(params.require(:user).permit(:name, :email))
    render json: @user, status: :created
  end
end

# === safe: slice of attributes
class MembersController < ApplicationController
  def update
    member = Member.find(params[:id])
    member.assign_attributes(JSON.parse(request.raw_post).slice("name", "city"))
    member.save!
    head :no_content
  end
end

# === safe: single attributes
class PostsController < ApplicationController
  def create
    post = current_user.posts.new
    post.title = params[:title]
    post.body = params[:body]
    post.save!
    redirect_to post
  end
end

# === safe: params.expect
# frozen_string_literal: true

class ProfilesController < ApplicationController
  layout "portal"
  around_action :track_time

  def update
    current_user.update!(params.expect(profile: %i[name bio]))
    redirect_to profile_path
  end
end

# === safe: Sinatra with named fields
# frozen_string_literal: true

require "sinatra"
require "sinatra/activerecord"

class Member < ActiveRecord::Base; end

post "/members" do
  Member.create!(name: params[:name], city: params[:city])
  status 201
end

# === vulnerable: a member can say which role it has
class MembersController < ApplicationController
  def update
    member = current_team.members.find(params[:id])
    attributes = params[:member].to_unsafe_h
    if member.update(attributes)
      redirect_to member
    else
      render :edit, status: :unprocessable_entity
    end
  end
end

# === safe: a member can change its name
class MembersController < ApplicationController
  def update
    member = current_team.members.find(params[:id])
    member.update!(params.expect(member: [:name, :mail]))
    redirect_to member
  end
end
