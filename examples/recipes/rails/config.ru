require "action_controller/railtie"
require "standardwebhooks"

class Receiver < Rails::Application
  config.load_defaults 7.2
  config.eager_load = false
  config.hosts.clear
  config.logger = Logger.new(nil)
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE", "only for this example")
  routes.append { post "/hook", to: "hooks#create" }
end

# ActionController::API checks no token: the signature takes its place.
class HooksController < ActionController::API
  WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))
  SEEN = Concurrent::Map.new
  MAX_BYTES = 2**20

  def create
    return head :content_too_large if request.content_length.to_i > MAX_BYTES

    names = %w[webhook-id webhook-timestamp webhook-signature]
    event = WEBHOOK.verify(request.raw_post, names.to_h { |name| [name, request.headers[name]] })
    id = request.headers["webhook-id"]
    Thread.new { work(id, event) } unless SEEN.put_if_absent(id, true)
    head :no_content
  rescue StandardError
    head :bad_request
  end

  private

  # Your own work, after the answer. In production, a job in a queue.
  def work(id, event)
    sleep ENV.fetch("WORK_SECONDS", "0").to_f
    $stdout.puts "#{id} #{event[:event]}"
    $stdout.flush
  end
end

Rails.application.initialize!
run Rails.application
