import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;

/** Draws `in.json` as `out.pdf` with Apache PDFBox. */
class DrawPdfBox {
  private static final Map<String, FontName> STANDARD = Map.of("sans", FontName.HELVETICA, "sans-bold",
      FontName.HELVETICA_BOLD, "serif", FontName.TIMES_ROMAN, "serif-bold", FontName.TIMES_BOLD, "mono",
      FontName.COURIER, "mono-bold", FontName.COURIER_BOLD);

  public static void main(String[] args) throws IOException {
    Drawing drawing = Drawing.read();
    try (PDDocument out = new PDDocument()) {
      out.getDocumentInformation().setTitle(drawing.title());
      Map<String, PDFont> fonts = new HashMap<>();
      for (Drawing.Sheet sheet : drawing.sheets()) {
        PDPage page = new PDPage(new PDRectangle(sheet.width(), sheet.height()));
        out.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(out, page)) {
          for (Drawing.Mark mark : sheet.marks()) draw(content, out, drawing, fonts, mark, sheet.height() - mark.y());
        }
      }
      out.save("out.pdf");
    }
  }

  private static void draw(PDPageContentStream content, PDDocument out, Drawing drawing, Map<String, PDFont> fonts,
      Drawing.Mark mark, float top) throws IOException {
    float[] colour = mark.isRect() ? mark.fill() : mark.colour();
    content.setNonStrokingColor(colour[0], colour[1], colour[2]);
    if (mark.isRect()) {
      content.addRect(mark.x(), top - mark.height(), mark.width(), mark.height());
      content.fill();
      return;
    }
    if (!fonts.containsKey(mark.face())) fonts.put(mark.face(), fontOf(out, drawing, mark.face()));
    PDFont font = fonts.get(mark.face());
    float left = mark.isRight() ? mark.x() - font.getStringWidth(mark.text()) / 1000 * mark.size() : mark.x();
    content.beginText();
    content.setFont(font, mark.size());
    content.newLineAtOffset(left, top);
    content.showText(mark.text());
    content.endText();
  }

  private static PDFont fontOf(PDDocument out, Drawing drawing, String face) throws IOException {
    if (drawing.fonts() == null || face.startsWith("mono")) return new PDType1Font(STANDARD.get(face));
    return PDType0Font.load(out, new File(face.endsWith("bold") ? drawing.fonts().bold() : drawing.fonts().regular()));
  }
}
