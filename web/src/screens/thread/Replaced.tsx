/** A session that ended by itself and goes on in another: what was typed goes on there as well. */

import { useEffect } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { BESIDE } from "@/conversation/composer/beside";
import { nameOf } from "@/screens/thread/sessions";
import { moveDraft, useDraft } from "@/ui/draft";

type SessionView = Schemas["SessionView"];

interface Props {
  readonly sessions: readonly SessionView[];
  /** The field of the session that is shown. */
  readonly shown: string;
}

/** Move the drafts of sessions that others replace. */
export function ReplacedDrafts({ sessions, shown }: Props) {
  return sessions.map(({ session_id: from, replaced_by: to }) =>
    to ? <Moved key={from} from={from} to={to} isShown={to === shown} /> : null,
  );
}

interface MovedProps {
  readonly from: string;
  readonly to: string;
  readonly isShown: boolean;
}

function Moved({ from, to, isShown }: MovedProps) {
  useDraft(from); // a message that was on its way may be refused only now
  useEffect(() => {
    if (moveDraft(from, to, BESIDE) && isShown && document.activeElement === document.body) {
      // who was typing types on, instead of pressing the keys of the page
      requestAnimationFrame(() => document.querySelector<HTMLElement>("#talk textarea")?.focus());
    }
  });
  return null;
}

/** Say whose place a session has taken, at its beginning; nothing where it took none. */
export function TakesPlace({ sessions, shown }: Props) {
  const lost = sessions.find(({ replaced_by }) => replaced_by === shown);
  if (lost === undefined) {
    return null;
  }
  const name = nameOf(lost.session_id);
  return (
    <p className="dim">
      <Link href={`?session=${name}`}>{name}</Link> has ended by itself, and this session takes its
      place. Its agent does not know what was said there.
    </p>
  );
}
