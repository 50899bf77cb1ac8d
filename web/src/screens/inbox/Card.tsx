/** One entry of the inbox: what waits and for how long; opened, the card that answers it. */

import { type ReactNode, useRef } from "react";
import type { Schemas } from "@/api/client";
import { type CommandState, CommandStateContext } from "@/api/commands";
import { ANY } from "@/api/roles";
import { WORK } from "@/plans/work";
import { Answer } from "@/screens/inbox/Answer";
import classes from "@/screens/inbox/inbox.module.css";
import { Snooze } from "@/screens/inbox/Snooze";
import { Ago } from "@/ui/Ago";
import { ProjectContext } from "@/ui/ForRole";
import {
  factsOf,
  isAsking,
  isOfReport,
  kindLabelOf,
  missingEvidenceOf,
  placeOfItem,
  subjectOf,
} from "@/ui/inbox_items";
import { KindIcon } from "@/ui/KindIcon";
import { useKeptHeight } from "@/ui/kept_height";
import { LinkButton } from "@/ui/LinkButton";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

/** Whose own cards begin with what is asked. */
const ASKING_IT: ReadonlySet<Schemas["InboxItem"]["kind"]> = new Set([
  "question",
  "decision",
  "flow_question",
]);

interface Props {
  readonly item: Schemas["InboxItem"];
  readonly isOpen: boolean;
  /** Gets the state of the answer that is given in the card. */
  readonly onAnswer: (state: CommandState) => void;
  /** What stands in place of the answer where nothing waits any more. */
  readonly elsewhere: ReactNode;
}

/** Show an entry. */
export function Card(props: Props) {
  const { item, isOpen } = props;
  const look = kindLabelOf(item);
  const facts = factsOf(item);
  const asked = !isOpen && isAsking(item) && item.reason !== "" ? `: ${item.reason}` : "";
  return (
    <article className={classes.card} data-open={isOpen} aria-label={`${look.word}: ${item.title}`}>
      <div className={classes.head}>
        <span className={classes.kind}>
          {look.status === "waiting" || look.status === "needs_decision" ? (
            <>
              <KindIcon kind={look.icon ?? item.kind} /> {look.word}
            </>
          ) : (
            <Status status={look.status} word={look.word} />
          )}
        </span>
        <h2 className={classes.title}>
          <Safe text={item.title} />
        </h2>
        <span className={classes.subject}>
          {!(isOpen && ASKING_IT.has(item.kind)) && <Safe text={`${subjectOf(item)}${asked}`} />}
        </span>
        {facts !== "" && <span className="dim">{facts}</span>}
        {item.kind === "gate" && item.evidence && <Evidence evidence={item.evidence} />}
        {item.assignee !== "" && (
          <span className="dim">
            assigned to <Safe text={item.assignee ?? ""} />
          </span>
        )}
        {item.missing !== "" && (
          <span>
            <Safe text={item.missing ?? ""} />
          </span>
        )}
        <span className={classes.waits}>
          waiting <Ago at={item.since} />
        </span>
      </div>
      {isOpen && <Body {...props} />}
    </article>
  );
}

/** What leads on from an answer that another gave stands below all that was here: so much is added for it. */
const NEXT_PX = 48;

/** What answers an entry; as high as it was once another has. */
function Body({ item, onAnswer, elsewhere }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const height = useKeptHeight(place, !elsewhere);
  const style = elsewhere ? { minHeight: height + NEXT_PX } : {};
  return (
    <div ref={place} className={classes.body} style={style} data-inbox-card>
      {item.reason !== "" && !isShownByCard(item) && (
        <p className={classes.reason}>
          <Safe text={item.reason} />
        </p>
      )}
      <CommandStateContext value={onAnswer}>
        <ProjectContext value={item.project ?? ANY}>
          {elsewhere || <Answer item={item} />}
        </ProjectContext>
      </CommandStateContext>
      <div className={classes.foot}>
        {!elsewhere && (
          <CommandStateContext value={onAnswer}>
            <Snooze item={item} />
          </CommandStateContext>
        )}
        {item.kind !== "gate" && (
          <LinkButton to={placeOfItem(item)} variant="subtle">
            {openWords(item)}
          </LinkButton>
        )}
        {item.project !== "" && <span className="mono dim">{item.project}</span>}
      </div>
    </div>
  );
}

/** The card of a failed task says itself why, that of an issue or a pull request what to do. */
function isShownByCard(item: Schemas["InboxItem"]): boolean {
  if (item.kind === "issue" || item.pull_request || item.limit) {
    return true;
  }
  return item.kind === "escalation" && Boolean(item.task_id) && !isAsking(item);
}

function openWords(item: Schemas["InboxItem"]): string {
  if (item.run_id) {
    return "Open run";
  }
  if (item.workflow_id === "queue") {
    return "Open queue";
  }
  if (item.host) {
    return "Open hosts";
  }
  if (isOfReport(item)) {
    return "Open report";
  }
  if (item.kind === "plan") {
    return item.plans > 1 ? "Compare plans" : "Open plan";
  }
  return item.task_id && item.task_id !== WORK ? "Open task" : "Open thread";
}

function Evidence({ evidence }: { readonly evidence: Schemas["Evidence"] }) {
  const { passed, failed, failed_optional: optional, insertions, deletions } = evidence;
  const missing = missingEvidenceOf(evidence);
  return (
    <span className={classes.evidence}>
      {missing === "" ? (
        <>
          <span data-tone="ok">✓{passed}</span>{" "}
          <span data-tone={failed > 0 ? "fail" : "idle"}>✗{failed}</span>
        </>
      ) : (
        <span className="dim">{missing}</span>
      )}
      {optional > 0 && <span data-tone="wait"> ✗{optional} optional</span>}{" "}
      <span className="mono">
        <span data-tone="ok">+{insertions}</span> <span data-tone="fail">−{deletions}</span>
      </span>
    </span>
  );
}
