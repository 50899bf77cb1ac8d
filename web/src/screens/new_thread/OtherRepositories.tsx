/** More repositories that the same thread changes, each with its own recipe. */

import { ActionIcon, Button } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import classes from "@/screens/new_thread/new_thread.module.css";
import { Recipe } from "@/screens/new_thread/Recipe";
import { RepositoryPicker } from "@/ui/RepositoryPicker";

const MOST = 8;

interface Props {
  readonly paths: readonly string[];
  readonly onChange: (paths: readonly string[]) => void;
  readonly error: string | undefined;
}

/** List the other repositories; a task is merged into all that it changes, or into none. */
export function OtherRepositories({ paths, onChange, error }: Props) {
  return (
    <fieldset className={classes.planners}>
      <legend>Other repositories</legend>
      {paths.map((path, index) => (
        <Other
          // biome-ignore lint/suspicious/noArrayIndexKey: a path changes while it is typed
          key={index}
          label={`Repository ${index + 2}`}
          path={path}
          onChange={(changed) => onChange(paths.with(index, changed))}
          onRemove={() => onChange(paths.toSpliced(index, 1))}
        />
      ))}
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      {paths.length < MOST && (
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...paths, ""])}
        >
          Add another repository
        </Button>
      )}
    </fieldset>
  );
}

interface OtherProps {
  readonly label: string;
  readonly path: string;
  readonly onChange: (path: string) => void;
  readonly onRemove: () => void;
}

function Other({ label, path, onChange, onRemove }: OtherProps) {
  const [settled, settle] = useState(path);
  return (
    <>
      <div className={classes.rival}>
        <RepositoryPicker label={label} value={path} onChange={onChange} onSettled={settle} />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Remove ${label.toLowerCase()}`}
          onClick={onRemove}
        >
          <X size={16} />
        </ActionIcon>
      </div>
      {path !== "" && <Recipe repository={settled} />}
    </>
  );
}
