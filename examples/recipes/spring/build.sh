mkdir -p src/example
cp Receiver.java src/example/
mvn -q -DskipTests package
