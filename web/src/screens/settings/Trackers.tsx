/** Trackers: whose issues become work, how each stands, and looking at one now. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { SERVER } from "@/api/roles";
import classes from "@/screens/settings/settings.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { ProjectContext } from "@/ui/ForRole";
import { Panel } from "@/ui/Panel";
import { Safe } from "@/ui/Safe";

type Tracker = Schemas["TrackerView"];

const QUERY = ["trackers"];

/** Show the trackers; nothing where none is configured. */
export function Trackers() {
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: () => get("/v1/trackers"),
    refetchOnWindowFocus: true,
  });
  if (data === undefined || data.trackers.length === 0) {
    return null;
  }
  return (
    <Panel title="Trackers">
      <ProjectContext value={SERVER}>
        {data.trackers.map((each) => (
          <Row key={each.source.name} tracker={each} />
        ))}
      </ProjectContext>
    </Panel>
  );
}

type Steps = "look" | "pause" | "resume";

function Row({ tracker }: { readonly tracker: Tracker }) {
  const queries = useQueryClient();
  const { name } = tracker.source;
  const isPaused = tracker.status === "paused";
  const command = useCommand(async (command_id: string, what: Steps) => {
    await post(`/v1/trackers/{name}/${what}`, { name }, { command_id });
    await queries.invalidateQueries({ queryKey: QUERY });
  });
  return (
    <div className={classes.tracker}>
      <div>
        <strong>{name}</strong> {tracker.source.kind} {tracker.source.project} ·{" "}
        {tracker.status ?? ""}
        {tracker.paused_by && ` by ${tracker.paused_by}`}
      </div>
      {tracker.problem && <Safe text={tracker.problem} />}
      {(tracker.warnings ?? []).map((warning) => (
        <div key={warning} className="dim">
          <Safe text={warning} />
        </div>
      ))}
      {(tracker.issues ?? [])
        .filter((issue) => issue.problem)
        .map((issue) => (
          <div key={issue.ref.id} className="dim">
            <Safe text={`${issue.ref.key || issue.ref.id}: ${issue.problem}`} />
          </div>
        ))}
      <div>
        <CommandButton
          variant="default"
          command={command}
          disabled={isPaused}
          onClick={() => void command.send("look")}
        >
          Look now
        </CommandButton>{" "}
        <CommandButton
          needs="admin"
          variant="default"
          command={command}
          onClick={() => void command.send(isPaused ? "resume" : "pause")}
        >
          {isPaused ? "Resume" : "Pause"}
        </CommandButton>
      </div>
      <Failure problem={command.problem} />
    </div>
  );
}
