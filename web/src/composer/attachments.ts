/** Files for a message: kept by the engine first, then named by the message. */

import { useCallback, useState } from "react";
import { api, body, header, newCommandId, Problem, type Schemas } from "@/api/client";
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
  const [kept, keep] = useDraft(`${draft}.files`);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(0);
  const files = parsed(kept);
  const add = useCallback(
    async (chosen: readonly File[]) => {
      setProblem(null);
      setBusy((count) => count + 1);
      try {
        const added = await Promise.all(chosen.map(sent));
        const all = [...parsed(kept), ...added].slice(0, MOST);
        keep(JSON.stringify(all));
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw error;
        }
        setProblem(error);
      } finally {
        setBusy((count) => count - 1);
      }
    },
    [kept, keep],
  );
  const put = (more: readonly Attachment[]) => {
    const all = [...more, ...files].slice(0, MOST);
    keep(all.length === 0 ? "" : JSON.stringify(all));
  };
  const remove = (file: Attachment) => {
    const left = files.filter((other) => other !== file);
    keep(left.length === 0 ? "" : JSON.stringify(left));
  };
  const clear = () => keep("");
  return { files, isBusy: busy > 0, problem, add, put, remove, clear };
}

function parsed(kept: string): readonly Attachment[] {
  return kept === "" ? [] : (JSON.parse(kept) as Attachment[]);
}

async function sent(file: File): Promise<Attachment> {
  if (file.size === 0 || file.size > LIMIT_BYTES) {
    const size = `${(file.size / 1_000_000).toFixed(1)} MB`;
    throw new Problem(
      "invalid",
      "Not attached",
      `a file has 1 byte to 5 MB, ${file.name} has ${size}`,
    );
  }
  return body(
    api.POST("/v1/attachments", {
      params: { header },
      body: {
        command_id: newCommandId(),
        name: file.name.replaceAll(/[/\\]/g, "-") || "pasted",
        content: await base64Of(file),
      },
    }),
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
