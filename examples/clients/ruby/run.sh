ruby -I client/lib story.rb
