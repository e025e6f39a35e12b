export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Code within text. A word too long for half a phone's width may wrap after its underscores and slashes; an option never wraps. */
export function codeHtml(text: string): string {
  const wrapping = text.replace(/\S{23,}/g, (word) => word.replace(/(?<=[\w}])[_/](?=[\w{])/g, '$&\u200b'));
  const html = escapeHtml(wrapping).replaceAll('\u200b', '<wbr>');
  return `<code>${html.replace(/(?<!\S)--?[a-z][\w-]*/g, '<span>$&</span>')}</code>`;
}

/** Plain text in which `...` stands for code. */
export function inlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
