import type { Place, Value, Word } from './places.ts';

export function zshScript(places: readonly Place[]): string {
  return `#compdef screening-admin
# Completes screening-admin in zsh. To have it in every shell, put this line into ~/.zshrc, after compinit:
#   source <(screening-admin completion zsh)
_screening_admin() {
  local word
  local -a said found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || said+=("$word")
  done
  case "$said[1] $said[2] $words[CURRENT-1]" in
${places.flatMap(({ typedWords, values }) => values.map((value) => valueCase(typedWords, value))).join('\n')}
  esac
  case "$said[1] $said[2]" in
${places.map(wordsCase).join('\n')}
  esac
}
compdef _screening_admin screening-admin`;
}

function valueCase(typedWords: string, { flags, choices, isFile }: Value): string {
  const patterns = flags.map((flag) => `${quoted(`${typedWords} ${flag}`)}`).join('|');
  const offer = isFile ? '_files' : choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : ':';
  return `    (${patterns}) ${offer}; return ;;`;
}

function wordsCase({ typedWords, words, takesFile }: Place): string {
  const lines = [
    `    (${quoted(typedWords)})`,
    `      found=(${words.map(described).join(' ')})`,
    '      _describe screening-admin found',
    ...(takesFile ? ['      [[ $PREFIX == -* ]] || _files'] : []),
    '      ;;',
  ];
  return lines.join('\n');
}

function described({ text, description }: Word): string {
  return quoted(`${text.replaceAll(':', '\\:')}:${description}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
