/** What is one pull request: a thread, or each of its tasks. */

import { NativeSelect } from "@mantine/core";
import type { Schemas } from "@/api/client";

type PublishAs = Schemas["PublishAs"];

const WAYS: readonly { readonly value: PublishAs; readonly label: string }[] = [
  { value: "thread", label: "One for the whole thread" },
  { value: "tasks", label: "One for each task, stacked" },
];

interface Props {
  readonly value: PublishAs;
  readonly onChange: (chosen: PublishAs) => void;
}

/** Ask which, where both are possible. */
export function Parts({ value, onChange }: Props) {
  return (
    <NativeSelect
      label="Pull requests"
      description={
        value === "tasks"
          ? "Each is against the branch of the one before; they are merged from the first to the last."
          : undefined
      }
      size="xs"
      inputWrapperOrder={["label", "input", "description"]}
      mb="sm"
      data={[...WAYS]}
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === "tasks" ? "tasks" : "thread");
      }}
    />
  );
}
