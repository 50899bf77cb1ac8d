/** "Open in …": a worktree, or a line of a file in it, in the editor that this browser's person has chosen. */

import { ActionIcon, Button, Group, Menu, Modal, TextInput } from "@mantine/core";
import { ChevronDown, SquareArrowOutUpRight } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { get, Problem, type Schemas } from "@/api/client";
import { chooseEditor, chosenEditor, setSshTo, sshTo, useChosenEditor } from "@/ui/editor_choice";
import { EDITORS, type Editor, editorUrl, isSshTarget, terminalCommand } from "@/ui/editors";
import { Failure } from "@/ui/Failure";
import classes from "@/ui/open_in.module.css";
import { Safe } from "@/ui/Safe";

/** Whose worktree it is. */
export type Owner = { readonly task: string } | { readonly session: number };

/** Opens a file, or the worktree itself, in an editor; at the file's first line where none is named. */
type Open = (editor: Editor, file?: string, line?: number) => Promise<void>;

const Opening = createContext<Open | null>(null);
const EVERY = Object.keys(EDITORS) as Editor[];
const HERE = /(^|\.)localhost$|^127\.|^\[::1\]$/;

interface Shown {
  readonly editor: Editor;
  readonly at: Schemas["WorktreePlace"] | null;
  readonly line: number | null;
  readonly problem: Problem | null;
}

interface Props {
  readonly thread: string;
  readonly of: Owner;
  readonly children: ReactNode;
}

/** Have what is below open the files of a worktree; shows what cannot be opened, and how it is reached. */
export function Worktree({ thread, of, children }: Props) {
  const [shown, setShown] = useState<Shown | null>(null);
  const name = "task" in of ? of.task : of.session;
  const isTask = "task" in of;
  const open = useCallback<Open>(
    async (editor, file, line) => {
      chooseEditor(editor);
      const wanted = file === undefined ? null : (line ?? 1);
      try {
        const query = file === undefined ? {} : { file };
        const at = isTask
          ? await get("/v1/threads/{thread}/tasks/{task}/worktree", {
              path: { thread, task: String(name) },
              query,
            })
          : await get("/v1/threads/{thread}/sessions/{number}/worktree", {
              path: { thread, number: Number(name) },
              query,
            });
        const url = urlOf(editor, at, wanted);
        if (url === null) {
          setShown({ editor, at, line: wanted, problem: null });
        } else {
          follow(url);
        }
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw error;
        }
        setShown({ editor, at: null, line: wanted, problem: error });
      }
    },
    [thread, name, isTask],
  );
  return (
    <Opening value={open}>
      {children}
      <Modal opened={shown !== null} onClose={() => setShown(null)} title="Open in an editor">
        {shown && <Elsewhere key={shown.at?.path} shown={shown} />}
      </Modal>
    </Opening>
  );
}

/** Return the link, or null where there is none, or nobody has said how its machine is reached. */
function urlOf(editor: Editor, at: Schemas["WorktreePlace"], line: number | null): string | null {
  const ssh = sshTo(at.host);
  const isHere = at.is_here && HERE.test(window.location.hostname);
  return ssh === "" && !isHere ? null : editorUrl(editor, { path: at.path, line }, ssh);
}

/** Follow a link of another program; the page stays as it is. */
function follow(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noopener";
  document.body.append(link);
  link.click();
  link.remove();
}

/** What is to be copied, and how the machine is reached that has it. */
function Elsewhere({ shown }: { readonly shown: Shown }) {
  const { editor, at, line, problem } = shown;
  const [typed, setTyped] = useState(at === null ? "" : sshTo(at.host));
  if (at === null) {
    return <Failure problem={problem} />;
  }
  const ssh = typed.trim();
  const isWrong = ssh !== "" && !isSshTarget(ssh);
  const folder = line === null ? at.path : at.path.slice(0, at.path.lastIndexOf("/"));
  const url = editorUrl(editor, { path: at.path, line }, ssh);
  return (
    <div className={classes.elsewhere}>
      <Copied label="Path" text={at.path} />
      <Copied label="Shell" text={terminalCommand(folder, isWrong ? "" : ssh)} />
      <TextInput
        label={`How do you reach ${at.host} over SSH?`}
        description="A host in your SSH config, or user@host. Leave empty for this computer. Remembered in this browser."
        value={typed}
        error={isWrong ? "Not a valid host." : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {editor !== "terminal" && (
        <Group>
          <Button
            disabled={isWrong || url === null}
            onClick={() => {
              setSshTo(at.host, ssh);
              follow(url ?? "");
            }}
          >
            Open in {EDITORS[editor]}
          </Button>
          {url === null && !isWrong && (
            <span className="dim">{EDITORS[editor]} can't open this by link.</span>
          )}
        </Group>
      )}
    </div>
  );
}

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={classes.copied}>
      <span className="dim">{label}</span>
      <code>
        <Safe text={text} />
      </code>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}

/** Return what opens a line in the chosen editor; null where nothing around has a worktree. */
export function useOpenLine(): ((file: string, line: number) => void) | null {
  const open = useContext(Opening);
  return useMemo(
    () => open && ((file, line) => void open(chosenEditor() ?? "code", file, line)),
    [open],
  );
}

interface ButtonProps {
  /** What to open; without one the worktree itself. */
  readonly file?: string;
  readonly line?: number;
  /** An agent works there now. */
  readonly isBusy?: boolean;
}

const BUSY = "An agent is working here: your edits become part of its work.";

/** Offer the chosen editor, and the others in a menu. */
export function OpenInButton({ file, line, isBusy = false }: ButtonProps) {
  const open = useContext(Opening);
  const editor = useChosenEditor();
  if (open === null) {
    return null;
  }
  return (
    <Button.Group>
      {editor !== null && (
        <Button variant="default" onClick={() => void open(editor, file, line)}>
          Open in {EDITORS[editor]}
        </Button>
      )}
      <EditorMenu isBusy={isBusy} onChoose={(chosen) => void open(chosen, file, line)}>
        <Button
          variant="default"
          aria-label={editor === null ? undefined : "Open in another editor"}
          rightSection={editor === null && <ChevronDown size={14} aria-hidden />}
          {...(editor === null ? {} : { px: 6 })}
        >
          {editor === null ? "Open in…" : <ChevronDown size={14} aria-hidden />}
        </Button>
      </EditorMenu>
    </Button.Group>
  );
}

/** The same as an icon, for rows and heads of files. */
export function OpenFileIcon({ file, line }: { readonly file: string; readonly line?: number }) {
  const open = useContext(Opening);
  const editor = useChosenEditor();
  if (open === null) {
    return null;
  }
  const label = `Open ${file} in ${editor === null ? "an editor" : EDITORS[editor]}`;
  const icon = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      title={label}
      {...(editor === null ? {} : { onClick: () => void open(editor, file, line) })}
    >
      <SquareArrowOutUpRight size={13} aria-hidden />
    </ActionIcon>
  );
  return editor !== null ? (
    icon
  ) : (
    <EditorMenu onChoose={(chosen) => void open(chosen, file, line)}>{icon}</EditorMenu>
  );
}

interface MenuProps {
  readonly isBusy?: boolean;
  readonly onChoose: (editor: Editor) => void;
  readonly children: ReactNode;
}

function EditorMenu({ isBusy = false, onChoose, children }: MenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {isBusy && <Menu.Label className={classes.busy ?? ""}>{BUSY}</Menu.Label>}
        {EVERY.map((each) => (
          <Menu.Item key={each} onClick={() => onChoose(each)}>
            {EDITORS[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
