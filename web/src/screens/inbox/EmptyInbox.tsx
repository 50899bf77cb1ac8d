/** The inbox with nothing in it: what runs, or, where there is nothing at all, how to begin. */

import { Play } from "lucide-react";
import { Link, useLocation } from "wouter";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { type SideLine, shownStatus } from "@/api/lines";
import { useLines } from "@/api/useLines";
import classes from "@/screens/inbox/inbox.module.css";
import { Elapsed } from "@/ui/Ago";
import { Bar } from "@/ui/Bar";
import { CommandButton } from "@/ui/CommandButton";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Status } from "@/ui/Status";

const EXAMPLES = [
  "Add a --json option to the command line, with tests",
  "Find out why the test suite is slow, and speed up its slowest part",
  "Update the README to match the code",
] as const;

/** Say that nothing waits. */
export function EmptyInbox() {
  const lines = useLines();
  if (lines === undefined) {
    return null;
  }
  return lines.length === 0 ? <FirstRun /> : <AllAnswered lines={lines} />;
}

function AllAnswered({ lines }: { readonly lines: readonly SideLine[] }) {
  const working = lines.filter((line) => line.isWorking);
  return (
    <Empty
      title="Inbox · nothing needs you"
      text={
        working.length === 0
          ? "Nothing is running either. Requests for you appear here and in the tab title."
          : "Requests for you appear here and in the tab title. Running now:"
      }
    >
      {working.length > 0 && (
        <ul className={classes.running} aria-label="Running now">
          {working.map((line) => (
            <li key={line.id}>
              <Status status={shownStatus(line)} />
              <Link href={line.href}>{line.title}</Link>
              {line.total > 0 && <Bar done={line.done} total={line.total} />}
              {line.openedAt && (
                <span className="dim">
                  <Elapsed from={line.openedAt} to={null} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <LinkButton to="/new">New thread</LinkButton>
    </Empty>
  );
}

/** EmptyInbox was ever begun: one click starts something real. */
function FirstRun() {
  const [, go] = useLocation();
  const demo = useCommand((commandId: string) => post("/v1/demo", {}, { command_id: commandId }));
  const start = async () => {
    const opened = await demo.send();
    if (opened !== null) {
      go(`/threads/${opened.thread_id}`);
    }
  };
  return (
    <Empty
      title="Welcome to Treadle"
      text="Agents plan and do the work; you approve, decide, and review. Start your first thread:"
    >
      <div className={classes.first}>
        <CommandButton
          size="sm"
          leftSection={<Play size={14} aria-hidden />}
          command={demo}
          onClick={() => void start()}
        >
          Start the demo thread
        </CommandButton>
        <p className="dim">
          Creates a small repository and works in it with a scripted agent: no login, no cost, and a
          plan to approve within seconds.
        </p>
        <Failure problem={demo.problem} onRetry={() => void start()} />
      </div>
      <h2>Or start with your own goal</h2>
      <ul className={classes.examples}>
        {EXAMPLES.map((goal) => (
          <li key={goal}>
            <Link href={`/new?goal=${encodeURIComponent(goal)}`}>{goal}</Link>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
