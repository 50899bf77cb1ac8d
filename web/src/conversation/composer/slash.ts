/** Slash commands as they are typed: which one it is, and which fit what was typed so far; pure. */

/** A command that a message can begin with. */
export interface SlashCommand {
  /** With its slash: `/plan`, `/plan pause`. */
  readonly name: string;
  /** What comes after it, in capitals; empty where nothing does. */
  readonly argument: string;
  readonly description: string;
  /** Carries it out and says what came of it; one of the agent's own has none and is sent to it. */
  readonly run?: (commandId: string, argument: string) => Promise<string>;
}

/** A command as it was typed. */
export interface Typed {
  readonly command: SlashCommand;
  readonly argument: string;
}

const SHAPE = /^\/[a-z][\w:-]*(\s|$)/i;

/** Tell whether a text is meant as a command: a path such as `/etc/hosts` is not. */
export function isSlash(text: string): boolean {
  return SHAPE.test(text);
}

/** Return the command that a text begins with, the longest name first: `/plan pause` is not a goal. */
export function commandOf(text: string, commands: readonly SlashCommand[]): Typed | null {
  const typed = text.trim();
  const fitting = commands
    .filter(({ name, argument }) => typed === name || (argument !== "" && startsWith(typed, name)))
    .toSorted((a, b) => b.name.length - a.name.length);
  const [command] = fitting;
  return command === undefined
    ? null
    : { command, argument: typed.slice(command.name.length).trim() };
}

function startsWith(typed: string, name: string): boolean {
  return typed.startsWith(`${name} `) || typed.startsWith(`${name}\n`);
}

/** Return the commands that what was typed so far can become; none once an argument is typed. */
export function fittingOf(
  text: string,
  commands: readonly SlashCommand[],
): readonly SlashCommand[] {
  if (!text.startsWith("/") || text.includes("\n")) {
    return [];
  }
  const typed = text.toLowerCase();
  return commands.filter(({ name }) => name.startsWith(typed) && name !== typed);
}
