/** The files of a change, by folder: which are viewed, how large each change is. */

import { useMemo, useState } from "react";
import { type TreeRow, treeRows } from "@/diff/filter";
import { type FilePatch, pathOf } from "@/diff/patch";
import { folderAndName, isManifest } from "@/diff/paths";
import { plural } from "@/format";
import classes from "@/tasks/review/screen.module.css";
import type { Viewed } from "@/tasks/review/viewed_files";
import { RovingList } from "@/ui/RovingList";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly files: readonly FilePatch[];
  readonly viewed: Viewed;
  readonly current: string | null;
  readonly planted: readonly string[];
  /** How many comments wait in a file. */
  readonly commentsIn: (path: string) => number;
  readonly onOpen: (path: string) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Show the files as a list of one Tab stop; a folder opens and closes. */
export function FileTree({ files, viewed, current, planted, commentsIn, onOpen }: Props) {
  const [closed, setClosed] = useState(NONE);
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(() => treeRows(files, closed), [files, closed]);
  const isKnown = rows.some((row) => row.path === active);
  const open = (row: TreeRow) => {
    if (row.kind === "file") {
      onOpen(row.path);
    } else {
      setClosed((now) =>
        row.isClosed
          ? new Set([...now].filter((one) => one !== row.path))
          : new Set([...now, row.path]),
      );
    }
  };
  return (
    <RovingList
      label="Changed files"
      items={rows}
      getKey={(row) => row.path}
      active={isKnown ? active : current}
      onActive={setActive}
      onOpen={open}
      render={(row) =>
        row.kind === "folder" ? (
          <div className={classes.folder}>
            <span aria-hidden>{row.isClosed ? "▸" : "▾"}</span> <Safe text={row.path} />
            {row.isClosed && <span> ({plural(row.files, "file")})</span>}
          </div>
        ) : (
          <File
            file={row.file}
            isCurrent={row.path === current}
            isViewed={viewed.has(row.file)}
            isPlanted={planted.includes(row.path)}
            comments={commentsIn(row.path)}
          />
        )
      }
    />
  );
}

interface FileProps {
  readonly file: FilePatch;
  readonly isCurrent: boolean;
  readonly isViewed: boolean;
  readonly isPlanted: boolean;
  readonly comments: number;
}

function File({ file, isCurrent, isViewed, isPlanted, comments }: FileProps) {
  const path = pathOf(file);
  return (
    <div className={classes.treeRow} data-current={isCurrent}>
      <div className={classes.treeFile} data-viewed={isViewed}>
        <span role="img" aria-label={isViewed ? "viewed" : "not viewed"}>
          {isViewed ? "✓" : isCurrent ? "●" : "○"}
        </span>
        <span className={classes.treeName} title={path}>
          <Safe text={folderAndName(path)[1]} />
        </span>
        {isManifest(path) && <span className={classes.treeFlag}>⚠ dep</span>}
        {isPlanted && <span className={classes.treeFlag}>⚠ runs</span>}
        {comments > 0 && (
          <span className={classes.treeCount} title="Pending comments">
            {comments}
          </span>
        )}
        {!file.isBinary && (
          <span className={classes.treeSize}>
            <span data-tone="ok">+{file.insertions}</span>{" "}
            <span data-tone="fail">−{file.deletions}</span>
          </span>
        )}
      </div>
    </div>
  );
}
