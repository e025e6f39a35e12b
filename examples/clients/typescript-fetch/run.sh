node built/story.js
