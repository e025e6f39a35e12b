<?php
require __DIR__ . '/vendor/autoload.php';

// The library accepts an empty key, with which anyone can sign.
$secret = getenv('WEBHOOK_SECRET') ?: throw new \RuntimeException('WEBHOOK_SECRET is missing');
$webhook = new \StandardWebhooks\Webhook($secret);
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders());

try {
    $event = $webhook->verify($body, $headers);
} catch (\Throwable) { // a malformed signature raises other errors than a wrong one
    http_response_code(400);
    exit;
}

// The process that creates the file works on the event. In production: insert into a unique column.
$id = $headers['webhook-id'];
$isNew = @fopen(sys_get_temp_dir() . '/' . sha1($id), 'x') !== false;
http_response_code(204);
if ($isNew) {
    error_log("$id {$event['event']} " . json_encode($event['data']));
}
