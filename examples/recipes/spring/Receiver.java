package example;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Receiver {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Webhook webhook;

    // The library refuses an empty secret, with which anyone could sign.
    public Receiver() throws EmptyWebhookSecretException {
        webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
    }

    public static void main(String[] args) {
        SpringApplication.run(Receiver.class, args);
    }

    // The raw body: a parsed one no longer matches.
    @PostMapping("/hook")
    ResponseEntity<Void> hook(
            @RequestBody byte[] body, @RequestHeader MultiValueMap<String, String> headers) {
        String event = new String(body, StandardCharsets.UTF_8);
        HttpHeaders received = HttpHeaders.of(headers, (name, value) -> true);
        try {
            webhook.verify(event, received);
        } catch (WebhookVerificationException | RuntimeException exception) {
            return ResponseEntity.badRequest().build();
        }
        String id = received.firstValue("webhook-id").orElseThrow();
        if (seen.add(id)) CompletableFuture.runAsync(() -> work(id, event));
        return ResponseEntity.noContent().build();
    }

    /** Your own work, after the answer. In production, a job in a queue. */
    private static void work(String id, String event) {
        try {
            Thread.sleep(Long.parseLong(System.getenv().getOrDefault("WORK_SECONDS", "0")) * 1000);
        } catch (InterruptedException exception) {
            Thread.currentThread().interrupt();
        }
        System.out.println(id + " " + event.replaceFirst("(?s).*?\"event\":\"(\\w+)\".*", "$1"));
    }
}
