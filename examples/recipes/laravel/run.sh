cd app && exec php -S "127.0.0.1:$PORT" -t public vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php
