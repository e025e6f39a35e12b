<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

// Add this route to routes/web.php. Without its middleware, no CSRF token is asked for: the signature takes its place.
Route::post('/hook', function (Request $request) {
    abort_if(strlen($request->getContent()) > 2 ** 20, 413);
    $event = verifiedEvent($request, env('WEBHOOK_SECRET'));

    // The process that creates the file works on the event. In production: insert into a unique column.
    $id = $request->header('webhook-id');
    if (@fopen(storage_path('app/'.sha1($id)), 'x') !== false) {
        // Your own work, after the answer. In production, a job in a queue.
        app()->terminating(function () use ($id, $event) {
            sleep((int) env('WORK_SECONDS', 0));
            file_put_contents('php://stderr', "$id {$event['event']}\n");
        });
    }
    return response()->noContent();
})->withoutMiddleware('web');

/** The event of a delivery that our secret signs; anything else is answered with 400. */
function verifiedEvent(Request $request, string $secret): array
{
    [$id, $timestamp, $signatures] = array_map(
        fn (string $name) => (string) $request->header("webhook-$name"),
        ['id', 'timestamp', 'signature'],
    );
    abort_if(abs(time() - (int) $timestamp) > 5 * 60, 400);

    // A secret in plain text is itself the key.
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    abort_if($key === false || $key === '', 500, 'WEBHOOK_SECRET is not base64.');
    $hmac = hash_hmac('sha256', "$id.$timestamp.{$request->getContent()}", $key, true);
    $expected = 'v1,'.base64_encode($hmac);
    // During a rotation, several secrets sign.
    $matching = array_filter(explode(' ', $signatures), fn (string $given) => hash_equals($expected, $given));
    abort_if($matching === [], 400);

    return json_decode($request->getContent(), true, 512, JSON_THROW_ON_ERROR);
}
