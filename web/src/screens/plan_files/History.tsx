/** Who changed a plan file, when, and how. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { useLog } from "@/api/events/useLog";
import { DiffBlock } from "@/diff/DiffBlock";
import own from "@/screens/plan_files/plan_files.module.css";
import { type Change, changesFold, useText, type Which } from "@/screens/plan_files/queries";
import { Ago } from "@/ui/Ago";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: string;
  readonly which: Which;
}

const OPS: Readonly<Record<string, string>> = {
  init: "created from the template",
  write: "rewritten",
  update: "changed",
  clear: "cleared",
};

/** List changes of a file, the latest first; each opens to what it changed. */
export function History({ thread, which }: Props) {
  const log = useLog(thread, thread, changesFold);
  const changes = log.state.filter((change) => change.which === which).toReversed();
  return (
    <div className={own.history}>
      <Failure problem={log.problem} onRetry={() => void log.loadOlder()} />
      {changes.length === 0 && !log.isLoading && <p className="dim">No changes yet.</p>}
      {changes.map((change) => (
        <Entry key={change.position} change={change} />
      ))}
      {log.hasOlder && (
        <Button
          variant="default"
          loading={log.isLoading}
          onClick={() => void log.loadOlder()}
          style={{ alignSelf: "flex-start" }}
        >
          Earlier changes
        </Button>
      )}
    </div>
  );
}

function Entry({ change }: { readonly change: Change }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <article className={own.entry}>
      <button
        type="button"
        className={own.entryHead}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{OPS[change.op] ?? change.op}</span>
        {change.section && <code>{change.section}</code>}
        <span className="dim">
          by {change.session}, <Ago at={change.at} suffix=" ago" />
        </span>
      </button>
      {isOpen && <Changed change={change} />}
    </article>
  );
}

function Changed({ change }: { readonly change: Change }) {
  const before = useText(change.before);
  const after = useText(change.ref);
  if (after.isPending || (change.before !== "" && before.isPending)) {
    return <p className="dim">Loading…</p>;
  }
  return <DiffBlock path={change.which} oldText={before.data ?? ""} newText={after.data ?? ""} />;
}
