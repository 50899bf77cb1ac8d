/** Puts a goal or a run of a flow into the queue. */

import { MultiSelect } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useThreads } from "@/api/queries";
import { useSuggestedRepositories } from "@/api/resources";
import { WorkFields } from "@/screens/queue/WorkFields";
import { isWhole, itemOf, NO_WORK, type Work } from "@/screens/queue/work";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";

/** Take work with what it waits for; what was typed outlives a reload. */
export function AddWork({ entries }: { readonly entries: readonly Schemas["EntryView"][] }) {
  const [newest = ""] = useSuggestedRepositories();
  const [draft, setDraft] = useDraft("queue");
  const [work, setWork] = useState<Work>(() => ({ ...NO_WORK, repository: newest, goal: draft }));
  const threads = useThreads() ?? [];
  const command = useCommand((command_id: string, sent: Work) =>
    post("/v1/queue", {}, { command_id, items: [itemOf(command_id, sent)] }),
  );
  const change = (next: Work) => {
    setWork(next);
    setDraft(next.goal);
  };
  const ids = [
    ...new Set([
      ...entries.map(({ entry }) => entry.entry_id),
      ...threads.map((thread) => thread.thread_id),
    ]),
  ];
  const submit = async () => {
    if ((await command.send(work)) !== null) {
      change({ ...NO_WORK, kind: work.kind, repository: work.repository });
    }
  };
  return (
    <Panel title="Add to queue">
      <Form className={classes.form} onSubmit={() => void submit()}>
        <WorkFields work={work} onChange={change} bases={ids} />
        <MultiSelect
          size="xs"
          label="Depends on"
          placeholder={work.after.length === 0 ? "no dependencies" : ""}
          data={ids}
          value={[...work.after]}
          onChange={(after) => change({ ...work, after })}
          searchable
          limit={30}
          withScrollArea={false}
        />
        <div className={classes.line}>
          <CommandButton type="submit" disabled={!isWhole(work)} command={command}>
            Add to queue
          </CommandButton>
          {command.state === "recorded" && <span role="status">Added to the queue.</span>}
        </div>
        <Failure problem={command.problem} note="Your text is saved." />
      </Form>
    </Panel>
  );
}
