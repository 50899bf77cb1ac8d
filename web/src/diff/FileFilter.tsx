/** The field that finds files of a change. */

import { TextInput } from "@mantine/core";
import { type RefObject, useDeferredValue, useMemo, useState } from "react";
import { matchingFiles } from "@/diff/filter";
import type { FilePatch } from "@/diff/patch";

interface Filtered {
  /** The files that are found. */
  readonly files: readonly FilePatch[];
  readonly sought: string;
  readonly seek: (text: string) => void;
}

/** Keep what is looked for in the files of a change. */
export function useFileFilter(all: readonly FilePatch[]): Filtered {
  const [sought, seek] = useState("");
  const words = useDeferredValue(sought);
  const files = useMemo(() => matchingFiles(all, words), [all, words]);
  return { files, sought, seek };
}

interface Props {
  readonly filter: Filtered;
  readonly all: number;
  readonly field?: RefObject<HTMLInputElement | null>;
}

/** Show the field, and how many files are found. */
export function FileFilter({ filter: { files, sought, seek }, all, field }: Props) {
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      mb={6}
      aria-label="Find files by path or changed text"
      placeholder="Path or changed text"
      value={sought}
      rightSection={sought.trim() === "" ? null : `${files.length}/${all}`}
      rightSectionWidth={56}
      onChange={(event) => seek(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          seek("");
          event.currentTarget.blur();
        }
      }}
    />
  );
}
