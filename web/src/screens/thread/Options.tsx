/** What the agent of a session offers: its mode, its model, others; each is changed from its next turn on. */

import { Button, NativeSelect, Popover, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { get, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { ownerOf } from "@/conversation/transcript/commands";
import { type AgentSwitch, switchAgent } from "@/screens/thread/commands";
import classes from "@/screens/thread/thread.module.css";
import { type AgentChoice, AgentPicker } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

type SessionView = Schemas["SessionView"];
type Offered = Schemas["OfferedOption"];

interface Props {
  readonly threadId: string;
  readonly repository: string;
  readonly session: SessionView;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** What the agents of a thread's sessions offer; asked for again once a turn ended. */
function useOffers(threadId: string, turns: number) {
  return useQuery({
    queryKey: ["thread", threadId, "offers", turns],
    queryFn: () => get("/v1/threads/{thread}/offers", { path: { thread: threadId } }),
    staleTime: 60_000,
  });
}

/** Say agent and options of a session; behind it, how they are changed. */
export function Options({ threadId, repository, session, isOpen, setOpen }: Props) {
  const offers = useOffers(threadId, session.turns);
  const own = offers.data?.find((each) => each.session_id === session.session_id);
  const options = own?.options ?? [];
  const [choice, setChoice] = useState<AgentChoice | null>(null);
  const shown = choice ?? {
    agent: session.agent,
    model: session.model ?? "",
    options: session.options ?? {},
  };
  const command = useCommand((id: string, to: AgentSwitch) =>
    switchAgent(id, threadId, ownerOf(session.session_id).number, to),
  );
  const send = async () => {
    const model = shown.model.trim() || null;
    if (
      (await command.send({ agent: shown.agent, model, options: { ...shown.options } })) !== null
    ) {
      setChoice(null);
      setOpen(false);
    }
  };
  const isSame = shown.agent === session.agent;
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withinPortal={false} position="top-end">
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {wordsOf(session, options)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.pop}>
        <h2>Session agent</h2>
        <AgentPicker value={shown} onChange={setChoice} repository={repository} />
        {isSame &&
          options.map((option) => (
            <Option
              key={option.option_id}
              option={option}
              value={shown.options[nameOf(option)] ?? option.current ?? ""}
              onChange={(value) =>
                setChoice({ ...shown, options: { ...shown.options, [nameOf(option)]: value } })
              }
            />
          ))}
        <p className="dim">Takes effect with the next turn, which starts with a fresh context.</p>
        <Failure problem={command.problem} />
        <CommandButton command={command} disabled={choice === null} onClick={() => void send()}>
          Change
        </CommandButton>
      </Popover.Dropdown>
    </Popover>
  );
}

function nameOf(option: Offered): string {
  return option.category || option.option_id;
}

function wordsOf(session: SessionView, options: readonly Offered[]): ReactNode {
  const values = ["mode", "model"].map((category) => {
    const option = options.find((each) => each.category === category);
    const value = session.options?.[category];
    return option?.values.find((each) => each.value === value)?.name || value;
  });
  return [session.agent, ...values.filter((word) => typeof word === "string" && word !== "")].join(
    " · ",
  );
}

interface OptionProps {
  readonly option: Offered;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}

function Option({ option, value, onChange }: OptionProps) {
  const label = option.name || nameOf(option).replaceAll("_", " ");
  if (typeof value === "boolean") {
    return (
      <Switch
        size="xs"
        label={label}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={option.values.map((each) => ({ value: each.value, label: each.name || each.value }))}
    />
  );
}
