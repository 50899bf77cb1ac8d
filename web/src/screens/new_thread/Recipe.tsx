/** How the workspaces of a repository are set up: its recipe, or one to propose, try and keep. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useRecipe } from "@/api/resources";
import classes from "@/screens/new_thread/new_thread.module.css";
import { Proposal } from "@/screens/new_thread/Proposal";
import { Safe } from "@/ui/Safe";
import { Trust } from "@/ui/Trust";

interface Props {
  readonly repository: string;
}

/** Show a repository's recipe; what it runs is shown before a person lets it. */
export function Recipe({ repository }: Props) {
  const query = useRecipe(repository);
  const [isProposing, setProposing] = useState("");
  const view = query.data;
  if (!view) {
    return <p className={`${classes.recipe} dim`}>{notRead(repository, query.isError)}</p>;
  }
  if (view.problem) {
    return (
      <p className={classes.error} role="alert">
        <Safe text={view.problem} />
      </p>
    );
  }
  if (view.found) {
    return <Found found={view.found} text={view.text ?? ""} repository={repository} />;
  }
  if (isProposing === repository) {
    return <Proposal repository={repository} onClose={() => setProposing("")} />;
  }
  return (
    <div className={classes.recipe}>
      <span className="dim">
        Tasks start with what git tracks: no dependencies, no ignored files.
      </span>
      <Button variant="subtle" size="compact-xs" onClick={() => setProposing(repository)}>
        Propose a workspace recipe
      </Button>
    </div>
  );
}

/** A line where the recipe will stand, so that nothing moves under the pointer once it is read. */
function notRead(repository: string, isRefused: boolean): string {
  if (repository === "") {
    return "The workspace recipe of a folder is shown here.";
  }
  return isRefused ? "The workspace recipe could not be read." : "Reading the workspace recipe …";
}

interface FoundProps {
  readonly found: Schemas["FoundRecipe"];
  readonly text: string;
  readonly repository: string;
}

function Found({ found, text, repository }: FoundProps) {
  const acts = found.acts ?? [];
  if (acts.length > 0 && found.is_trusted !== true) {
    return (
      <Trust
        what="the workspace recipe"
        acts={acts}
        contentHash={found.content_hash}
        query="recipes"
        trust={() =>
          post("/v1/recipes/trust", {}, { repository, content_hash: found.content_hash })
        }
      />
    );
  }
  return (
    <details className={classes.more}>
      <summary>Workspace recipe</summary>
      <div className="dim mono ellipsis" title={found.path}>
        {found.path}
      </div>
      <pre className="pre-wrap mono">
        <Safe text={text} />
      </pre>
    </details>
  );
}
