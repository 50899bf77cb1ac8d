/** Reads git's patches: hostile names, renames, modes, binary files, missing line ends; pure. */

import { pathsOf, unquoted } from "./paths.ts";

/** One line of a hunk. */
export type Change =
  | {
      readonly type: "normal";
      readonly oldLineNumber: number;
      readonly newLineNumber: number;
      readonly content: string;
    }
  | {
      readonly type: "insert";
      readonly lineNumber: number;
      readonly content: string;
    }
  | {
      readonly type: "delete";
      readonly lineNumber: number;
      readonly content: string;
    };

/** Lines that lie together. */
export interface Hunk {
  readonly content: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly changes: Change[];
}

/** What happened to a file. */
export type FileKind = "add" | "delete" | "modify" | "rename" | "copy";

/** The change of one file; `lines` counts those of its hunks, `hash` names all of its change. */
export interface FilePatch {
  kind: FileKind;
  oldPath: string;
  newPath: string;
  oldMode: string;
  newMode: string;
  isBinary: boolean;
  /** A part of it is missing: the patch was too long to be kept whole. */
  isCut: boolean;
  hasNoEndOfLine: boolean;
  hunks: Hunk[];
  insertions: number;
  deletions: number;
  lines: number;
  longest: number;
  hash: string;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Return the path that a file is known by: where it is now, or where it was. */
export function pathOf(file: FilePatch): string {
  return file.kind === "delete" ? file.oldPath : file.newPath;
}

/** Read a patch at once. */
export function parsePatch(text: string): FilePatch[] {
  const reader = new PatchReader(text);
  while (!reader.read(Number.MAX_SAFE_INTEGER)) {
    // reads to the end in one go
  }
  return reader.files;
}

/** Reads a patch a part at a time, so that a long one stops nothing else. */
export class PatchReader {
  readonly files: FilePatch[] = [];
  readonly #text: string;
  #at = 0;
  #file: FilePatch | null = null;
  #hunk: Hunk | null = null;
  #old = 0;
  #new = 0;
  #oldLeft = 0;
  #newLeft = 0;
  #hash = new Hash();

  constructor(text: string) {
    this.#text = text;
  }

  /** Read so many lines more; tells whether all are read. */
  read(lines: number): boolean {
    for (let count = 0; count < lines; count++) {
      if (this.#at >= this.#text.length) {
        this.#close();
        return true;
      }
      const end = this.#text.indexOf("\n", this.#at);
      const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 1;
      this.#take(line);
    }
    return false;
  }

  #take(line: string): void {
    if (this.#hunk !== null && this.#takeChange(this.#hunk, line)) {
      return;
    }
    this.#hunk = null;
    if (line.startsWith("diff --git ")) {
      this.#open(line);
    } else if (this.#file !== null) {
      this.#takeHeader(this.#file, line);
    }
  }

