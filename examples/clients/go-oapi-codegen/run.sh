./story
