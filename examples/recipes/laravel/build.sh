# Debian's php-laravel-framework, or an application by Composer.
if [ -e /usr/share/php/Illuminate/autoload.php ]; then
  mkdir -p bootstrap/cache storage/app
else
  composer create-project --quiet --no-interaction --prefer-dist 'laravel/laravel:^11' app
  tail -n +2 hook.php >> app/routes/web.php
fi
