/** Which files a person has looked at; a mark falls when the file's change is another. */

import { useCallback, useState } from "react";
import { type FilePatch, pathOf } from "@/diff/patch";

type Marks = Readonly<Record<string, string>>;

/** What is viewed, and how a mark is set and taken away. */
export interface Viewed {
  readonly has: (file: FilePatch) => boolean;
  readonly set: (file: FilePatch, isViewed: boolean) => void;
}

function read(key: string): Marks {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof saved === "object" && saved !== null ? (saved as Marks) : {};
  } catch {
    return {};
  }
}

/** Keep marks of a task's files in this browser, by the hash of each file's change. */
export function useViewed(threadId: string, taskId: string): Viewed {
  const key = `treadle.viewed.${threadId}.${taskId}`;
  const [marks, setMarks] = useState(() => read(key));
  const has = useCallback((file: FilePatch) => marks[pathOf(file)] === file.hash, [marks]);
  const set = useCallback(
    (file: FilePatch, isViewed: boolean) => {
      setMarks((before) => {
        const { [pathOf(file)]: _, ...others } = before;
        const next = isViewed ? { ...others, [pathOf(file)]: file.hash } : others;
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      });
    },
    [key],
  );
  return { has, set };
}
