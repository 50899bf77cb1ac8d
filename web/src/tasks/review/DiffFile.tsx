/** The change of one file: its head, its lines, and what is said of them. */

import { Button, Checkbox } from "@mantine/core";
import { memo, type ReactNode, useMemo, useState } from "react";
import { DiffPart } from "@/tasks/review/DiffPart";
import classes from "@/tasks/review/diff.module.css";
import {
  isAt,
  keyOf,
  LINE_CHARACTERS,
  type Part,
  type Place,
  partsOf,
  placeOf,
} from "@/tasks/review/lines";
import { useNearViewport } from "@/tasks/review/near_viewport";
import { type FilePatch, pathOf } from "@/tasks/review/patch";
import { folderAndName, isManifest } from "@/tasks/review/paths";
import { OpenFileIcon, useOpenLine } from "@/ui/OpenIn";
import { Safe } from "@/ui/Safe";

/** Something below a line of a file. */
export interface Note {
  readonly id: string;
  readonly place: Place | null;
  readonly element: ReactNode;
}

interface Props {
  readonly file: FilePatch;
  readonly isSplit: boolean;
  readonly isViewed: boolean;
  readonly isPlanted: boolean;
  /** So many of its first lines are drawn, near or not. */
  readonly drawn: number;
  readonly cursor: string | null;
  readonly notes: readonly Note[];
  /** The command that shows what is not in the patch. */
  readonly command: string;
  readonly onViewed: (file: FilePatch, isViewed: boolean) => void;
  readonly onLine: (file: FilePatch, place: Place, key: string) => void;
}

const NO_WIDGETS: Record<string, ReactNode> = {};

/** Show a file's change; one that was viewed is folded. */
export const DiffFile = memo(function DiffFile(props: Props) {
  const { file, isViewed, notes } = props;
  const [isOpened, setOpened] = useState(false);
  const parts = useMemo(() => partsOf(file), [file]);
  const path = pathOf(file);
  const isFolded = isViewed && !isOpened;
  const lost = notes.filter(({ place }) => place === null || !has(parts, place));
  return (
    <section className={classes.file} data-path={path} aria-label={path} tabIndex={-1}>
      <Head {...props} isFolded={isFolded} onFold={() => setOpened(isFolded)} />
      {!isFolded && (
        <>
          {lost.length > 0 && (
            <div className={classes.lost}>
              {lost.map(({ id, element }) => (
                <div key={id}>{element}</div>
              ))}
            </div>
          )}
          <Body {...props} parts={parts} />
        </>
      )}
    </section>
  );
});

function has(parts: readonly Part[], place: Place): boolean {
  return parts.some(({ hunk }) => hunk.changes.some((change) => isAt(change, place)));
}

interface HeadProps extends Props {
  readonly isFolded: boolean;
  readonly onFold: () => void;
}

const KINDS: Readonly<Record<FilePatch["kind"], string>> = {
  add: "new",
  delete: "removed",
  rename: "renamed",
  copy: "copied",
  modify: "",
};

function Head({ file, isViewed, isPlanted, isFolded, onFold, onViewed }: HeadProps) {
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
      <span className={classes.size}>
        <span data-tone="ok">+{file.insertions}</span>{" "}
        <span data-tone="fail">−{file.deletions}</span>
      </span>
      <Checkbox
        size="xs"
        label="viewed"
        aria-label={`Viewed: ${path}`}
        checked={isViewed}
        onChange={(event) => onViewed(file, event.currentTarget.checked)}
      />
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

function Body(props: Props & { readonly parts: readonly Part[] }) {
  const { file, parts, command } = props;
  const [isWhole, setWhole] = useState(false);
  return (
    <div className={classes.fileBody}>
      {file.longest > LINE_CHARACTERS && !isWhole && (
        <p className={classes.remark}>
          Lines longer than {file.longest} characters are truncated.{" "}
          <Button variant="default" onClick={() => setWhole(true)}>
            Show full lines
          </Button>
        </p>
      )}
      {parts.map((part) => (
        <LazyPart key={part.key} {...props} part={part} isWhole={isWhole} />
      ))}
      {file.isBinary && <Elsewhere text="Binary file not shown." command={command} />}
      {file.isCut && (
        <Elsewhere
          text="Part of this diff is missing: the patch is larger than 4 MiB and was truncated."
          command={command}
        />
      )}
      {parts.length === 0 && !file.isBinary && !file.isCut && (
        <p className={classes.remark}>
          {file.kind === "rename" ? "Renamed without changes." : "No changed lines."}
        </p>
      )}
      {file.hasNoEndOfLine && <p className={classes.remark}>No newline at end of file.</p>}
    </div>
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

interface PartProps extends Props {
  readonly part: Part;
  readonly isWhole: boolean;
}

function LazyPart({ file, part, isSplit, isWhole, drawn, cursor, notes, onLine }: PartProps) {
  const { box, isNear, height } = useNearViewport(part.hunk.changes.length, part.before < drawn);
  const widgets = useMemo(() => widgetsOf(part, notes), [part, notes]);
  const openLine = useOpenLine();
  const line = useMemo(
    () => (place: Place, key: string, isOpened: boolean) =>
      isOpened && openLine !== null ? openLine(pathOf(file), place.line) : onLine(file, place, key),
    [file, onLine, openLine],
  );
  const isHere = cursor !== null && part.hunk.changes.some((change) => keyOf(change) === cursor);
  return (
    <>
      {part.title !== null && (
        <h3 className={classes.hunk} data-hunk={part.first ?? ""} tabIndex={-1}>
          <Safe text={part.title} />
        </h3>
      )}
      <div
        ref={box}
        className={classes.part}
        style={isNear ? { containIntrinsicBlockSize: `auto ${height}px` } : { height }}
      >
        {isNear && (
          <DiffPart
            part={part}
            kind={file.kind}
            isSplit={isSplit}
            isWhole={isWhole}
            cursor={isHere ? cursor : null}
            widgets={widgets}
            onLine={line}
          />
        )}
      </div>
    </>
  );
}

function widgetsOf(part: Part, notes: readonly Note[]): Record<string, ReactNode> {
  if (notes.length === 0) {
    return NO_WIDGETS;
  }
  const found: Record<string, ReactNode[]> = {};
  for (const { id, place, element } of notes) {
    const change = place && part.hunk.changes.find((one) => isAt(one, place));
    if (change) {
      found[keyOf(change)] = [
        ...(found[keyOf(change)] ?? []),
        <div key={id} className={classes.widget}>
          {element}
        </div>,
      ];
    }
  }
  return found;
}
