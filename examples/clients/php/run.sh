php story.php
