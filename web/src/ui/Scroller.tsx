/** What scrolls in a bounded place, and says under itself that there is more of it. */

import type { ReactNode, Ref } from "react";
import { useMoreBelow } from "@/ui/more_below";
import classes from "@/ui/scroller.module.css";

interface Props {
  readonly children: ReactNode;
  /** Lays out what scrolls. */
  readonly className?: string | undefined;
  /** The scroller takes the focus, by a program only. */
  readonly place?: Ref<HTMLDivElement> | undefined;
}

/** Show content that scrolls where it does not fit; nothing lies over it, so that all is legible. */
export function Scroller({ children, className = "", place }: Props) {
  const scroller = useMoreBelow<HTMLDivElement>();
  return (
    <div className={classes.frame}>
      <div
        ref={(element) => {
          scroller.current = element;
          if (typeof place === "function") {
            place(element);
          } else if (place) {
            place.current = element;
          }
        }}
        {...(place === undefined ? {} : { tabIndex: -1 })}
        className={`${classes.scroller} ${className}`}
      >
        {children}
      </div>
      <div className={classes.more} aria-hidden>
        more below ↓
      </div>
    </div>
  );
}
