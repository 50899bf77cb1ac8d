/** The end of a turn: how long, how much, what changed; or what failed, what was kept, what can be done. */

import { Alert, Button, Group } from "@mantine/core";
import type { TurnItem } from "@/conversation/projection/items";
import { useTranscriptActions } from "@/conversation/transcript/actions";
import { Fold } from "@/conversation/transcript/items/Fold";
import classes from "@/conversation/transcript/transcript.module.css";
import { tokensOf } from "@/conversation/usage";
import { formatDuration, plural } from "@/format";
import { Safe } from "@/ui/Safe";

const REASONS: Readonly<Record<string, string>> = {
  end_turn: "",
  max_tokens: "reached the token limit",
  max_turn_requests: "reached the request limit",
  refusal: "the model refused",
  cancelled: "stopped",
};

/** Show a turn's end. */
export function Turn({ item }: { readonly item: TurnItem }) {
  const { result } = item;
  if (result.failure) {
    return <FailedTurn item={item} failure={result.failure} />;
  }
  const facts = factsOf(item);
  return (
    <div className={classes.rule} role="note">
      <span>{facts.join(" · ")}</span>
    </div>
  );
}

function factsOf({ result }: TurnItem): readonly string[] {
  const { usage, snapshot } = result;
  const reason = REASONS[result.stop_reason] ?? result.stop_reason.replaceAll("_", " ");
  const change = snapshot?.is_changed
    ? `+${snapshot.insertions} −${snapshot.deletions} in ${plural(snapshot.file_count, "file")}`
    : "";
  const tokens = usage
    ? tokensOf(usage.input_tokens, usage.cached_tokens, usage.output_tokens)
    : "";
  const cost = usage?.cost ? `${usage.cost.toFixed(2)} ${usage.currency}` : "";
  const asleep = result.is_asleep ? "paused until you answer" : "";
  const discarded =
    result.discarded.length > 0 ? `${plural(result.discarded.length, "file")} discarded` : "";
  return [
    "turn",
    formatDuration(result.duration_ms, 1),
    reason,
    asleep,
    change,
    discarded,
    tokens,
    cost,
  ].filter((fact) => fact !== "");
}

function FailedTurn({ item, failure }: { readonly item: TurnItem; readonly failure: string }) {
  const actions = useTranscriptActions();
  const { snapshot } = item.result;
  const [first = "", ...rest] = failure.split("\n");
  const saved = snapshot
    ? `The work so far is saved at checkpoint ${snapshot.commit.slice(0, 7)}: +${snapshot.insertions} −${snapshot.deletions} in ${plural(snapshot.file_count, "file")}.`
    : "No files were changed.";
  return (
    <Alert color="red" variant="light" title="The turn failed">
      <div>
        <Safe text={first} />
      </div>
      <div>{saved}</div>
      {rest.length > 0 && (
        <Fold name={`${item.key} raw`} head="Agent's error message">
          {() => (
            <pre className={classes.raw}>
              <Safe text={rest.join("\n").slice(0, 20_000)} />
            </pre>
          )}
        </Fold>
      )}
      {actions !== null && (
        <Group mt="xs" gap="xs">
          <Button variant="default" onClick={actions.continueTurn}>
            Continue
          </Button>
          <Button variant="default" onClick={actions.switchAgent}>
            Switch agent…
          </Button>
        </Group>
      )}
    </Alert>
  );
}
