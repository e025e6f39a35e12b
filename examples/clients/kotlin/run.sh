java -cp 'target/*:target/dependency/*' StoryKt
