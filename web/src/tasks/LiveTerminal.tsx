/** A terminal that runs, drawn by xterm; loaded only where one is opened. */

import { type ITheme, Terminal } from "@xterm/xterm";
import { Problem, type Schemas } from "@/api/client";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "react";
import { follow } from "@/api/events/connection";
import { topicOf } from "@/api/events/topics";
import { useThread } from "@/api/queries";
import { beyond, type Piece } from "@/tasks/output";
import { Palette } from "@/tasks/palette";
import { readOutput } from "@/tasks/readOutput";
import classes from "@/tasks/task.module.css";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly threadId: string;
  readonly terminal: Pick<Schemas["TerminalView"], "stream" | "label">;
}

const SCROLLBACK = 10_000;

/** The size that programs find their terminal in (adapters/terminals): what they draw fits it alone. */
const COLUMNS = 120;
const ROWS = 24;

/** Show what a running terminal says, as it says it; nothing can be typed into it. */
export default function LiveTerminal({ threadId, terminal }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const position = useThread(threadId).data?.position ?? null;
  const from = useRef(position);
  from.current = position;
  const [problem, setProblem] = useState<Problem | null>(null);
  const isReady = position !== null;
  const { stream, label } = terminal;
  useEffect(() => {
    if (box.current === null || !isReady) {
      return;
    }
    const drawn = draw(box.current);
    const palette = new Palette();
    const stop = read(threadId, stream, from.current ?? 0, (text) =>
      drawn.terminal.write(palette.take(text)),
    );
    stop.done.catch((error: unknown) => {
      if (error instanceof Problem) {
        setProblem(error);
      }
    });
    return () => {
      stop.end();
      drawn.end();
    };
  }, [threadId, stream, isReady]);
  return (
    <>
      <section ref={box} className={classes.xterm} aria-label={`Output of ${label || stream}`} />
      <Failure problem={problem} />
    </>
  );
}

/** Read what was said, then what comes: what comes meanwhile waits, so nothing is lost or repeated. */
function read(threadId: string, stream: string, after: number, write: (text: string) => void) {
  let read: number | null = null;
  let isOver = false;
  const waiting: Piece[] = [];
  const take = (piece: Piece) => {
    const fresh = beyond(read ?? 0, piece);
    read = fresh.position;
    write(fresh.text);
  };
  const unfollow = follow(topicOf(threadId), after, ({ journaled }) => {
    const event = journaled?.event;
    if (event?.stream !== stream || event.body.kind !== "terminal_output") {
      return;
    }
    if (read === null) {
      waiting.push(event.body);
    } else {
      take(event.body);
    }
  });
  const begin = async () => {
    const earlier = await readOutput(threadId, stream);
    if (isOver) {
      return;
    }
    if (earlier.skipped > 0) {
      write(`\x1b[2m(${earlier.skipped} earlier bytes omitted)\x1b[0m\r\n`);
    }
    write(earlier.text);
    read = earlier.position;
    waiting.forEach(take);
  };
  const end = () => {
    isOver = true;
    unfollow();
  };
  return { done: begin(), end };
}

function draw(box: HTMLElement): { terminal: Terminal; end: () => void } {
  const terminal = new Terminal({
    documentOverride: lawfulDocument(),
    disableStdin: true,
    convertEol: true,
    cols: COLUMNS,
    rows: ROWS,
    scrollback: SCROLLBACK,
    fontSize: 12,
    fontFamily: variable("--mono"),
    screenReaderMode: true,
    theme: colours(),
    linkHandler: { activate: () => undefined },
  });
  openIn(box, terminal);
  const scheme = new MutationObserver(() => {
    terminal.options.theme = colours();
  });
  scheme.observe(document.documentElement, {
    attributeFilter: ["data-mantine-color-scheme"],
  });
  const end = () => {
    scheme.disconnect();
    terminal.dispose();
  };
  return { terminal, end };
}

function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colours of programs, all of them legible on the ground; white and black are our text's. */
function colours(): ITheme {
  const named: ITheme = {
    red: variable("--fail"),
    green: variable("--ok"),
    yellow: variable("--wait"),
    blue: variable("--run"),
    magenta: variable("--plan"),
    cyan: variable("--accent"),
    white: variable("--text"),
    black: variable("--text-dim"),
  };
  const bright = Object.entries(named).map(([name, colour]) => [
    `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    colour,
  ]);
  return {
    ...named,
    ...Object.fromEntries(bright),
    background: variable("--code-bg"),
    foreground: variable("--text"),
    cursor: variable("--code-bg"),
    selectionBackground: variable("--bg-selected"),
  };
}

type Make = (tag: string, options?: ElementCreationOptions) => HTMLElement;

/** Return how elements are made; a `<style>` carries the nonce, as the page's policy takes no others. */
function lawful(): Make {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  const make: Make = Document.prototype.createElement.bind(document);
  return (tag, options) => {
    const element = make(tag, options);
    if (element instanceof HTMLStyleElement) {
      element.nonce = nonce;
    }
    return element;
  };
}

/** The document as xterm is to see it. */
function lawfulDocument(): Document {
  const make = lawful();
  return new Proxy(document, {
    get(target, name) {
      const value: unknown = name === "createElement" ? make : Reflect.get(target, name, target);
      return typeof value === "function" && value !== make ? value.bind(target) : value;
    },
  });
}

/** Open a terminal; its scrollbar makes a `<style>` in the real document, whatever xterm is told. */
function openIn(box: HTMLElement, terminal: Terminal): void {
  document.createElement = lawful() as typeof document.createElement;
  try {
    terminal.open(box);
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
