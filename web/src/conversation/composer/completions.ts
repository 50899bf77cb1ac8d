/** What could be meant by what is typed before the caret, and what the text is once it is chosen. */

import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, type Schemas } from "@/api/client";
import type { Choice } from "@/conversation/composer/Choices";
import { mentionAt, type Typed, withMention } from "@/conversation/composer/mentions";
import { fittingOf, type SlashCommand } from "@/conversation/composer/slash";
import { ownerOf } from "@/conversation/transcript/commands";

/** The choices that there are; `taken` is the text with one of them. */
export interface Completions {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly note: string;
  readonly taken: (index: number) => Typed;
}

const SHOWN = 20;
const PAUSE_MS = 120;
const FRESH_MS = 10_000;

/** Return what could be meant: commands where the text begins with a slash, else files after `@`. */
export function useCompletions(
  typed: Typed,
  session: string,
  commands: readonly SlashCommand[],
): Completions {
  const mention = mentionAt(typed);
  const found = useFiles(session, mention?.query ?? null);
  const fitting = fittingOf(typed.text, commands);
  if (fitting.length > 0 || mention === null) {
    return ofCommands(fitting, typed);
  }
  const paths = found.paths ?? [];
  const left = (found.total ?? 0) - paths.length;
  return {
    label: "Files",
    choices: paths.map((path) => ({ key: path })),
    note: paths.length > 0 && left > 0 ? `${left} more: keep typing to narrow` : "",
    taken: (index) => withMention(typed, mention, paths[index] ?? ""),
  };
}

function ofCommands(fitting: readonly SlashCommand[], typed: Typed): Completions {
  return {
    label: "Commands",
    choices: fitting.map(({ name, argument, description, run }) => ({
      key: name,
      argument,
      description: run === undefined ? `${description} · agent command` : description,
    })),
    note: "",
    taken: (index) => {
      const command = fitting[index];
      if (command === undefined) {
        return typed;
      }
      const text = command.argument === "" ? command.name : `${command.name} `;
      return { text, caret: text.length };
    },
  };
}

const NOTHING: Partial<Schemas["FoundFiles"]> = {};

/** The files of a session's worktree that fit; nothing while no name is being typed. */
function useFiles(session: string, query: string | null): Partial<Schemas["FoundFiles"]> {
  const [asked] = useDebouncedValue(query, PAUSE_MS);
  const found = useQuery({
    queryKey: ["files", session, asked],
    queryFn: () => filesOf(session, asked ?? ""),
    enabled: query !== null && asked !== null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  });
  return query === null ? NOTHING : (found.data ?? NOTHING);
}

function filesOf(session: string, query: string): Promise<Schemas["FoundFiles"]> {
  const { top: thread, task, number } = ownerOf(session);
  const asked = { query, limit: SHOWN };
  return task === null
    ? get("/v1/threads/{thread}/sessions/{number}/files", {
        path: { thread, number },
        query: asked,
      })
    : get("/v1/threads/{thread}/tasks/{task}/files", { path: { thread, task }, query: asked });
}
