/** What else can be done with plans: another planner, a critique, parts of another plan, auto. */

import { ActionIcon, Group, Menu, Modal, NativeSelect, Textarea } from "@mantine/core";
import { EllipsisVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { post } from "@/api/client";
import { type Command, useCommand } from "@/api/commands";
import { usePlannerContext } from "@/api/resources";
import { setAutoApproval } from "@/api/thread_commands";
import { addPlanner } from "@/plans/commands";
import type { ThreadView } from "@/plans/models";
import type { Planner } from "@/plans/planners";
import { type AgentChoice, AgentPicker, asBody, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";

type Act = "planner" | "critique" | "combine";

interface Props {
  readonly thread: ThreadView;
  readonly planner: Planner;
  readonly planners: readonly Planner[];
}

/** Offer what can be asked of planners and critics. */
export function PlanMenu({ thread, planner, planners }: Props) {
  const [act, setAct] = useState<Act | null>(null);
  const isAuto = thread.running.is_auto;
  const auto = useCommand((id: string) => setAutoApproval(id, thread.thread_id, !isAuto));
  const others = planners.filter(({ newest, letter }) => newest && letter !== planner.letter);
  const close = () => setAct(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="More plan actions">
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAct("planner")}>Add another planner…</Menu.Item>
          <Menu.Item disabled={planner.newest === null} onClick={() => setAct("critique")}>
            Critique plan {planner.letter}…
          </Menu.Item>
          <Menu.Item
            disabled={planner.newest === null || others.length === 0}
            onClick={() => setAct("combine")}
          >
            Combine with another plan…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => void auto.send()}>
            {isAuto ? "Require plan approval" : "Auto-approve plans"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Failure problem={auto.problem} />
      <Modal opened={act !== null} onClose={close} title={titleOf(act, planner)}>
        {act === "planner" && <Another thread={thread} onDone={close} />}
        {act === "critique" && <Critic thread={thread} planner={planner} onDone={close} />}
        {act === "combine" && (
          <Combine thread={thread} planner={planner} others={others} onDone={close} />
        )}
      </Modal>
    </>
  );
}

function titleOf(act: Act | null, { letter }: Planner): string {
  return {
    planner: "Add another planner",
    critique: `Critique plan ${letter}`,
    combine: `Combine plan ${letter} with another plan`,
    "": "",
  }[act ?? ""];
}

interface AskProps {
  readonly thread: ThreadView;
  readonly onDone: () => void;
}

function Another({ thread, onDone }: AskProps) {
  const [agent, setAgent] = useState<AgentChoice>(DEFAULT_AGENT);
  const said = usePlannerContext(thread.thread_id);
  const [edited, setEdited] = useState<string | null>(null);
  const command = useCommand((id: string) =>
    addPlanner(id, thread.thread_id, { ...asBody(agent), context: edited }),
  );
  const context = edited ?? said.data?.text ?? "";
  return (
    <Ask
      command={command}
      onDone={onDone}
      verb="Add planner"
      description="It plans the same goal independently, without changing any files."
    >
      <AgentPicker value={agent} onChange={setAgent} repository={thread.repository} />
      {context !== "" || edited !== null ? (
        <Textarea
          label="What it is told of the chat"
          autosize
          minRows={3}
          maxRows={12}
          value={context}
          onChange={(event) => setEdited(event.currentTarget.value)}
        />
      ) : null}
    </Ask>
  );
}

function Critic({ thread, planner, onDone }: AskProps & { readonly planner: Planner }) {
  const [agent, setAgent] = useState<AgentChoice>(DEFAULT_AGENT);
  const revision = planner.newest?.revision ?? 0;
  const command = useCommand((id: string) =>
    post(
      "/v1/threads/{thread}/plans/{revision}/critiques",
      { thread: thread.thread_id, revision },
      { command_id: id, ...asBody(agent) },
    ),
  );
  return (
    <Ask
      command={command}
      onDone={onDone}
      verb="Request critique"
      description={`An agent looks for problems in revision ${revision}. Its critique appears next to the plan.`}
    >
      <AgentPicker value={agent} onChange={setAgent} repository={thread.repository} />
    </Ask>
  );
}

interface CombineProps extends AskProps {
  readonly planner: Planner;
  readonly others: readonly Planner[];
}

function Combine({ thread, planner, others, onDone }: CombineProps) {
  const [other, setOther] = useState(String(others[0]?.newest?.revision ?? 0));
  const [feedback, setFeedback] = useDraft(`combine.${thread.thread_id}`);
  const command = useCommand((id: string) =>
    post(
      "/v1/threads/{thread}/plans/{revision}/combinations",
      { thread: thread.thread_id, revision: planner.newest?.revision ?? 0 },
      { command_id: id, other: Number(other), feedback: feedback.trim() },
    ),
  );
  return (
    <Ask
      command={command}
      onDone={() => {
        setFeedback("");
        onDone();
      }}
      verb="Send"
      description="The planner receives both plans and your instructions, and proposes a new revision."
      isReady={feedback.trim() !== ""}
    >
      <NativeSelect
        size="xs"
        label="From"
        value={other}
        onChange={(event) => setOther(event.currentTarget.value)}
        data={others.map(({ letter, name, newest }) => ({
          value: String(newest?.revision),
          label: `${letter} ${name}, revision ${newest?.revision}`,
        }))}
      />
      <Textarea
        label="What to include"
        placeholder="Use its migration and its test task."
        autosize
        minRows={3}
        value={feedback}
        onChange={(event) => setFeedback(event.currentTarget.value)}
      />
    </Ask>
  );
}

interface FormProps {
  readonly command: Command<[], unknown>;
  readonly onDone: () => void;
  readonly verb: string;
  readonly description: string;
  readonly isReady?: boolean;
  readonly children: ReactNode;
}

function Ask({ command, onDone, verb, description, isReady = true, children }: FormProps) {
  const send = async () => {
    if ((await command.send()) !== null) {
      onDone();
    }
  };
  return (
    <>
      {children}
      <p className="dim">{description}</p>
      <Failure problem={command.problem} note="Your text is saved." />
      <Group>
        <CommandButton command={command} disabled={!isReady} onClick={() => void send()}>
          {verb}
        </CommandButton>
      </Group>
    </>
  );
}
