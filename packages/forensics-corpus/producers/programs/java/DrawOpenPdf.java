import com.lowagie.text.Document;
import com.lowagie.text.Rectangle;
import com.lowagie.text.pdf.BaseFont;
import com.lowagie.text.pdf.PdfContentByte;
import com.lowagie.text.pdf.PdfWriter;
import java.awt.Color;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;

/** Draws `in.json` as `out.pdf` with OpenPDF. */
class DrawOpenPdf {
  private static final Map<String, String> FONTS = Map.of("sans", BaseFont.HELVETICA, "sans-bold",
      BaseFont.HELVETICA_BOLD, "serif", BaseFont.TIMES_ROMAN, "serif-bold", BaseFont.TIMES_BOLD, "mono",
      BaseFont.COURIER, "mono-bold", BaseFont.COURIER_BOLD);

  public static void main(String[] args) throws IOException {
    Drawing drawing = Drawing.read();
    Document out = new Document();
    PdfWriter writer = PdfWriter.getInstance(out, new FileOutputStream("out.pdf"));
    out.addTitle(drawing.title());
    for (Drawing.Sheet sheet : drawing.sheets()) {
      out.setPageSize(new Rectangle(sheet.width(), sheet.height()));
      if (out.isOpen()) out.newPage();
      else out.open();
      PdfContentByte content = writer.getDirectContent();
      for (Drawing.Mark mark : sheet.marks()) draw(content, mark, sheet.height() - mark.y());
    }
    out.close();
  }

  private static void draw(PdfContentByte content, Drawing.Mark mark, float top) throws IOException {
    float[] colour = mark.isRect() ? mark.fill() : mark.colour();
    content.setColorFill(new Color(colour[0], colour[1], colour[2]));
    if (mark.isRect()) {
      content.rectangle(mark.x(), top - mark.height(), mark.width(), mark.height());
      content.fill();
      return;
    }
    content.beginText();
    content.setFontAndSize(BaseFont.createFont(FONTS.get(mark.face()), BaseFont.CP1252, BaseFont.NOT_EMBEDDED), mark.size());
    int align = mark.isRight() ? PdfContentByte.ALIGN_RIGHT : PdfContentByte.ALIGN_LEFT;
    content.showTextAligned(align, mark.text(), mark.x(), top, 0);
    content.endText();
  }
}
