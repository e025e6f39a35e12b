package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

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
		if _, known := seen.LoadOrStore(id, true); !known {
			go work(id, body)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}

// Your own work, after the answer. In production, a job in a queue.
func work(id string, body []byte) {
	seconds, _ := time.ParseDuration(cmp.Or(os.Getenv("WORK_SECONDS"), "0") + "s")
	time.Sleep(seconds)
	var event struct{ Event string }
	if json.Unmarshal(body, &event) == nil {
		fmt.Println(id, event.Event)
	}
}
