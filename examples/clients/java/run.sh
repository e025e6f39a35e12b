java -cp 'client/target/*:client/target/dependency/*' Story.java
