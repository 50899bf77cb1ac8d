/** A row that folds what belongs to it: one button, what is in it below. */

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useOpened } from "@/conversation/transcript/open_items";
import classes from "@/conversation/transcript/transcript.module.css";

interface Props {
  /** What its state is kept by. */
  readonly name: string;
  readonly head: ReactNode;
  readonly tail?: ReactNode;
  readonly isOpen?: boolean;
  /** Only called for what is shown. */
  readonly children: () => ReactNode;
}

/** Show a row that opens. */
export function Fold({ name, head, tail, isOpen = false, children }: Props) {
  const [isShown, toggle] = useOpened(name, isOpen);
  return (
    <div className={classes.fold}>
      <button type="button" className={classes.foldHead} aria-expanded={isShown} onClick={toggle}>
        <ChevronRight size={14} className={classes.chevron} data-open={isShown} aria-hidden />
        <span className={classes.foldTitle}>{head}</span>
        {tail !== undefined && <span className={classes.foldTail}>{tail}</span>}
      </button>
      {isShown && <div className={classes.foldBody}>{children()}</div>}
    </div>
  );
}
