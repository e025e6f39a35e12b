target/debug/story