  #open(line: string): void {
    this.#close();
    const [oldPath, newPath] = pathsOf(line.slice("diff --git ".length));
    this.#file = {
      kind: "modify",
      oldPath,
      newPath,
      oldMode: "",
      newMode: "",
      isBinary: false,
      isCut: false,
      hasNoEndOfLine: false,
      hunks: [],
      insertions: 0,
      deletions: 0,
      lines: 0,
      longest: 0,
      hash: "",
    };
    this.files.push(this.#file);
    this.#hash = new Hash();
  }

  #close(): void {
    if (this.#hunk !== null && this.#file !== null && this.#oldLeft + this.#newLeft > 0) {
      this.#file.isCut = true;
    }
    this.#hunk = null;
    if (this.#file !== null) {
      this.#file.hash = this.#hash.text;
      this.#file = null;
    }
  }

  #takeHeader(file: FilePatch, line: string): void {
    const found = HUNK.exec(line);
    if (found) {
      this.#openHunk(file, found);
      return;
    }
    this.#hash.add(line);
    const [, word = "", rest = ""] =
      /^(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to|---|\+\+\+) (.*)$/.exec(
        line,
      ) ?? [];
    switch (word) {
      case "old mode":
        file.oldMode = rest;
        break;
      case "new mode":
        file.newMode = rest;
        break;
      case "deleted file mode":
        file.kind = "delete";
        file.oldMode = rest;
        break;
      case "new file mode":
        file.kind = "add";
        file.newMode = rest;
        break;
      case "rename from":
      case "copy from":
        file.kind = word === "rename from" ? "rename" : "copy";
        file.oldPath = unquoted(rest);
        break;
      case "rename to":
      case "copy to":
        file.newPath = unquoted(rest);
        break;
      case "---":
        file.oldPath = sideOf(rest, file.oldPath);
        break;
      case "+++":
        file.newPath = sideOf(rest, file.newPath);
        break;
      default:
        file.isBinary ||= line.startsWith("Binary files ") || line === "GIT binary patch";
        file.isCut ||= /^\[?\.\.\..*(cut|left out|omitted)/.test(line);
    }
  }

  #openHunk(file: FilePatch, found: RegExpExecArray): void {
    const [, oldStart, oldLines = "1", newStart, newLines = "1", heading = ""] = found;
    this.#old = Number(oldStart);
    this.#new = Number(newStart);
    this.#oldLeft = Number(oldLines);
    this.#newLeft = Number(newLines);
    this.#hunk = {
      content: heading,
      oldStart: this.#old,
      oldLines: this.#oldLeft,
      newStart: this.#new,
      newLines: this.#newLeft,
      changes: [],
    };
    file.hunks.push(this.#hunk);
    this.#hash.add(found[0]);
  }

  /** Take a line of the hunk; tells whether it is one. */
  #takeChange(hunk: Hunk, line: string): boolean {
    const file = this.#file;
    if (file === null) {
      return false;
    }
    if (line.startsWith("\\")) {
      file.hasNoEndOfLine = true;
      this.#hash.add(line);
      return true;
    }
    if (this.#oldLeft <= 0 && this.#newLeft <= 0) {
      return false;
    }
    const mark = line.charAt(0);
    const content = line.slice(1);
    if (mark === "+" && this.#newLeft > 0) {
      hunk.changes.push({ type: "insert", lineNumber: this.#new++, content });
      this.#newLeft--;
      file.insertions++;
    } else if (mark === "-" && this.#oldLeft > 0) {
      hunk.changes.push({ type: "delete", lineNumber: this.#old++, content });
      this.#oldLeft--;
      file.deletions++;
    } else if ((mark === " " || line === "") && this.#oldLeft > 0 && this.#newLeft > 0) {
      hunk.changes.push({
        type: "normal",
        oldLineNumber: this.#old++,
        newLineNumber: this.#new++,
        content,
      });
      this.#oldLeft--;
      this.#newLeft--;
    } else {
      file.isCut = true;
      return false;
    }
    file.lines++;
    file.longest = Math.max(file.longest, content.length);
    this.#hash.add(line);
    return true;
  }
}

function sideOf(word: string, known: string): string {
  const path = unquoted(word.replace(/\t$/, ""));
  return path === "/dev/null" ? known : path.replace(/^[ab]\//, "");
}

/** A hash of 53 bits of all lines that were added: enough to see that a file's change is another. */
class Hash {
  #one = 0xdeadbeef;
  #two = 0x41c6ce57;

  add(line: string): void {
    for (let index = 0; index < line.length; index++) {
      this.#mix(line.charCodeAt(index));
    }
    this.#mix(10);
  }

  #mix(code: number): void {
    this.#one = Math.imul(this.#one ^ code, 2654435761);
    this.#two = Math.imul(this.#two ^ code, 1597334677);
  }

  get text(): string {
    const high = (this.#two ^ (this.#one >>> 16)) >>> 0;
    const low = (this.#one ^ (this.#two >>> 13)) >>> 0;
    return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
  }
}
