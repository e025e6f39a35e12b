import org.openapitools.client.apis.ApplicationsApi
import org.openapitools.client.apis.AuthenticationApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.models.ApplicationDraft
import org.openapitools.client.models.ApplicationDraftTenant

fun main() {
    val address = System.getenv("BASE_URL")
    ApiClient.username = System.getenv("CLIENT_ID")
    ApiClient.password = System.getenv("CLIENT_SECRET")
    val issued = AuthenticationApi(address).generateToken().data
    ApiClient.username = null
    ApiClient.accessToken = issued.accessToken

    val applications = ApplicationsApi(address)
    val tenants = listOf(
        ApplicationDraftTenant("amina.diallo@mail.example", isLead = true),
        ApplicationDraftTenant("noah.meyer@mail.example"),
    )
    val created = applications.createApplication(ApplicationDraft("Studio", tenants)).data
    val found = applications.getApplication(created.applicationId).data
    println("${found.title} (${found.applicationId})")
    for (person in found.participants) println("  ${person.email}: ${person.consentStatus.value}")
}
