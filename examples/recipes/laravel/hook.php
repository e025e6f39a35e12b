<?php

use Illuminate\Foundation\Http\Middleware\ValidateCsrfToken;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use StandardWebhooks\Webhook;

// Add this route to routes/web.php. The signature takes the place of the CSRF token.
Route::post('/hook', function (Request $request) {
    $headers = array_map(fn (array $values) => $values[0], $request->headers->all());
    try {
        $event = (new Webhook(env('WEBHOOK_SECRET')))->verify($request->getContent(), $headers);
    } catch (\Throwable) { // a malformed signature raises other errors than a wrong one
        return response()->noContent(400);
    }
    // The process that creates the file works on the event. In production: insert into a unique column.
    $id = $headers['webhook-id'];
    if (@fopen(storage_path('app/'.sha1($id)), 'x') !== false) {
        // Your own work, after the answer. In production, a job in a queue.
        app()->terminating(function () use ($id, $event) {
            if (function_exists('fastcgi_finish_request')) {
                fastcgi_finish_request();
            }
            sleep((int) env('WORK_SECONDS', 0));
            fwrite(fopen('php://stderr', 'w'), "$id {$event['event']}\n");
        });
    }
    return response()->noContent();
})->withoutMiddleware(ValidateCsrfToken::class);
