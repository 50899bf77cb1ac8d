/** The handoff packet: all that the agents of a plan are given; a person may write it anew. */

import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "@/api/commands";
import { editPlan } from "@/plans/commands";
import type { ProposedPlan } from "@/plans/models";
import classes from "@/plans/panel.module.css";
import { packetDraft } from "@/plans/unsaved_edits";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Markdown } from "@/ui/Markdown";

interface Props {
  readonly threadId: string;
  readonly plan: ProposedPlan;
  readonly canEdit: boolean;
}

/** Show the packet, and change it while the plan waits. */
export function Handoff({ threadId, plan, canEdit }: Props) {
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <Group justify="space-between">
        <span className="dim">
          Each agent starts with this packet and its own task, and no other context.
        </span>
        {canEdit && !isEditing && (
          <Button variant="default" onClick={() => setEditing(true)}>
            Edit packet
          </Button>
        )}
      </Group>
      {isEditing && canEdit ? (
        <Editor threadId={threadId} plan={plan} onClose={() => setEditing(false)} />
      ) : (
        <div className={classes.packet}>
          <Markdown text={plan.handoff} />
        </div>
      )}
    </>
  );
}

interface EditorProps {
  readonly threadId: string;
  readonly plan: ProposedPlan;
  readonly onClose: () => void;
}

function Editor({ threadId, plan, onClose }: EditorProps) {
  const [draft, setDraft] = useDraft(packetDraft(threadId, plan.request.request_id));
  const text = draft === "" ? plan.handoff : draft;
  const command = useCommand((id: string) =>
    editPlan(id, threadId, plan.revision, { handoff: text }),
  );
  const save = async () => {
    if ((await command.send()) !== null) {
      setDraft("");
      onClose();
    }
  };
  return (
    <div className={classes.editor}>
      <Textarea
        label="Handoff packet"
        description="Saving creates a new revision, which you then approve."
        autosize
        minRows={12}
        maxRows={30}
        value={text}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Failure problem={command.problem} note="Your text is saved." />
      <Group>
        <CommandButton command={command} onClick={() => void save()}>
          Save as new revision
        </CommandButton>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </Group>
    </div>
  );
}
