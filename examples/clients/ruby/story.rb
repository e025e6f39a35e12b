require "openapi_client"
require "uri"

address = URI(ENV.fetch("BASE_URL"))
OpenapiClient.configure do |config|
  config.scheme = address.scheme
  config.host = "#{address.host}:#{address.port}"
  config.base_path = address.path
  config.username = ENV.fetch("CLIENT_ID")
  config.password = ENV.fetch("CLIENT_SECRET")
end
issued = OpenapiClient::AuthenticationApi.new.generate_token.data
OpenapiClient.configure { |config| config.access_token = issued.access_token }

applications = OpenapiClient::ApplicationsApi.new
lead = OpenapiClient::ApplicationDraftTenant.new(email: "amina.diallo@mail.example", is_lead: true)
other = OpenapiClient::ApplicationDraftTenant.new(email: "noah.meyer@mail.example")
draft = OpenapiClient::ApplicationDraft.new(title: "Studio", tenants: [lead, other])
created = applications.create_application(draft).data
found = applications.get_application(created.application_id).data
puts "#{found.title} (#{found.application_id})"
found.participants.each { |person| puts "  #{person.email}: #{person.consent_status}" }
