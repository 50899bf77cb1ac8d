/** What a terminal that has ended said, as text. */

import { useQuery } from "@tanstack/react-query";
import { get, Problem, type Schemas } from "@/api/client";
import { addressOf } from "@/tasks/output";
import { Ansi } from "@/ui/Ansi";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly threadId: string;
  readonly terminal: Schemas["TerminalView"];
}

/** Show the newest output of a terminal whose process is gone. */
export default function EndedTerminal({ threadId, terminal }: Props) {
  const query = useQuery({
    queryKey: ["terminal", terminal.stream, terminal.status],
    queryFn: () =>
      get("/v1/threads/{thread}/{kind}/{name}/terminals/{number}/output", {
        path: addressOf(threadId, terminal.stream),
      }),
  });
  if (query.error instanceof Problem) {
    return <Failure problem={query.error} />;
  }
  if (query.data === undefined) {
    return <p className="dim">Loading…</p>;
  }
  return (
    <>
      {query.data.skipped > 0 && (
        <p className="dim">{query.data.skipped} earlier bytes were not kept.</p>
      )}
      {query.data.text === "" ? <p className="dim">No output.</p> : <Ansi text={query.data.text} />}
    </>
  );
}
