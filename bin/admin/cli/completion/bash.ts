import type { Place, Value } from './places.ts';

/** Works with bash 3.2 and later. */
export function bashScript(places: readonly Place[]): string {
  return `# Completes screening-admin in bash. To have it in every shell, put this line into ~/.bashrc:
#   source <(screening-admin completion bash)
_screening_admin() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} word said=() words= files=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || said+=("$word")
  done
  case "\${said[0]-} \${said[1]-} $previous" in
${places.flatMap(({ typedWords, values }) => values.map((value) => valueCase(typedWords, value))).join('\n')}
    *)
      case "\${said[0]-} \${said[1]-}" in
${places.map(wordsCase).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $files && $current != -* ]]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _screening_admin screening-admin`;
}

function valueCase(typedWords: string, { flags, choices, isFile }: Value): string {
  const patterns = flags.map((flag) => `'${typedWords} ${flag}'`).join('|');
  return `    ${patterns}) ${offer(choices, isFile)}`;
}

function wordsCase({ typedWords, words, takesFile }: Place): string {
  return `        '${typedWords}') ${offer(
    words.map(({ text }) => text),
    takesFile,
  )}`;
}

function offer(words: readonly string[], files: boolean): string {
  return `words='${words.join(' ')}'${files ? ' files=yes' : ''} ;;`;
}
