exec java -jar target/receiver-1.jar --server.address=127.0.0.1 --server.port="$PORT"
