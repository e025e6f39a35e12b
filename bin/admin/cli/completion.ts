import { Argument, type Command } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { placesOf } from './completion/places.ts';
import { zshScript } from './completion/zsh.ts';
import { example, standalone } from './run-command.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
const shells = Object.keys(scripts);

const NOTES = `
It completes commands, options and their values after the name screening-admin.
If that is not on your PATH, define it:
  alias screening-admin="npm run --silent admin --"

In ~/.bashrc or ~/.zshrc (there after compinit), or once for fish:
  source <(screening-admin completion bash)
  source <(screening-admin completion zsh)
  screening-admin completion fish > ~/.config/fish/completions/screening-admin.fish

Repeat this after an upgrade.`;

/** @param wholeProgram creates the program with the commands of every noun */
export function makeCompletionCommand(completion: Command, wholeProgram: () => Promise<Command>): void {
  completion
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', NOTES)
    .addHelpText('after', example('completion bash', 'completion fish'))
    .action(
      standalone(async (shell: keyof typeof scripts) => {
        const script = scripts[shell](placesOf(await wholeProgram()));
        return { json: { shell, script }, text: script };
      }),
    );
}
