package main

import (
	"cmp"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" { // the library accepts an empty key, with which anyone can sign
		log.Fatal("WEBHOOK_SECRET is missing")
	}
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		log.Fatal(err)
	}
	var seen sync.Map

	http.HandleFunc("POST /hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}

		id := r.Header.Get("webhook-id")
		_, known := seen.LoadOrStore(id, true)
		w.WriteHeader(http.StatusNoContent)
		if known {
			return
		}
		var event struct {
			Event string
			Data  json.RawMessage
		}
		if json.Unmarshal(body, &event) == nil {
			log.Println(id, event.Event, string(event.Data))
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}
