# === vulnerable: rand for a reset code
# frozen_string_literal: true

class PasswordResetsController < ApplicationController
  def create
    user = User.find_by!(email: params[:email])
    user.update!(reset_code: rand(100_000..999_999))
    head :accepted
  end
end

# === vulnerable: Random.new token
# frozen_string_literal: true

class ApiKey
  CHARS = [*"a".."z", *"0".."9"].freeze

  def self.generate_token
    random = Random.new
    Array.new(32) { CHARS[random.rand(CHARS.size)] }.join
  end
end

# === vulnerable: shuffle for a password
# frozen_string_literal: true

class InvitesController < ApplicationController
  def create
    password = ("a".."z").to_a.shuffle.first(12).join
    User.create!(email: params[:email], password: password)
    head :created
  end
end

# === vulnerable: Kernel.rand in a session id
# frozen_string_literal: true

require "sinatra"
require "digest"

post "/login" do
  session_id = Digest::SHA256.hexdigest("#{Time.now.to_f}#{Kernel.rand}")
  response.set_cookie("sid", value: session_id, secure: true, httponly: true)
  status 204
end

# === vulnerable: sample for an OTP
# frozen_string_literal: true

module Otp
  def self.generate
    otp = 6.times.map { (0..9).to_a.sample }.join
    otp
  end

  def self.version
    "2.4.1"
  end
end

# === vulnerable: Random.bytes with a seed as key
# frozen_string_literal: true

require "openssl"

class KeyStore
  def encryption_key
    Random.srand(Time.now.to_i)
    Random.new(Time.now.to_i).bytes(32)
  end
end

# === safe: SecureRandom hex
# frozen_string_literal: true

class PasswordResetsController < ApplicationController
  def create
    user = User.find_by!(email: params[:email])
    user.update!(reset_token: SecureRandom.hex(32))
    head :accepted
  end
end

# === safe: SecureRandom number for a code
# frozen_string_literal: true

module Otp
  def self.generate
    format("%06d", SecureRandom.random_number(1_000_000))
  end

  def self.version
    "2.4.1"
  end
end

# === safe: rand for jitter
class Retry
  def self.call(attempts: 3)
    tries = 0
    begin
      yield
    rescue IOError
      tries += 1
      sleep(0.1 + rand * 0.2)
      retry if tries < attempts
    end
  end
end

# === safe: sample of banners
# frozen_string_literal: true

class HomeController < ApplicationController
  BANNERS = %w[spring summer autumn].freeze

  def index
    @banner = BANNERS.sample
    @tips = Tip.all.to_a.shuffle.first(3)
  end
end

# === safe: has_secure_token
# frozen_string_literal: true

class ApiKey < ApplicationRecord
  belongs_to :user
  has_secure_token :value, length: 36

  def self.title
    name.to_s
  end
end

# === safe: SecureRandom as random source
# frozen_string_literal: true

class InvitesController < ApplicationController
  def create
    password = ("a".."z").to_a.shuffle(random: SecureRandom).first(16).join
    User.create!(email: params[:email], password: password)
    head :created
  end
end

# === vulnerable: a password for a new member
class Invitation
  LETTERS = [*"a".."z", *"0".."9"].freeze

  def self.for(mail)
    password = Array.new(10) { LETTERS[rand(LETTERS.size)] }.join
    member = Member.create!(mail: mail, password: password)
    InvitationMailer.with(member: member, password: password).welcome.deliver_later
  end
end

# === safe: a password for a new member, from the system
class Invitation
  def self.for(mail)
    password = SecureRandom.alphanumeric(20)
    colour = %w[red green blue].sample
    Member.create!(mail: mail, password: password, colour: colour)
  end
end
