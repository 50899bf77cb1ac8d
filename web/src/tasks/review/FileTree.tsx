/** The files of a change, by folder: which are viewed, how large each change is. */

import { type FilePatch, pathOf } from "@/tasks/review/patch";
import { folderAndName, isManifest } from "@/tasks/review/paths";
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

interface Row {
  readonly file: FilePatch;
  readonly path: string;
  readonly name: string;
  /** The folder that begins with this row. */
  readonly folder: string | null;
}

function rowsOf(files: readonly FilePatch[]): readonly Row[] {
  let before: string | null = null;
  return files.map((file) => {
    const path = pathOf(file);
    const [folder, name] = folderAndName(path);
    const row = { file, path, name, folder: folder === before ? null : folder };
    before = folder;
    return row;
  });
}

/** Show the files as a list of one Tab stop. */
export function FileTree({ files, viewed, current, planted, commentsIn, onOpen }: Props) {
  return (
    <RovingList
      label="Changed files"
      items={rowsOf(files)}
      getKey={(row) => row.path}
      active={current}
      onOpen={(row) => onOpen(row.path)}
      render={(row) => {
        const isViewed = viewed.has(row.file);
        const comments = commentsIn(row.path);
        return (
          <div className={classes.treeRow} data-current={row.path === current}>
            {row.folder !== null && row.folder !== "" && (
              <div className={classes.folder}>
                <Safe text={row.folder} />
              </div>
            )}
            <div className={classes.treeFile} data-viewed={isViewed}>
              <span role="img" aria-label={isViewed ? "viewed" : "not viewed"}>
                {isViewed ? "✓" : row.path === current ? "●" : "○"}
              </span>
              <span className={classes.treeName} title={row.path}>
                <Safe text={row.name} />
              </span>
              {isManifest(row.path) && <span className={classes.treeFlag}>⚠ dep</span>}
              {planted.includes(row.path) && <span className={classes.treeFlag}>⚠ runs</span>}
              {comments > 0 && (
                <span className={classes.treeCount} title="Pending comments">
                  {comments}
                </span>
              )}
              <span className={classes.treeSize}>
                <span data-tone="ok">+{row.file.insertions}</span>{" "}
                <span data-tone="fail">−{row.file.deletions}</span>
              </span>
            </div>
          </div>
        );
      }}
    />
  );
}
