/** The change of one file: its head, its lines, and what is said of them. */

import { Button, Checkbox, SegmentedControl } from "@mantine/core";
import { memo, type ReactNode, useCallback, useState } from "react";
import { DiffBody, type DiffLook, type Note, type OnLines } from "@/diff/DiffBody";
import classes from "@/diff/diff.module.css";
import { type LineRange, placeOf } from "@/diff/lines";
import type { MovedLines } from "@/diff/moved";
import { type FilePatch, pathOf } from "@/diff/patch";
import { folderAndName, isManifest } from "@/diff/paths";
import { RENDERED_LABELS, renderedKind } from "@/diff/rendered/kinds";
import { Rendered } from "@/diff/rendered/Rendered";
import { OpenFileIcon } from "@/ui/OpenIn";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly file: FilePatch;
  /** What it is called where its path is on the screen twice. */
  readonly name?: string;
  readonly look: DiffLook;
  readonly isViewed: boolean;
  readonly isPlanted: boolean;
  /** So many of its first lines are drawn, near or not. */
  readonly drawn: number;
  readonly cursor: string | null;
  readonly notes: readonly Note[];
  readonly moved: MovedLines | undefined;
  /** The command that shows what is not in the patch. */
  readonly command: string;
  /** Keeps the mark of a file; without it there is none. */
  readonly onViewed: ((file: FilePatch, isViewed: boolean) => void) | undefined;
  readonly range: LineRange | null;
  readonly onLines: ((file: FilePatch, ...chosen: Parameters<OnLines>) => void) | undefined;
}

/** Show a file's change; one that was viewed is folded. */
export const DiffFile = memo(function DiffFile(props: Props) {
  const { file, look, isViewed, drawn, cursor, notes, moved, range, onLines } = props;
  const [isOpened, setOpened] = useState(false);
  const kind = renderedKind(pathOf(file));
  const [isSeen, setSeen] = useState(kind === "picture" && file.isBinary);
  const path = pathOf(file);
  const isFolded = isViewed && !isOpened;
  const choose = useCallback<OnLines>((...chosen) => onLines?.(file, ...chosen), [file, onLines]);
  return (
    <section
      className={classes.file}
      data-path={path}
      aria-label={props.name ?? path}
      tabIndex={-1}
    >
      <Head {...props} isFolded={isFolded} onFold={() => setOpened(isFolded)}>
        {kind !== null && !file.isBinary && (
          <SegmentedControl
            aria-label={`Show ${path} as`}
            value={isSeen ? "seen" : "lines"}
            onChange={(value) => setSeen(value === "seen")}
            data={[
              { value: "lines", label: "Lines" },
              { value: "seen", label: RENDERED_LABELS[kind] },
            ]}
          />
        )}
      </Head>
      {!isFolded && isSeen && kind !== null && <Rendered file={file} kind={kind} />}
      {!isFolded && !isSeen && (
        <>
          <DiffBody
            file={file}
            look={look}
            drawn={drawn}
            cursor={cursor}
            notes={notes}
            moved={moved}
            empty={<Empty file={file} />}
            range={range}
            onLines={onLines && choose}
          />
          <Remarks {...props} />
        </>
      )}
    </section>
  );
});

interface HeadProps extends Props {
  readonly isFolded: boolean;
  readonly onFold: () => void;
  readonly children: ReactNode;
}

const KINDS: Readonly<Record<FilePatch["kind"], string>> = {
  add: "new",
  delete: "removed",
  rename: "renamed",
  copy: "copied",
  modify: "",
};

function Head(props: HeadProps) {
  const { file, isViewed, isPlanted, isFolded, onFold, onViewed, children } = props;
  const path = pathOf(file);
  const [folder, name] = folderAndName(path);
  return (
    <header className={classes.fileHead}>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={!isFolded}
        aria-label={isFolded ? `Expand ${path}` : `Collapse ${path}`}
        disabled={!isViewed}
        onClick={onFold}
      >
        {isFolded ? "▸" : "▾"}
      </button>
      <h2 className={classes.fileName}>
        {file.kind !== "add" && file.oldPath !== path && (
          <span className="dim">
            <Safe text={file.oldPath} /> →{" "}
          </span>
        )}
        <span className="dim">
          <Safe text={folder} />
        </span>
        <Safe text={name} />
      </h2>
      {KINDS[file.kind] !== "" && <span className={classes.kind}>{KINDS[file.kind]}</span>}
      <Mode file={file} />
      {isManifest(path) && <span className={classes.warned}>⚠ dependencies</span>}
      {isPlanted && <span className={classes.warned}>⚠ can run code</span>}
      {file.kind !== "delete" && <OpenFileIcon file={path} line={firstLineOf(file)} />}
      {!file.isBinary && (
        <span className={classes.size}>
          <span data-tone="ok">+{file.insertions}</span>{" "}
          <span data-tone="fail">−{file.deletions}</span>
        </span>
      )}
      {children}
      {onViewed && (
        <Checkbox
          size="xs"
          label="viewed"
          aria-label={`Viewed: ${path}`}
          checked={isViewed}
          onChange={(event) => onViewed(file, event.currentTarget.checked)}
        />
      )}
    </header>
  );
}

/** The first changed line as the file is now. */
function firstLineOf(file: FilePatch): number {
  const [first] = file.hunks.flatMap(({ changes }) =>
    changes.filter((one) => one.type === "insert"),
  );
  return first === undefined ? (file.hunks[0]?.newStart ?? 1) : placeOf(first).line;
}

function Mode({ file }: { readonly file: FilePatch }) {
  const { oldMode, newMode } = file;
  if (oldMode !== "" && newMode !== "" && oldMode !== newMode) {
    return (
      <span className={classes.warned}>
        mode {oldMode} → {newMode}
      </span>
    );
  }
  return newMode === "100755" ? <span className={classes.warned}>executable</span> : null;
}

/** What is said where no lines changed. */
function Empty({ file }: Pick<Props, "file">) {
  return file.isBinary || file.isCut ? null : (
    <p className={classes.remark}>
      {file.kind === "rename" ? "Renamed without changes." : "No changed lines."}
    </p>
  );
}

/** What is not in the lines. */
function Remarks({ file, command }: Pick<Props, "file" | "command">) {
  return (
    <>
      {file.isBinary && <Elsewhere text="Binary file not shown." command={command} />}
      {file.isCut && (
        <Elsewhere
          text="Part of this diff is missing: the patch is larger than 4 MiB and was truncated."
          command={command}
        />
      )}
      {file.hasNoEndOfLine && <p className={classes.remark}>No newline at end of file.</p>}
    </>
  );
}

function Elsewhere({ text, command }: { readonly text: string; readonly command: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <p className={classes.remark}>
      {text}{" "}
      {isShown ? (
        <code>{command}</code>
      ) : (
        <Button variant="default" onClick={() => setShown(true)}>
          View locally
        </Button>
      )}
    </p>
  );
}
