<?php

// The smallest application around the route, for Debian's php-laravel-framework, which has no application of its own.
use Illuminate\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken;
use Illuminate\Foundation\Support\Providers\RouteServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Session\Middleware\StartSession;
use Illuminate\Support\Facades\Route;

require 'Illuminate/autoload.php';

class WebKernel extends Kernel
{
    protected $middlewareGroups = ['web' => [StartSession::class, VerifyCsrfToken::class]];
    protected $bootstrappers = [
        Bootstrap\RegisterFacades::class, Bootstrap\RegisterProviders::class, Bootstrap\BootProviders::class,
    ];
}

class Routes extends RouteServiceProvider
{
    public function map(): void
    {
        Route::middleware('web')->group(__DIR__.'/hook.php');
    }
}

$app = new Application(__DIR__);
$app->singleton(ExceptionHandler::class, Handler::class);
$app->instance('config', new Repository([
    'app' => [
        'debug' => false,
        'key' => str_repeat('k', 32),
        'cipher' => 'AES-256-CBC',
        'locale' => 'en',
        'fallback_locale' => 'en',
        'aliases' => [],
        'providers' => [
            Illuminate\Cookie\CookieServiceProvider::class,
            Illuminate\Encryption\EncryptionServiceProvider::class,
            Illuminate\Filesystem\FilesystemServiceProvider::class,
            Illuminate\Foundation\Providers\FoundationServiceProvider::class,
            Illuminate\Session\SessionServiceProvider::class,
            Illuminate\Translation\TranslationServiceProvider::class,
            Illuminate\View\ViewServiceProvider::class,
            Routes::class,
        ],
    ],
    'logging' => ['default' => 'null', 'channels' => ['null' => ['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class]]],
    'session' => ['driver' => 'array', 'cookie' => 'session', 'lottery' => [0, 1], 'lifetime' => 1, 'path' => '/', 'domain' => null],
    'view' => ['paths' => [], 'compiled' => $app->storagePath()],
]));

$kernel = $app->make(WebKernel::class);
$request = Request::capture();
$response = $kernel->handle($request)->send();
$kernel->terminate($request, $response);
