/** Which repository: one that was worked in before, or a typed path. */

import { Autocomplete } from "@mantine/core";
import { useCallback, useDeferredValue, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useFolders, useSuggestedRepositories } from "@/api/resources";
import classes from "@/ui/pickers.module.css";

interface Props {
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly label?: string;
  readonly description?: string;
  readonly error?: string;
  readonly isRequired?: boolean;
  /** Folders of the engine's machine are offered for what is typed. */
  readonly isCompleted?: boolean;
  /** Is told of a path that was chosen, or typed to its end: Enter, or the field was left. */
  readonly onSettled?: (path: string) => void;
}

/** Take the path of a repository, every keystroke of it. */
export function RepositoryPicker({
  value,
  onChange,
  label = "Repository",
  description,
  error,
  isRequired = false,
  isCompleted = false,
  onSettled,
}: Props) {
  const known = useSuggestedRepositories();
  const typed = useDeferredValue(value);
  const folders = useFolders(
    isCompleted && typed.startsWith("/") && !known.includes(typed) ? typed : "",
  );
  const settle = (path: string) => onSettled?.(path.trim());
  return (
    <Autocomplete
      size="xs"
      label={label}
      placeholder="/home/you/code/app"
      data={[...new Set([...known, ...folders])]}
      value={value}
      onChange={onChange}
      onOptionSubmit={settle}
      onBlur={() => settle(value)}
      onKeyDown={(event) => event.key === "Enter" && settle(value)}
      required={isRequired}
      description={description}
      error={error}
      limit={12}
      withScrollArea={false}
      classNames={{ input: classes.path, dropdown: classes.dropdown, option: classes.path }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/**
 * Narrow a screen to a repository: the path is taken when it is chosen, or typed to its end.
 *
 * The choice is remembered in this browser, so the next screen begins with it.
 */
export function RepositoryFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (path: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const settle = (path: string) => {
    if (path !== value && (path === "" || path.startsWith("/"))) {
      onChange(path);
    }
  };
  return (
    <div className={classes.filter}>
      <RepositoryPicker value={typed} onChange={setTyped} onSettled={settle} label="Repository" />
    </div>
  );
}

const REMEMBERED = "treadle.repository";

/**
 * The repository that a screen is narrowed to; empty is none.
 *
 * It stands in the address, so that a link shows the same, and is remembered in this browser.
 */
export function useChosenRepository(): readonly [string, (path: string) => void] {
  const [query, setQuery] = useSearchParams();
  const path = query.get("repository") ?? localStorage.getItem(REMEMBERED) ?? "";
  const choose = useCallback(
    (chosen: string) => {
      localStorage.setItem(REMEMBERED, chosen);
      setQuery(
        (before) => {
          before.set("repository", chosen);
          return before;
        },
        { replace: true },
      );
    },
    [setQuery],
  );
  return [path, choose];
}
