/** A terminal that runs, drawn by xterm; loaded only where one is opened. */

import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "react";
import { api, body, Problem, type Schemas } from "@/api/client";
import { useThread } from "@/api/queries";
import { follow } from "@/live/connection";
import { topicOf } from "@/live/topics";
import { addressOf, beyond, type Piece } from "@/task/output";
import classes from "@/task/task.module.css";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly threadId: string;
  readonly terminal: Schemas["TerminalView"];
}

const SCROLLBACK = 10_000;

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
    const stop = read(threadId, stream, from.current ?? 0, (text) => drawn.terminal.write(text));
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
    const said = journaled?.event;
    if (said?.stream !== stream || said.body.kind !== "terminal_output") {
      return;
    }
    if (read === null) {
      waiting.push(said.body);
    } else {
      take(said.body);
    }
  });
  const begin = async () => {
    const said = await body(
      api.GET("/v1/threads/{thread}/{kind}/{name}/terminals/{number}/output", {
        params: { path: addressOf(threadId, stream) },
      }),
    );
    if (isOver) {
      return;
    }
    if (said.skipped > 0) {
      write(`\x1b[2m(${said.skipped} bytes before this are left out)\x1b[0m\r\n`);
    }
    write(said.text);
    read = said.position;
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
    documentOverride: withNonce(),
    disableStdin: true,
    convertEol: true,
    scrollback: SCROLLBACK,
    fontSize: 12,
    fontFamily: variable("--mono"),
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    theme: colours(),
    linkHandler: { activate: () => undefined },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(box);
  const size = new ResizeObserver(() => fit.fit());
  size.observe(box);
  const scheme = new MutationObserver(() => {
    terminal.options.theme = colours();
  });
  scheme.observe(document.documentElement, {
    attributeFilter: ["data-mantine-color-scheme"],
  });
  const end = () => {
    size.disconnect();
    scheme.disconnect();
    terminal.dispose();
  };
  return { terminal, end };
}

function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function colours(): ITheme {
  return {
    background: variable("--code-bg"),
    foreground: variable("--text"),
    cursor: variable("--code-bg"),
    selectionBackground: variable("--bg-selected"),
  };
}

/** The document, but its `<style>` elements carry the page's nonce: the policy takes no others. */
function withNonce(): Document {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return new Proxy(document, {
    get(target, name) {
      if (name === "createElement") {
        return (tag: string, options?: ElementCreationOptions) => {
          const element = target.createElement(tag, options);
          if (element instanceof HTMLStyleElement) {
            element.nonce = nonce;
          }
          return element;
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
