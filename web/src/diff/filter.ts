/** Which files of a change a person looks for: by path, or by the text of what changed; pure. */

import { type FilePatch, pathOf } from "./patch.ts";

/** A shorter text is looked for in paths alone. */
const LEAST = 3;

/** Return the files that have all words in their path, or the whole text in a line that changed. */
export function matchingFiles(files: readonly FilePatch[], text: string): readonly FilePatch[] {
  const sought = text.trim().toLowerCase();
  if (sought === "") {
    return files;
  }
  const words = sought.split(/\s+/);
  return files.filter((file) => {
    const path = `${file.oldPath} ${pathOf(file)}`.toLowerCase();
    return (
      words.every((word) => path.includes(word)) ||
      (sought.length >= LEAST && hasText(file, sought))
    );
  });
}

function hasText(file: FilePatch, text: string): boolean {
  return file.hunks.some(({ changes }) =>
    changes.some(({ type, content }) => type !== "normal" && content.toLowerCase().includes(text)),
  );
}

/** A row of the tree: a folder, or a file in it. */
export type TreeRow =
  | {
      readonly kind: "folder";
      readonly path: string;
      readonly files: number;
      readonly isClosed: boolean;
    }
  | { readonly kind: "file"; readonly path: string; readonly file: FilePatch };

/**
 * Return the rows of a tree: each folder with changed files, once, and these unless it is closed.
 *
 * By their paths the files of a folder lie before and behind those of the folders in it.
 */
export function treeRows(files: readonly FilePatch[], closed: ReadonlySet<string>): TreeRow[] {
  const folders = new Map<string, FilePatch[]>();
  for (const file of files) {
    const folder = folderOf(pathOf(file));
    const there = folders.get(folder);
    if (there === undefined) {
      folders.set(folder, [file]);
    } else {
      there.push(file);
    }
  }
  return [...folders].flatMap(([path, own]): TreeRow[] => {
    const isClosed = closed.has(path);
    const count = own.length;
    const head: TreeRow[] = path === "" ? [] : [{ kind: "folder", path, files: count, isClosed }];
    const rows = own.map((file): TreeRow => ({ kind: "file", path: pathOf(file), file }));
    return isClosed ? head : [...head, ...rows];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
