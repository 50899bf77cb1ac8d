/** What both sides of a conflict have, line by line, file by file. */

import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, type Schemas } from "@/api/client";
import { problemOf } from "@/api/resources";
import { plural } from "@/format";
import classes from "@/tasks/review/conflict.module.css";
import { ColouredText } from "@/ui/Code";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type File = Schemas["ConflictingFile"];
type Hunk = Schemas["ConflictHunk"];

interface Props {
  readonly threadId: string;
  /** The conflict; its lines never change. */
  readonly hash: string;
}

/** Show the lines in which two sides differ; all is loaded from the repository's host. */
export function ConflictingLines({ threadId, hash }: Props) {
  const query = useQuery({
    queryKey: ["conflict-lines", threadId, hash],
    queryFn: () =>
      get("/v1/threads/{thread}/conflicts/{content_hash}", {
        path: { thread: threadId, content_hash: hash },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.error) {
    return <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return <Loader size="xs" role="status" aria-label="Loading the conflicting lines" />;
  }
  const { files, files_left: left } = query.data;
  return (
    <section
      className={classes.files}
      aria-label="Conflicting lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {files.map((file) => (
        <FileConflicts key={file.path} file={file} />
      ))}
      {left > 0 && <p className="dim">and {plural(left, "more file")}</p>}
    </section>
  );
}

function FileConflicts({ file }: { readonly file: File }) {
  return (
    <div>
      <p className={classes.path}>
        <code>
          <Safe text={file.path} />
        </code>
        {file.about !== "" && <span className="dim"> {file.about}</span>}
      </p>
      {file.hunks.map((hunk) => (
        <Sides key={hunk.line} hunk={hunk} path={file.path} />
      ))}
      {file.hunks_left > 0 && (
        <p className="dim">and {plural(file.hunks_left, "more conflict")} in this file</p>
      )}
    </div>
  );
}

function Sides({ hunk, path }: { readonly hunk: Hunk; readonly path: string }) {
  return (
    <div className={classes.hunk}>
      <Common path={path} lines={hunk.before} />
      <div className={classes.sides}>
        <Side path={path} name="A" from={hunk.line} lines={hunk.a} left={hunk.a_left} />
        <Side path={path} name="B" lines={hunk.b} left={hunk.b_left} />
      </div>
      <Common path={path} lines={hunk.after} />
    </div>
  );
}

function Common({ path, lines }: Pick<SideProps, "path" | "lines">) {
  return lines.length === 0 ? null : (
    <pre className={classes.common}>
      <ColouredText text={lines.join("\n")} language={path} />
    </pre>
  );
}

interface SideProps {
  readonly path: string;
  readonly name: "A" | "B";
  readonly from?: number;
  readonly lines: readonly string[];
  readonly left: number;
}

function Side({ path, name, from, lines, left }: SideProps) {
  return (
    <figure className={classes.side} data-side={name}>
      <figcaption>
        {name}
        {from !== undefined && <span className="dim"> line {from}</span>}
      </figcaption>
      {lines.length === 0 ? (
        <span className="dim">nothing here</span>
      ) : (
        <pre>
          <ColouredText text={lines.join("\n")} language={path} />
        </pre>
      )}
      {left > 0 && <span className="dim">… {plural(left, "more line")}</span>}
    </figure>
  );
}
