/** A workspace recipe that Treadle proposes: edited, tried in a throw-away worktree, and kept. */

import { Button, Group, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRecipeCheck } from "@/api/resources";
import classes from "@/screens/new_thread/new_thread.module.css";
import { Output } from "@/tasks/Output";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly repository: string;
  readonly onClose: () => void;
}

/** Start a check and follow it to its end. */
function useCheck(repository: string, kind: "propose" | "try") {
  const [number, setNumber] = useState(0);
  const begin = useCommand(async (command_id: string, text: string | null) => {
    const body = { command_id, repository, text };
    const begun = await post("/v1/recipes/checks/{kind}", { kind }, body);
    setNumber(begun.number);
  });
  const { data } = useRecipeCheck(repository, number);
  const isRunning = begin.state === "sending" || (number > 0 && !data?.result);
  return { begin, check: data?.result ? data : null, isRunning };
}

/** Propose a recipe from what the repository has. */
export function Proposal({ repository, onClose }: Props) {
  const found = useCheck(repository, "propose");
  const { send } = found.begin;
  useEffect(() => void send(null), [send]);
  const result = found.check?.result;
  return (
    <Panel title="Workspace recipe">
      <div className={classes.proposal} aria-live="polite">
        {found.isRunning && <p className="dim">Looking at the repository…</p>}
        <Failure problem={found.begin.problem} />
        {result?.failure && <Safe text={result.failure} />}
        {result?.proposal && (
          <Draft
            repository={repository}
            proposal={result.proposal}
            text={found.check?.text ?? ""}
            onClose={onClose}
          />
        )}
      </div>
    </Panel>
  );
}

interface DraftProps extends Props {
  readonly proposal: Schemas["Proposal"];
  readonly text: string;
}

function Draft({ repository, proposal, text, onClose }: DraftProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(text);
  const trial = useCheck(repository, "try");
  const keep = useCommand(async (_id: string, source: "repo" | "user") => {
    await post("/v1/recipes", {}, { repository, text: draft, source });
    await queries.invalidateQueries({ queryKey: ["recipes"] });
  });
  const isEmpty = draft.trim() === "";
  return (
    <>
      <Textarea
        label="Saved as .treadle/workspace.toml"
        description="Its commands run once, before tasks start. Each task and verification gets a copy of the result."
        placeholder={'setup = ["make deps"]'}
        autosize
        minRows={3}
        maxRows={20}
        classNames={{ input: "mono" }}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {text === "" && <p className="dim">Nothing was found to set up. You can write a recipe.</p>}
      {(proposal.missing ?? []).map((line) => (
        <p key={line} className={classes.error}>
          <Safe text={line} />
        </p>
      ))}
      <Trial check={trial.check} isRunning={trial.isRunning} />
      <Group gap={8}>
        <CommandButton
          variant="default"
          command={trial.begin}
          disabled={isEmpty || trial.isRunning}
          onClick={() => void trial.begin.send(draft)}
        >
          Try it
        </CommandButton>
        <CommandButton command={keep} disabled={isEmpty} onClick={() => void keep.send("repo")}>
          Save to repository
        </CommandButton>
        <CommandButton
          variant="default"
          command={keep}
          disabled={isEmpty}
          onClick={() => void keep.send("user")}
        >
          Save for me
        </CommandButton>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </Group>
      <Failure problem={trial.begin.problem ?? keep.problem} note="Your text is saved here." />
    </>
  );
}

const SECOND_MS = 1000;
const MEBIBYTE = 2 ** 20;

interface TrialProps {
  readonly check: Schemas["RecipeCheck"] | null;
  readonly isRunning: boolean;
}

function Trial({ check, isRunning }: TrialProps) {
  if (isRunning) {
    return <p className="dim">Setting up a workspace…</p>;
  }
  const result = check?.result;
  if (!result) {
    return null;
  }
  const made = result.set_up;
  const failure = result.failure || made?.failure;
  const seconds = Math.round((made?.duration_ms ?? 0) / SECOND_MS);
  const size = Math.round((made?.size_bytes ?? 0) / MEBIBYTE);
  return (
    <div>
      {failure ? (
        <p className={classes.error} role="alert">
          <Safe text={failure} />
        </p>
      ) : (
        <p>
          It works: {seconds} s, {size} MiB.
        </p>
      )}
      {made?.output && (
        <details open={Boolean(failure)}>
          <summary>Output</summary>
          <Output text={made.output} reference={made.output_ref ?? null} />
        </details>
      )}
    </div>
  );
}
