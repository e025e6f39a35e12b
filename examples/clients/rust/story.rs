use openapi::apis::{applications_api, authentication_api, configuration::Configuration};
use openapi::models::{ApplicationDraft, ApplicationDraftTenant};
use std::{env, error::Error};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut configuration = Configuration::new();
    configuration.base_path = env::var("BASE_URL")?;
    configuration.basic_auth = Some((env::var("CLIENT_ID")?, env::var("CLIENT_SECRET").ok()));
    let issued = authentication_api::generate_token(&configuration).await?;
    configuration.basic_auth = None;
    configuration.bearer_access_token = Some(issued.data.access_token);

    let mut lead = ApplicationDraftTenant::new("amina.diallo@mail.example".into());
    lead.is_lead = Some(true);
    let other = ApplicationDraftTenant::new("noah.meyer@mail.example".into());
    let draft = ApplicationDraft::new("Studio".into(), vec![lead, other]);
    let created = applications_api::create_application(&configuration, draft).await?;
    let found = applications_api::get_application(&configuration, &created.data.application_id).await?;
    println!("{} ({})", found.data.title, found.data.application_id);
    for person in &found.data.participants {
        println!("  {}: {}", person.email, person.consent_status);
    }
    Ok(())
}
