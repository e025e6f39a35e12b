package main

import (
	"context"
	"fmt"
	"log"
	"os"

	screening "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := screening.NewConfiguration()
	configuration.Servers = screening.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := screening.NewAPIClient(configuration)
	basic := screening.BasicAuth{UserName: os.Getenv("CLIENT_ID"), Password: os.Getenv("CLIENT_SECRET")}
	issued, _, err := api.AuthenticationAPI.GenerateToken(context.WithValue(context.Background(), screening.ContextBasicAuth, basic)).Execute()
	check(err)
	ctx := context.WithValue(context.Background(), screening.ContextAccessToken, issued.Data.AccessToken)

	lead := screening.NewApplicationDraftTenant("amina.diallo@mail.example")
	lead.SetIsLead(true)
	tenants := []screening.ApplicationDraftTenant{*lead, *screening.NewApplicationDraftTenant("noah.meyer@mail.example")}
	draft := screening.NewApplicationDraft("Studio", tenants)
	created, _, err := api.ApplicationsAPI.CreateApplication(ctx).ApplicationDraft(*draft).Execute()
	check(err)
	found, _, err := api.ApplicationsAPI.GetApplication(ctx, created.Data.ApplicationId).Execute()
	check(err)
	fmt.Printf("%s (%s)\n", found.Data.Title, found.Data.ApplicationId)
	for _, person := range found.Data.Participants {
		fmt.Printf("  %s: %s\n", person.Email, person.ConsentStatus)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
