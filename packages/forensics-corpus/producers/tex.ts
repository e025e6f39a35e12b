import type { Colour, Drawing, Face, Mark } from '../drawing.ts';

const families = { sans: 'lmss', serif: 'lmr', mono: 'lmtt' } as const;

/** Each text at its position, in Latin Modern. For pdfLaTeX and LuaLaTeX. */
export function texOf({ title, sheets }: Drawing): string {
  const pages = sheets.map(
    ({ width, height, marks }) =>
      String.raw`\pagewidth=${width}bp \pageheight=${height}bp
\AddToHookNext{shipout/background}{\setlength{\unitlength}{1bp}${marks.map(element).join('\n')}}
\null\newpage`,
  );
  return String.raw`\documentclass{article}
\usepackage{color}
\ifdefined\directlua\else
\usepackage[T1]{fontenc}\let\pagewidth\pdfpagewidth \let\pageheight\pdfpageheight
\pdfinfo{/Title (${letters(title)})}
\fi
\usepackage{textcomp}
\pagestyle{empty}
\begin{document}
${pages.join('\n')}
\end{document}
`;
}

function element(mark: Mark): string {
  if (mark.kind === 'picture') return '';
  if (mark.kind === 'rect')
    return String.raw`\put(${mark.x},${-(mark.y + mark.height)}){${colour(mark.fill)}\rule{${mark.width}bp}{${mark.height}bp}}`;
  const { x, y, size, face, text, align } = mark;
  const series = face.endsWith('bold') ? 'bx' : 'm';
  const font = String.raw`\fontfamily{${family(face)}}\fontseries{${series}}\fontsize{${size}bp}{${size}bp}\selectfont{}`;
  return String.raw`\put(${x},${-y}){\makebox(0,0)[b${align === 'left' ? 'l' : 'r'}]{\smash{${colour(mark.colour)}${font}${escaped(text)}}}}`;
}

function family(face: Face): string {
  return families[face.startsWith('sans') ? 'sans' : face.startsWith('serif') ? 'serif' : 'mono'];
}

function colour(parts: Colour): string {
  return String.raw`\color[rgb]{${parts.join(',')}}`;
}

const commands: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '^': String.raw`\textasciicircum{}`,
  '~': String.raw`\textasciitilde{}`,
  "'": String.raw`\textquotesingle{}`,
  '`': String.raw`\textasciigrave{}`,
  '"': String.raw`\textquotedbl{}`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '|': String.raw`\textbar{}`,
  '€': String.raw`\texteuro{}`,
};

/** Every space counts, and no two signs become one. */
function escaped(text: string): string {
  return text
    .replace(/[\\^~'`"<>|€]/g, (letter) => commands[letter] ?? letter)
    .replace(/[#$%&_]/g, String.raw`\$&`)
    .replace(/[-,](?=[-,])/g, '$&{}')
    .replace(/[ \u{a0}]/gu, String.raw`\ `);
}

/** For a string of the file's information. */
function letters(title: string): string {
  return title.replace(/[^\w .,-]/g, '');
}
