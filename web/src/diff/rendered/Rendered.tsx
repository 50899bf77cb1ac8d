/** A change as it looks: pictures, Markdown or notebooks before and after; loaded when it is asked for. */

import { lazy, Suspense } from "react";
import classes from "@/diff/diff.module.css";
import { type FilePatch, pathOf } from "@/diff/patch";
import { isVector, type RenderedKind } from "@/diff/rendered/kinds";
import { vectorAddress } from "@/diff/rendered/pictures";
import { before } from "@/diff/whole";
import { useWholeFile } from "@/diff/whole_file";

const MarkdownChange = lazy(() => import("@/diff/rendered/MarkdownChange"));
const NotebookChange = lazy(() => import("@/diff/rendered/NotebookChange"));
const PictureChange = lazy(() => import("@/diff/rendered/PictureChange"));
const StoredPictures = lazy(() => import("@/diff/rendered/StoredPictures"));

interface Props {
  readonly file: FilePatch;
  readonly kind: RenderedKind;
}

/** Show a change as it looks. */
export function Rendered({ file, kind }: Props) {
  const isText = kind !== "picture" || isVector(pathOf(file));
  return (
    <div className={classes.rendered}>
      <Suspense fallback={<p className="dim">Loading…</p>}>
        {isText ? <OfText file={file} kind={kind} /> : <StoredPictures file={file} />}
      </Suspense>
    </div>
  );
}

function OfText({ file, kind }: Props) {
  const whole = useWholeFile(file, true);
  const removed = file.kind === "delete" ? removedText(file) : null;
  if (whole === undefined && removed === null) {
    return <p className="dim">Loading…</p>;
  }
  const [old, fresh] = removed !== null ? [removed, ""] : textsOf(file, whole ?? null);
  if (old === null || fresh === null) {
    return <p className="dim">This file can't be read in full: see the lines instead.</p>;
  }
  switch (kind) {
    case "markdown":
      return <MarkdownChange before={old} after={fresh} />;
    case "notebook":
      return <NotebookChange before={old} after={fresh} />;
    case "picture":
      return (
        <PictureChange
          before={old === "" ? null : { address: vectorAddress(old) }}
          after={fresh === "" ? null : { address: vectorAddress(fresh) }}
        />
      );
  }
}

function textsOf(file: FilePatch, whole: readonly string[] | null): [string | null, string | null] {
  if (whole === null) {
    return [null, null];
  }
  return [file.kind === "add" ? "" : before(file, whole).join("\n"), whole.join("\n")];
}

/** Return the text of a file that was removed: its patch has all of it. */
function removedText(file: FilePatch): string {
  return file.hunks.flatMap(({ changes }) => changes.map(({ content }) => content)).join("\n");
}
