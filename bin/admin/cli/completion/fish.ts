import type { Place, Value, Word } from './places.ts';

export function fishScript(places: readonly Place[]): string {
  return `# Completes screening-admin in fish. To have it in every shell:
#   screening-admin completion fish > ~/.config/fish/completions/screening-admin.fish
function __screening_admin_at
    set -l said
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; or set -a said $word
    end
    test "$said[1] $said[2]" = "$argv[1]"
end
complete -c screening-admin -f
${places.map(linesOf).join('\n')}`;
}

function linesOf({ typedWords, words, values, takesFile }: Place): string {
  const at = `complete -c screening-admin -n ${quoted(`__screening_admin_at ${quoted(typedWords)}`)}`;
  const withValue = new Set(values.flatMap(({ flags }) => flags));
  return [
    ...words.filter(({ text }) => !withValue.has(text)).map((word) => `${at} ${plainWord(word)}`),
    ...values.map((value) => `${at} ${valueWord(value)}`),
    ...(takesFile ? [`${at} -F`] : []),
  ].join('\n');
}

function plainWord({ text, description }: Word): string {
  const offer = text.startsWith('-') ? flagWord(text) : `-a ${quoted(text)}`;
  return `${offer} -d ${quoted(description)}`;
}

function valueWord({ flags, description, choices, isFile }: Value): string {
  const value = isFile ? '-r -F' : choices.length > 0 ? `-x -a ${quoted(choices.join(' '))}` : '-x';
  return `${flags.map(flagWord).join(' ')} ${value} -d ${quoted(description)}`;
}

function flagWord(flag: string): string {
  return flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
