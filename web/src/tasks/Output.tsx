/** What a step or a process said: its end, and all of it on demand. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, Problem } from "@/api/client";
import classes from "@/tasks/task.module.css";
import { Ansi } from "@/ui/Ansi";
import { Failure } from "@/ui/Failure";

const PART = 64 * 1024;

interface Props {
  readonly text: string;
  /** Names the whole text in the journal, where `text` is its end only. */
  readonly reference?: string | null;
}

/** Show an output; one that was cut can be shown whole, a part at a time. */
export function Output({ text, reference = null }: Props) {
  const [parts, setParts] = useState(0);
  const whole = useQuery({
    queryKey: ["text", reference],
    enabled: parts > 0 && reference !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data } = await api.GET("/v1/texts/{reference}", {
        params: { path: { reference: reference ?? "" } },
        parseAs: "text",
      });
      return data ?? "";
    },
  });
  const all = whole.data;
  const shown = all === undefined ? text : all.slice(0, parts * PART);
  const left = all === undefined ? 0 : all.length - shown.length;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const content = box.current?.querySelector("pre");
    if (content) {
      content.scrollTop = content.scrollHeight; // the end tells most
    }
  }, []);
  return (
    <div ref={box} className={classes.outputBox}>
      {reference !== null && all === undefined && (
        <Button variant="subtle" loading={whole.isFetching} onClick={() => setParts(1)}>
          Show all
        </Button>
      )}
      <Ansi text={shown} />
      {left > 0 && (
        <Button variant="subtle" onClick={() => setParts(parts + 4)}>
          Show more ({Math.ceil(left / 1024)} KB left)
        </Button>
      )}
      <Failure problem={whole.error instanceof Problem ? whole.error : null} />
    </div>
  );
}
