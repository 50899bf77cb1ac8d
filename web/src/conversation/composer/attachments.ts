/** Files for a message: kept by the engine first, then named by the message. */

import { useCallback, useRef, useState } from "react";
import { newCommandId, Problem, post, type Schemas } from "@/api/client";
import { problemOf } from "@/api/resources";
import { useDraft } from "@/ui/draft";

/** A file that the engine keeps. */
export type Attachment = Schemas["Attachment"];

const LIMIT_BYTES = 5_000_000;
const MOST = 10;

/** The files of a draft. */
export interface Attachments {
  readonly files: readonly Attachment[];
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly add: (files: readonly File[]) => Promise<void>;
  /** Put files to it that the engine keeps already. */
  readonly put: (files: readonly Attachment[]) => void;
  readonly remove: (file: Attachment) => void;
  readonly clear: () => void;
}

/** Keep the files of a draft; they outlive a reload, as their content is with the engine. */
export function useAttachments(draft: string): Attachments {
  const [saved, keep] = useDraft(`${draft}.files`);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(0);
  const files = parsed(saved);
  const latest = useRef(files);
  latest.current = files;
  const put = useCallback(
    (all: readonly Attachment[]) => {
      latest.current = all.slice(0, MOST);
      keep(all.length === 0 ? "" : JSON.stringify(latest.current));
      if (all.length > MOST) {
        setProblem(
          new Problem(
            "invalid",
            "Some files were not attached",
            `a message can have at most ${MOST} files`,
          ),
        );
      }
    },
    [keep],
  );
  const add = useCallback(
    async (chosen: readonly File[]) => {
      setProblem(null);
      setBusy((count) => count + 1);
      const results = await Promise.allSettled(chosen.map(sent));
      setBusy((count) => count - 1);
      const added = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      if (added.length > 0) {
        put([...latest.current, ...added]);
      }
      const failed = results.find((one) => one.status === "rejected");
      if (failed !== undefined) {
        setProblem(problemOf(failed.reason));
      }
    },
    [put],
  );
  const remove = (file: Attachment) => {
    setProblem(null);
    put(files.filter((other) => other !== file));
  };
  const clear = () => keep("");
  const putBack = (more: readonly Attachment[]) => put([...more, ...latest.current]);
  return { files, isBusy: busy > 0, problem, add, put: putBack, remove, clear };
}

function parsed(note: string): readonly Attachment[] {
  return note === "" ? [] : (JSON.parse(note) as Attachment[]);
}

async function sent(file: File): Promise<Attachment> {
  if (file.size === 0 || file.size > LIMIT_BYTES) {
    const size = `${(file.size / 1_000_000).toFixed(1)} MB`;
    throw new Problem(
      "invalid",
      "Not attached",
      `files must be between 1 byte and 5 MB; ${file.name} is ${size}`,
    );
  }
  return post(
    "/v1/attachments",
    {},
    {
      command_id: newCommandId(),
      name: file.name.replaceAll(/[/\\]/g, "-") || "pasted",
      content: await base64Of(file),
    },
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ""));
    reader.onerror = () =>
      reject(new Problem("unreadable", "Not attached", `cannot read ${file.name}`));
    reader.readAsDataURL(file);
  });
}
