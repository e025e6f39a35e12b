require "action_controller/railtie"

class Receiver < Rails::Application
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = false
  config.hosts.clear
  config.logger = Logger.new(nil)
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE", "only for this example")
  routes.append { post "/hook", to: "hooks#create" }
end

# ActionController::API checks no CSRF token: the signature takes its place.
class HooksController < ActionController::API
  # A secret in plain text is itself the key.
  KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m0")
  raise "WEBHOOK_SECRET is empty" if KEY.empty?

  TOLERANCE_SECONDS = 5 * 60
  MAX_BYTES = 2**20
  SEEN = Concurrent::Map.new

  def create
    return head 413 if request.content_length.to_i > MAX_BYTES

    id, timestamp, signatures = %w[id timestamp signature].map { |name| request.headers["webhook-#{name}"].to_s }
    body = request.raw_post
    return head 400 unless signed?(id, timestamp, signatures, body)

    # In production: insert the id into a unique column.
    Thread.new { work(id, JSON.parse(body)) } unless SEEN.put_if_absent(id, true)
    head 204
  end

  private

  def signed?(id, timestamp, signatures, body)
    return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

    hmac = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)
    expected = "v1,#{[hmac].pack("m0")}"
    # During a rotation, several secrets sign.
    signatures.split.any? { |given| ActiveSupport::SecurityUtils.secure_compare(given, expected) }
  end

  # Your own work, after the answer. In production, a job in a queue.
  def work(id, event)
    sleep ENV.fetch("WORK_SECONDS", "0").to_f
    $stdout.puts "#{id} #{event["event"]}"
    $stdout.flush
  end
end

Rails.application.initialize!
run Rails.application
