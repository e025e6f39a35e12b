import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** `fonts` has the files of fonts to embed, by face; without it, the standard fonts are used. */
record Drawing(String title, List<Sheet> sheets, Fonts fonts) {
  record Sheet(float width, float height, List<Mark> marks) {}

  record Mark(String kind, String text, String face, String align, float x, float y, float width, float height,
      float size, float[] fill, float[] colour) {
    boolean isRect() {
      return kind.equals("rect");
    }

    boolean isRight() {
      return align.equals("right");
    }
  }

  record Fonts(String regular, String bold) {}

  static Drawing read() throws IOException {
    return new Gson().fromJson(Files.readString(Path.of("in.json")), Drawing.class);
  }
}
