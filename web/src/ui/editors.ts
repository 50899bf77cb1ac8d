/** Links and commands that open a folder, or a line of a file, in an editor: the rules of domain/core/editors.py. */

export const EDITORS = {
  code: "VS Code",
  "code-insiders": "VS Code Insiders",
  cursor: "Cursor",
  zed: "Zed",
  idea: "IntelliJ IDEA",
  pycharm: "PyCharm",
  webstorm: "WebStorm",
  terminal: "Terminal",
} as const;

export type Editor = keyof typeof EDITORS;

/** A folder by its path; with a `line` it is a line of a file. */
export interface Spot {
  readonly path: string;
  readonly line: number | null;
  readonly column?: number;
}

const LIKE_CODE: Partial<Record<Editor, string>> = {
  code: "vscode",
  "code-insiders": "vscode-insiders",
  cursor: "cursor",
};
const JETBRAINS: readonly Editor[] = ["idea", "pycharm", "webstorm"];
const SSH = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9._-]*(?::\d{1,5})?$/;
/** What an editor would take for a line where it is part of a name. */
const LIKE_A_LINE = /:\d+(?=:|$)/;

/** Whether a name is that of an editor. */
export function isEditor(name: string | null): name is Editor {
  return name !== null && Object.hasOwn(EDITORS, name);
}

/** Whether a text is a host, `user@host` or `host:port`, and no option of ssh. */
export function isSshTarget(text: string): boolean {
  return SSH.test(text);
}

/**
 * Return the link that opens a spot of the browser's machine, or of the one that is reached by `ssh`.
 *
 * Null where the editor has no such link: a terminal, JetBrains over ssh, a name with `:5` in it.
 */
export function editorUrl(editor: Editor, spot: Spot, ssh: string): string | null {
  if (ssh !== "" && !isSshTarget(ssh)) {
    return null;
  }
  const { path, line, column = 1 } = spot;
  if (JETBRAINS.includes(editor)) {
    const at = line === null ? "" : `&line=${line}&column=${column}`;
    return ssh === "" ? `${editor}://open?file=${quoted(path)}${at}` : null;
  }
  if (editor === "terminal" || LIKE_A_LINE.test(path)) {
    return null;
  }
  const at = line === null ? "" : `:${line}:${column}`;
  const whole = `${path.split("/").map(quoted).join("/")}${at}`;
  if (editor === "zed") {
    return ssh === "" ? `zed://file${whole}` : `zed://ssh/${ssh}${whole}`;
  }
  const scheme = LIKE_CODE[editor] ?? "vscode";
  if (ssh !== "") {
    return `${scheme}://vscode-remote/ssh-remote+${quoted(ssh)}${whole}`;
  }
  return `${scheme}://file${whole}${line === null ? "/" : ""}`;
}

/** Return the line for a shell that goes to a folder. */
export function terminalCommand(folder: string, ssh: string): string {
  const there = `cd ${shellWord(folder)}`;
  if (ssh === "" || !isSshTarget(ssh)) {
    return there;
  }
  const [host = "", port = ""] = ssh.split(":");
  const options = port === "" ? "" : `-p ${port} `;
  return `ssh -t ${options}${host} ${shellWord(`${there} && exec $SHELL -l`)}`;
}

/** Quoted as Python's `quote` does, which leaves less than `encodeURIComponent`. */
function quoted(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function shellWord(text: string): string {
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}
