composer create-project --quiet --no-interaction --prefer-dist 'laravel/laravel:^11' app
cd app
composer require --quiet --no-interaction standard-webhooks/standard-webhooks
tail -n +2 ../hook.php >> routes/web.php
