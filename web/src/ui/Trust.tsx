/** What a repository's file would run, shown before a person lets it. */

import { useQueryClient } from "@tanstack/react-query";
import { useCommand } from "@/api/commands";
import { useHosts } from "@/api/resources";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { placeOfRun } from "@/ui/hosts";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";
import { Safe } from "@/ui/Safe";

interface Props {
  /** What is trusted, as in `this flow`. */
  readonly what: string;
  readonly acts: readonly string[];
  readonly contentHash: string;
  readonly trust: () => Promise<unknown>;
  /** The queries that are read again afterwards. */
  readonly query: string;
  /** Whose file it is; empty is the first host that has it. */
  readonly host?: string;
}

/** Show the commands of a file, and take the person's word for this very content. */
export function Trust({ what, acts, contentHash, trust, query, host = "" }: Props) {
  const queries = useQueryClient();
  const hosts = useHosts().data?.hosts ?? [];
  const command = useCommand(async () => {
    await trust();
    await queries.invalidateQueries({ queryKey: [query] });
  });
  const mayTrust = useAccidentGuard(contentHash);
  return (
    <Panel title={`Trust ${what}?`}>
      <div className={classes.form}>
        <p>
          This comes with the repository and runs the following{" "}
          <Safe text={placeOfRun(hosts, host)} />. Nothing runs until you trust it. Trust applies to
          this content only; if the file changes, you are asked again.
        </p>
        {acts.map((act) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre key={act} className={classes.code} tabIndex={0}>
            <Safe text={act} />
          </pre>
        ))}
        <div className={classes.line}>
          <CommandButton
            needs="approver"
            command={command}
            onClick={() => mayTrust() && void command.send()}
          >
            Trust
          </CommandButton>
          <span className="dim mono">content {contentHash.slice(0, 12)}</span>
        </div>
        <Failure problem={command.problem} />
      </div>
    </Panel>
  );
}
