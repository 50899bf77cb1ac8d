/** The sessions that an agent has of a repository: the new thread can go on with one of them. */

import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useCheck } from "@/screens/agents/Check";
import type { ContinuedSession } from "@/screens/new_thread/request";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly agent: string;
  readonly repository: string;
  readonly value: ContinuedSession | null;
  readonly onChange: (session: ContinuedSession | null) => void;
}

/** Offer the sessions of an agent, once somebody asks for them. */
export function PastSessions({ agent, repository, value, onChange }: Props) {
  const [number, setNumber] = useState(0);
  const look = useCommand(async (command_id: string) => {
    const path = { name: agent, kind: "sessions" as const };
    setNumber((await post("/v1/agents/{name}/{kind}", path, { command_id, repository })).check);
  });
  return (
    <div>
      <Group gap={8}>
        {number === 0 && (
          <CommandButton
            variant="subtle"
            size="compact-sm"
            command={look}
            onClick={() => void look.send()}
          >
            Continue a session of {agent}…
          </CommandButton>
        )}
        {value !== null && number === 0 && (
          <span>
            Continues <Safe text={value.title || value.agent_session} />
          </span>
        )}
        {value !== null && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(null)}>
            Start a new one instead
          </Button>
        )}
      </Group>
      <Failure problem={look.problem} />
      {number > 0 && <Found agent={agent} number={number} value={value} onChange={onChange} />}
    </div>
  );
}

interface FoundProps extends Omit<Props, "repository"> {
  readonly number: number;
}

function Found({ agent, number, value, onChange }: FoundProps) {
  const { events } = useCheck(agent, number);
  const end = events.find(({ event }) => event.body.kind === "agent_check_ended")?.event.body;
  const result = end?.kind === "agent_check_ended" ? end.result : null;
  if (result === null) {
    return (
      <p className="dim" aria-live="polite">
        Asking {agent} for its sessions…
      </p>
    );
  }
  const sessions = result.sessions ?? [];
  if (!result.is_well || sessions.length === 0) {
    return (
      <p className="dim" aria-live="polite">
        <Safe text={result.failure || `${agent} has no sessions in this repository.`} />
      </p>
    );
  }
  return (
    <Select
      label="Session"
      description="The thread continues it in a worktree from HEAD and shows the earlier conversation. A session is imported once."
      placeholder="Choose a session"
      searchable
      data={sessions.map((each) => ({ value: each.session_id, label: labelOf(each) }))}
      value={value?.agent_session ?? null}
      onChange={(id) => {
        const chosen = sessions.find((each) => each.session_id === id);
        onChange(
          chosen === undefined
            ? null
            : { agent_session: chosen.session_id, title: chosen.title ?? "" },
        );
      }}
    />
  );
}

const DAY = 10;

function labelOf({ session_id, title, updated_at }: Schemas["PastSession"]): string {
  const day = (updated_at ?? "").slice(0, DAY);
  return [title || session_id, day].filter((part) => part).join(" · ");
}
