package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"story/client"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("BASE_URL"),
		client.WithRequestEditorFn(func(ctx context.Context, request *http.Request) error { return authorize(ctx, request) }))
	check(err, nil)
	issued, err := api.GenerateTokenWithResponse(ctx)
	check(err, issued.Body, issued.JSON200 != nil)
	authorize = func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+issued.JSON200.Data.AccessToken)
		return nil
	}

	lead := true
	created, err := api.CreateApplicationWithResponse(ctx, client.ApplicationDraft{
		Title:   "Studio",
		Tenants: []client.ApplicationDraftTenant{{Email: "amina.diallo@mail.example", IsLead: &lead}, {Email: "noah.meyer@mail.example"}},
	})
	check(err, created.Body, created.JSON200 != nil)
	found, err := api.GetApplicationWithResponse(ctx, created.JSON200.Data.ApplicationId)
	check(err, found.Body, found.JSON200 != nil)
	application := found.JSON200.Data
	fmt.Printf("%s (%s)\n", application.Title, application.ApplicationId)
	for _, person := range application.Participants {
		fmt.Printf("  %s: %s\n", person.Email, person.ConsentStatus)
	}
}

// Ends the program unless the call got the answer that its type describes.
func check(err error, body []byte, expected ...bool) {
	if err != nil {
		log.Fatal(err)
	}
	if len(expected) > 0 && !expected[0] {
		log.Fatal(string(body))
	}
}
