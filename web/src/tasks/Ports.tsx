/** The ports of a task: declared, allocated, and the way to what listens there. */

import type { Schemas } from "@/api/client";
import classes from "@/tasks/task.module.css";
import { serverUrl } from "@/ui/own_host";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Declared {
  readonly id: string;
  readonly description?: string;
}

interface Props {
  readonly ports: readonly Schemas["AllocatedPort"][];
  /** What the plan declares, where it is known: what was not asked for yet is shown as well. */
  readonly declared?: readonly Declared[];
}

/** Show ports with their numbers; a link opens what listens there in a new tab. */
export function Ports({ ports, declared = [] }: Props) {
  const missing = declared.filter((one) => !ports.some((port) => port.id === one.id));
  if (ports.length + missing.length === 0) {
    return <p className="dim">This task has no ports.</p>;
  }
  return (
    <ul className="plain-list" aria-label="Ports">
      {ports.map((port) => (
        <li key={port.id} className={classes.row}>
          <strong className="mono">{port.id}</strong>
          <span aria-hidden="true">→</span>
          {port.status === "active" ? (
            <a
              className="mono"
              href={serverUrl(port.port)}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              :{port.port} ↗
            </a>
          ) : (
            <span className="mono dim">:{port.port}</span>
          )}
          <span className={`dim ${classes.grow}`}>
            <Safe text={port.description} />
          </span>
          <Status
            status={port.status === "active" ? "running" : "idle"}
            word={port.status === "active" ? "held" : "released"}
          />
        </li>
      ))}
      {missing.map((port) => (
        <li key={port.id} className={classes.row}>
          <strong className="mono">{port.id}</strong>
          <span className={`dim ${classes.grow}`}>
            <Safe text={port.description ?? ""} />
          </span>
          <Status status="pending" word="not requested yet" />
        </li>
      ))}
    </ul>
  );
}
