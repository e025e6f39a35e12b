# Draws `in.json` as `out.pdf` with Prawn.
require 'json'
require 'prawn'

FONTS = { 'sans' => 'Helvetica', 'serif' => 'Times-Roman', 'mono' => 'Courier' }.freeze
Prawn::Fonts::AFM.hide_m17n_warning = true

def hex(colour)
  colour.map { |part| format('%02x', (part * 255).round) }.join
end

drawing = JSON.parse(File.read('in.json'))
out = Prawn::Document.new(skip_page_creation: true, margin: 0, compress: true, info: { Title: drawing['title'] })
drawing['sheets'].each do |sheet|
  out.start_new_page(size: [sheet['width'], sheet['height']], margin: 0)
  sheet['marks'].each do |mark|
    top = sheet['height'] - mark['y']
    if mark['kind'] == 'rect'
      out.fill_color(hex(mark['fill']))
      out.fill_rectangle([mark['x'], top], mark['width'], mark['height'])
    else
      face, bold = mark['face'].split('-')
      out.fill_color(hex(mark['colour']))
      out.font(FONTS[face], style: bold ? :bold : :normal, size: mark['size']) do
        left = mark['align'] == 'right' ? mark['x'] - out.width_of(mark['text']) : mark['x']
        out.draw_text(mark['text'], at: [left, top])
      end
    end
  end
end
out.render_file('out.pdf')
