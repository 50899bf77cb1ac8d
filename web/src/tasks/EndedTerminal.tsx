/** What a terminal that has ended said, as text. */

import { useQuery } from "@tanstack/react-query";
import { Problem, type Schemas } from "@/api/client";
import { readOutput } from "@/tasks/readOutput";
import { Ansi } from "@/ui/Ansi";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly threadId: string;
  readonly terminal: Pick<Schemas["TerminalView"], "stream" | "status">;
}

/** Show the newest output of a terminal whose process is gone. */
export default function EndedTerminal({ threadId, terminal }: Props) {
  const query = useQuery({
    queryKey: ["terminal", terminal.stream, terminal.status],
    queryFn: () => readOutput(threadId, terminal.stream),
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
