/** The ports that the tasks of a thread hold. */

import { useQuery } from "@tanstack/react-query";
import { get } from "@/api/client";
import { calledOf } from "@/plans/work";
import classes from "@/screens/thread/thread.module.css";
import { serverUrl } from "@/ui/own_host";

/** List the ports with their numbers; nothing where there are none. */
export function Ports({ threadId }: { readonly threadId: string }) {
  const { data } = useQuery({
    queryKey: ["thread", threadId, "ports"],
    queryFn: () => get("/v1/threads/{thread}/ports", { path: { thread: threadId } }),
  });
  if (data === undefined || data.ports.length === 0) {
    return null;
  }
  return (
    <ul className={classes.ports} aria-label="Ports">
      {data.ports.map((port) => (
        <li key={`${port.task_id} ${port.id}`}>
          {calledOf(port.task_id)}: {port.id}{" "}
          <a href={serverUrl(port.port)} target="_blank" rel="noopener noreferrer">
            :{port.port}
          </a>
        </li>
      ))}
    </ul>
  );
}
