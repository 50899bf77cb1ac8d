/** How the engine is, as its API tells. */

import { useQuery } from "@tanstack/react-query";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useConnection } from "@/api/connectivity";
import { useHealth, useTemporal } from "@/api/resources";
import classes from "@/screens/settings/settings.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { unsubscribe } from "@/ui/push";
import { Status } from "@/ui/Status";

/** The version that the engine's own description names. */
function useVersion() {
  return useQuery({
    queryKey: ["version"],
    queryFn: async (): Promise<string> => {
      const answer = await fetch("/v1/openapi.json");
      const found: unknown = answer.ok ? await answer.json() : null;
      return versionIn(found);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function versionIn(found: unknown): string {
  if (typeof found !== "object" || found === null || !("info" in found)) {
    return "";
  }
  const { info } = found;
  const isShown = typeof info === "object" && info !== null && "version" in info;
  return isShown ? String(info.version) : "";
}

function Actions() {
  const signOut = useCommand(async () => {
    await unsubscribe(); // whoever uses this browser next must not be told
    const { url } = await post("/v1/sign-out", {}, {});
    window.location.assign(url);
  });
  return (
    <>
      <LinkButton to="/agents">Agents and logins</LinkButton>
      <CommandButton
        needs="none"
        command={signOut}
        variant="default"
        onClick={() => void signOut.send()}
      >
        Sign out
      </CommandButton>
    </>
  );
}

/** Show the connection, Temporal, the journal's position and the version. */
export function Engine() {
  const { state, isAlone } = useConnection();
  const health = useHealth().data;
  const version = useVersion().data ?? "";
  const hasWebUi = useTemporal();
  return (
    <Panel title="Engine" actions={<Actions />}>
      <dl className={classes.facts}>
        <dt>This page</dt>
        <dd>
          {state === "signed_out" ? "signed out: run treadle open" : `signed in, ${state}`}
          {isAlone && " · each tab has its own connection here"}
        </dd>
        <dt>Address</dt>
        <dd className="mono">{window.location.origin}</dd>
        <dt>Temporal</dt>
        <dd>
          {health === undefined ? (
            "unknown"
          ) : (
            <Status
              status={health.temporal === "up" ? "passed" : "failed"}
              word={health.temporal === "up" ? "answers" : "not responding: run treadle up"}
            />
          )}
        </dd>
        {hasWebUi && (
          <>
            <dt>Temporal Web UI</dt>
            <dd>
              <a href="/temporal" target="_blank" rel="noopener">
                Open in a new tab
              </a>
            </dd>
          </>
        )}
        <dt>Worker</dt>
        <dd>
          {health === undefined || health.worker === "unknown" ? (
            "unknown"
          ) : (
            <Status
              status={health.worker === "up" ? "passed" : "failed"}
              word={health.worker === "up" ? "running" : "none: run treadle up"}
            />
          )}
        </dd>
        <dt>Journal</dt>
        <dd>{health === undefined ? "unknown" : `${health.position.toLocaleString()} events`}</dd>
        {version !== "" && (
          <>
            <dt>API version</dt>
            <dd>{version}</dd>
          </>
        )}
      </dl>
      <p className="dim">
        The engine is configured by its settings file and environment variables;{" "}
        <code>treadle doctor</code> shows where its data and token are, and what is missing.
      </p>
    </Panel>
  );
}
