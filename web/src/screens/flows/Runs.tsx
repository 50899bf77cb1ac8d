/** Runs of flows, the latest changed first. */

import { Switch } from "@mantine/core";
import { useState } from "react";
import { useFlowRuns } from "@/api/resources";
import { Ago } from "@/ui/Ago";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { RovingList } from "@/ui/RovingList";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

/** List the runs of one flow, or of all where none is named. */
export function Runs({ flow }: { readonly flow?: string }) {
  const [isArchived, setArchived] = useState(false);
  const query = useFlowRuns({
    ...(flow === undefined ? {} : { flow }),
    ...(isArchived ? { archived: true } : {}),
  });
  const runs = query.data?.runs ?? [];
  return (
    <Panel
      title={flow === undefined ? "Runs" : `Runs of ${flow}`}
      actions={
        <Switch
          label="archived"
          checked={isArchived}
          onChange={(event) => setArchived(event.currentTarget.checked)}
        />
      }
    >
      {runs.length === 0 ? (
        <p className="dim">
          {isArchived ? "No archived runs." : "No runs yet, or all are archived."}
        </p>
      ) : (
        <RovingList
          label="Runs"
          keyScope="Runs"
          items={runs}
          getKey={(run) => run.run_id}
          href={(run) => `/flow-runs/${run.run_id}`}
          render={(run) => (
            <div className={page.row}>
              <div className={page.rowLine}>
                <Status status={run.status ?? ""} />
                <span className={page.rowName}>
                  <Safe text={run.title} />
                </span>
                <span className="dim">
                  <Ago at={run.changed_at ?? null} suffix=" ago" />
                </span>
              </div>
              <div className={page.rowText}>
                <span className="mono">{run.run_id}</span>
                {run.waiting_for && ` · ${run.waiting_for}`}
              </div>
            </div>
          )}
        />
      )}
    </Panel>
  );
}
