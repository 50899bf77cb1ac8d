/** What an approval means: what it does, what must be read first, how freely it runs; and the buttons. */

import { Button, Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { TriangleAlert } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { plural } from "@/format";
import classes from "@/plans/plan.module.css";

const TermsSheet = lazy(() => import("@/plans/TermsSheet"));

interface Props {
  readonly title: string;
  /** What happens upon approval, in short parts. */
  readonly words: readonly string[];
  /** What must be read before. */
  readonly warnings: readonly string[];
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
  /** On a phone: the sheet with all of it is open. */
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly buttons: ReactNode;
  /** Those of them that a phone has at hand; the sheet has all. */
  readonly fewButtons: ReactNode;
  readonly children: ReactNode;
}

/** Show the terms above the buttons; a phone has two lines of them beside the answers, and the rest in a sheet. */
export function Terms(props: Props) {
  const { title, words, warnings, isRead, isOpen, setOpen, buttons } = props;
  const isPhone = useMediaQuery("(max-width: 760px)", false, { getInitialValueInEffect: false });
  const all = (
    <>
      <div className="pre-wrap">{words.join(" · ")}</div>
      <Warnings texts={warnings} isRead={isRead} onRead={props.onRead} />
      {props.children}
    </>
  );
  if (!isPhone) {
    return (
      <>
        {all}
        {buttons}
      </>
    );
  }
  return (
    <div className={classes.phoneBar}>
      <button type="button" className={classes.brief} onClick={() => setOpen(true)}>
        {warnings.length > 0 && (
          <span className={classes.alarm}>
            <TriangleAlert size={14} aria-hidden /> {plural(warnings.length, "warning")}
          </span>
        )}
        <span className={classes.briefWords}>{words.join(" · ")}</span>
        <span className="visually-hidden">Show all terms</span>
      </button>
      {isRead ? (
        props.fewButtons
      ) : (
        <Button className={classes.mustRead ?? ""} onClick={() => setOpen(true)}>
          Read {plural(warnings.length, "warning")} to approve…
        </Button>
      )}
      {/* there while it is closed: loaded before it is opened, and the focus goes back */}
      <Suspense>
        <TermsSheet title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
          {all}
          {buttons}
        </TermsSheet>
      </Suspense>
    </div>
  );
}

interface WarningsProps {
  readonly texts: readonly string[];
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
}

function Warnings({ texts, isRead, onRead }: WarningsProps) {
  const title = useId();
  if (texts.length === 0) {
    return null;
  }
  return (
    <div className={classes.warnings}>
      <p id={title}>{plural(texts.length, "warning")} to read before you approve</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul aria-labelledby={title} tabIndex={0}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Checkbox
        size="sm"
        label={`I have read ${texts.length > 1 ? "them" : "it"}; approve anyway`}
        checked={isRead}
        onChange={(event) => onRead(event.currentTarget.checked)}
      />
    </div>
  );
}
