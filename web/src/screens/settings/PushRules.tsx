/** Which news a browser takes, and when. */

import { Button, MultiSelect, NativeSelect, TagsInput, TextInput } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { useSuggestedRepositories } from "@/api/resources";
import classes from "@/screens/settings/settings.module.css";
import { KINDS } from "@/ui/inbox_items";

export type Rules = Schemas["PushRulesBody"];

const CONTENT = [
  { value: "kind", label: "Only the kind" },
  { value: "title", label: "The kind and the thread's title" },
  { value: "full", label: "Also what is asked, and the repository" },
];

/** All news, at any time. */
export const EVERYTHING: Rules = {
  content: "title",
  kinds: [],
  projects: [],
  quiet: "",
  digest: "",
  zone: "",
};

interface Props {
  readonly rules: Rules;
  readonly onChange: (rules: Rules) => void;
  /** Saves them; absent where there is nothing to save. */
  readonly onSave: (() => void) | undefined;
}

/** Choose the rules of a browser; closed at first, for all news come without any. */
export function PushRules({ rules, onChange, onSave }: Props) {
  const repositories = useSuggestedRepositories();
  const choose = (more: Partial<Rules>) => onChange({ ...rules, ...more });
  return (
    <details>
      <summary>Rules of this browser</summary>
      <div className={classes.rules}>
        <NativeSelect
          size="xs"
          label="What a notification says"
          data={CONTENT}
          value={rules.content}
          onChange={({ currentTarget }) =>
            choose({ content: currentTarget.value as Rules["content"] })
          }
        />
        <MultiSelect
          size="xs"
          label="Kinds"
          placeholder={rules.kinds.length === 0 ? "All" : ""}
          data={KINDS}
          value={[...rules.kinds]}
          onChange={(kinds) => choose({ kinds: kinds as Rules["kinds"] })}
        />
        <TagsInput
          size="xs"
          label="Repositories"
          description="By path, URL or last name."
          placeholder={rules.projects.length === 0 ? "All" : ""}
          data={[...repositories]}
          value={[...rules.projects]}
          onChange={(projects) => choose({ projects })}
        />
        <TextInput
          size="xs"
          label="Quiet hours"
          description="What still waits afterwards is told then."
          placeholder="22:00-07:00"
          value={rules.quiet}
          onChange={({ currentTarget }) => choose({ quiet: currentTarget.value.trim() })}
        />
        <TextInput
          size="xs"
          type="time"
          label="One digest a day, at"
          description="In place of a notification for each; empty for none."
          value={rules.digest}
          onChange={({ currentTarget }) => choose({ digest: currentTarget.value })}
        />
        <Button variant="default" disabled={onSave === undefined} onClick={onSave}>
          Save the rules
        </Button>
      </div>
    </details>
  );
}
