/** Hosts: how each stands, what it does, and which get work. */

import { Badge } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { useMe } from "@/api/queries";
import { problemOf, useHosts } from "@/api/resources";
import { Decisions } from "@/screens/hosts/Decisions";
import classes from "@/screens/hosts/hosts.module.css";
import { decisionsOf, heartbeatAt, loadOf, mayDecide, standingOf } from "@/screens/hosts/standing";
import { Work } from "@/screens/hosts/Work";
import { Ago } from "@/ui/Ago";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Facts, Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

const LIVE_MS = 5_000;

/** The screen of the hosts. */
export default function Screen() {
  const query = useHosts(LIVE_MS);
  const hosts = query.data?.hosts ?? [];
  const isAdmin = mayDecide(useMe().data);
  return (
    <Page title="Hosts">
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        {query.data && hosts.length === 0 && (
          <Empty title="No hosts yet" text="A host is here once its worker has started." />
        )}
        {hosts.length > 0 && !isAdmin && (
          <p className="dim">Only an admin of the server can cordon, drain or give up a host.</p>
        )}
        {hosts.map((host) => (
          <HostPanel key={host.host} host={host} readAt={query.dataUpdatedAt} isAdmin={isAdmin} />
        ))}
      </div>
    </Page>
  );
}

interface HostProps {
  readonly host: Schemas["HostView"];
  /** When the host was read, in ms. */
  readonly readAt: number;
  readonly isAdmin: boolean;
}

function HostPanel({ host, readAt, isAdmin }: HostProps) {
  const { status, word } = standingOf(host);
  const beat = heartbeatAt(host, readAt);
  return (
    <Panel
      title={
        <span className={page.line}>
          <Safe text={host.name} />
          <Status status={status} word={word} />
        </span>
      }
      actions={
        isAdmin && <Decisions host={host.host} name={host.name} decisions={decisionsOf(host)} />
      }
    >
      <div className={classes.host}>
        <Facts
          facts={[
            ["Load", loadOf(host)],
            [
              "Heartbeat",
              beat === null ? (
                "none, its worker is stopped"
              ) : (
                <Ago key="beat" at={beat} suffix=" ago" />
              ),
            ],
            [
              "Labels",
              host.labels.length === 0 ? "" : <Labels key="labels" labels={host.labels} />,
            ],
            ["Agents", host.agents.join(", ") || "none are ready"],
            ["Version", host.version || "unknown"],
            ["Id", <code key="id">{host.host}</code>],
          ]}
        />
        <Work host={host} />
      </div>
    </Panel>
  );
}

function Labels({ labels }: { readonly labels: readonly string[] }) {
  return (
    <span className={page.line}>
      {labels.map((label) => (
        <Badge key={label} variant="default" tt="none">
          {label}
        </Badge>
      ))}
    </span>
  );
}
