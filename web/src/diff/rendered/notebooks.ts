/** Jupyter notebooks as cells, and which of them changed; pure. */

import { diffArrays } from "diff";

/** What a cell gave when it last ran, as far as it is shown: text, a picture, or only what it is. */
export interface Output {
  readonly kind: "text" | "png" | "jpeg" | "other";
  readonly text: string;
}

/** A cell. */
export interface Cell {
  readonly kind: "code" | "markdown" | "raw";
  readonly source: string;
  readonly outputs: readonly Output[];
}

/** A notebook: its cells, and the language of its code. */
export interface Notebook {
  readonly language: string;
  readonly cells: readonly Cell[];
}

/** A cell as it was and as it is; one side is null where it was added or removed. */
export interface CellChange {
  readonly before: Cell | null;
  readonly after: Cell | null;
}

const MOST_CELLS = 2000;

type Json = Readonly<Record<string, unknown>>;

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

/** Text in a notebook is a string, or a list of lines. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join("") : typeof value === "string" ? value : "";
}

/** Read a notebook; null where it is none. */
export function readNotebook(text: string): Notebook | null {
  let parsed: Json;
  try {
    parsed = asObject(JSON.parse(text));
  } catch {
    return null;
  }
  if (!Array.isArray(parsed.cells) || parsed.cells.length > MOST_CELLS) {
    return null;
  }
  const metadata = asObject(parsed.metadata);
  const named = asObject(metadata.language_info).name ?? asObject(metadata.kernelspec).language;
  return { language: textOf(named) || "python", cells: parsed.cells.map(cellOf) };
}

function cellOf(value: unknown): Cell {
  const cell = asObject(value);
  const kind = cell.cell_type === "markdown" || cell.cell_type === "raw" ? cell.cell_type : "code";
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(outputOf) : [];
  return { kind, source: textOf(cell.source), outputs };
}

function outputOf(value: unknown): Output {
  const output = asObject(value);
  const data = asObject(output.data);
  for (const kind of ["png", "jpeg"] as const) {
    const picture = textOf(data[`image/${kind}`]).replace(/\s/g, "");
    if (/^[A-Za-z0-9+/]+=*$/.test(picture)) {
      return { kind, text: picture };
    }
  }
  const text = textOf(output.text) || textOf(data["text/plain"]) || textOf(output.traceback) || "";
  if (text !== "" && !("text/html" in data && data["text/plain"] === undefined)) {
    return { kind: "text", text };
  }
  return { kind: "other", text: Object.keys(data).join(", ") || textOf(output.output_type) };
}

function nameOf(cell: Cell): string {
  return JSON.stringify(cell);
}

/** Return the cells that changed: one that came in the place of another of its kind is beside it. */
export function changedCells(before: Notebook, after: Notebook): readonly CellChange[] {
  const changes: CellChange[] = [];
  const parts = diffArrays(before.cells.map(nameOf), after.cells.map(nameOf));
  let [old, fresh] = [0, 0];
  let removed: Cell[] = [];
  const flush = () => {
    changes.push(...removed.map((cell) => ({ before: cell, after: null })));
    removed = [];
  };
  for (const part of parts) {
    if (part.removed) {
      removed.push(...before.cells.slice(old, old + part.count));
      old += part.count;
    } else if (part.added) {
      for (const cell of after.cells.slice(fresh, fresh + part.count)) {
        const at = removed.findIndex(({ kind }) => kind === cell.kind);
        const [one = null] = at < 0 ? [] : removed.splice(at, 1);
        changes.push({ before: one, after: cell });
      }
      fresh += part.count;
      flush();
    } else {
      flush();
      old += part.count;
      fresh += part.count;
    }
  }
  flush();
  return changes;
}
