# The development server works on one request at a time unless told otherwise.
export PHP_CLI_SERVER_WORKERS=4
[ ! -d app ] || cd app
[ -d public ] || exec php -S "127.0.0.1:$PORT" debian.php
exec php -S "127.0.0.1:$PORT" -t public vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php
