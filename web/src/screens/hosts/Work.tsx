/** What a host does now: its open threads and flow runs, those at work first. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { problemOf, useHostWork } from "@/api/resources";
import classes from "@/screens/hosts/hosts.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

/** So many are listed at first: a screen of many hosts keeps few Tab stops. */
const FEW = 8;

/** List it; only what is of the person's projects. */
export function Work({ host }: { readonly host: Schemas["HostView"] }) {
  const query = useHostWork(host.host);
  const [isWhole, setWhole] = useState(false);
  const { lines = [], total = 0 } = query.data ?? {};
  const shown = isWhole ? lines : lines.slice(0, FEW);
  if (query.error) {
    return <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return <p className="dim">Loading…</p>;
  }
  if (total === 0) {
    return <p className="dim">Nothing of your projects is open here.</p>;
  }
  return (
    <div>
      <ul className={classes.work} aria-label={`Work on ${host.name}`}>
        {shown.map((line) => (
          <li key={line.stream}>
            <Status status={line.status} />
            <Link
              href={line.kind === "flow" ? `/flow-runs/${line.stream}` : `/threads/${line.stream}`}
            >
              <Safe text={line.title || line.stream} />
            </Link>
            <span className="dim mono" title={line.project}>
              {line.project.split("/").at(-1)}
            </span>
            {line.turns > 0 && <span className="dim">{line.turns} at work</span>}
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          Show {lines.length - shown.length} more
        </Button>
      )}
      {shown.length === lines.length && total > lines.length && (
        <p className="dim">{`and ${total - lines.length} more`}</p>
      )}
    </div>
  );
}
