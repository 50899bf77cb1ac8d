/** A new thread from a moment of this one; nothing of this one is changed. */

import { Button, Group, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import classes from "@/execution/scrubber.module.css";
import type { ThreadView } from "@/plans/models";
import { type AgentChoice, AgentPicker, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: ThreadView;
  readonly position: number;
}

/** Offer a fork, and say what it does before it does it. */
export function ForkFromHere({ thread, position }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Fork from here…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Fork a new thread from here">
        {isOpen && <Form thread={thread} position={position} />}
      </Modal>
    </>
  );
}

function Form({ thread, position }: Props) {
  const [goal, setGoal] = useState(thread.goal);
  const [agent, setAgent] = useState<AgentChoice>(DEFAULT_AGENT);
  const [, go] = useLocation();
  const command = useCommand((command_id: string) =>
    post(
      "/v1/threads/{thread}/forks",
      { thread: thread.thread_id },
      {
        command_id,
        position,
        stream: null,
        goal: goal.trim() === thread.goal ? null : goal.trim(),
        agent: agent.agent || null,
        model: agent.model.trim() || null,
        is_planned: null,
      },
    ),
  );
  const fork = async () => {
    const opened = await command.send();
    if (opened !== null) {
      go(`/threads/${opened.thread_id}`);
    }
  };
  return (
    <div className={classes.form}>
      <p className="dim">
        Starts a new thread from the latest checkpoint at or before this moment, with a summary of
        what happened until then. This thread does not change; the new one links back to it.
      </p>
      <Textarea
        label="Goal"
        autosize
        minRows={2}
        value={goal}
        onChange={(event) => setGoal(event.currentTarget.value)}
      />
      <AgentPicker
        value={agent}
        onChange={setAgent}
        repository={thread.repository}
        none="Same agent"
      />
      <Failure problem={command.problem} note="Your text is saved." />
      <Group>
        <CommandButton command={command} disabled={goal.trim() === ""} onClick={() => void fork()}>
          Fork
        </CommandButton>
      </Group>
    </div>
  );
}
