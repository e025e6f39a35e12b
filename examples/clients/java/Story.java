import java.util.List;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.auth.*;
import org.openapitools.client.model.*;

class Story {
  public static void main(String[] args) throws ApiException {
    ApiClient client = Configuration.getDefaultApiClient().setBasePath(System.getenv("BASE_URL"));
    client.setUsername(System.getenv("CLIENT_ID"));
    client.setPassword(System.getenv("CLIENT_SECRET"));
    var token = new AuthenticationApi(client).generateToken().getData().getAccessToken();
    ((HttpBearerAuth) client.getAuthentication("accessToken")).setBearerToken(token);

    var applications = new ApplicationsApi(client);
    var lead = new ApplicationDraftTenant().email("amina.diallo@mail.example").isLead(true);
    var other = new ApplicationDraftTenant().email("noah.meyer@mail.example");
    var created = applications.createApplication(new ApplicationDraft().title("Studio").tenants(List.of(lead, other)));
    var found = applications.getApplication(created.getData().getApplicationId()).getData();
    System.out.printf("%s (%s)%n", found.getTitle(), found.getApplicationId());
    for (var person : found.getParticipants()) System.out.printf("  %s: %s%n", person.getEmail(), person.getConsentStatus());
  }
}
