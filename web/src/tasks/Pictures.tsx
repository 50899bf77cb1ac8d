/** Pictures that a verification step kept, like screenshots of the page that was built. */

import type { Schemas } from "@/api/client";
import classes from "@/tasks/task.module.css";
import { Safe } from "@/ui/Safe";
import { withMarks } from "@/ui/suspicious_text";

interface Props {
  readonly pictures: readonly Schemas["Picture"][];
  /** What the step that kept them is called. */
  readonly step: string;
}

/** Show pictures small, each with its name; a click opens it in a tab of its own. */
export function Pictures({ pictures, step }: Props) {
  if (pictures.length === 0) {
    return null;
  }
  return (
    <ul className={classes.pictures} aria-label={`Pictures of ${withMarks(step)}`}>
      {pictures.map((picture) => (
        <li key={picture.name}>
          <a href={addressOf(picture)} target="_blank" rel="noreferrer">
            <img
              src={addressOf(picture)}
              alt={`${withMarks(picture.name)}, kept by ${withMarks(step)}`}
              loading="lazy"
            />
          </a>
          <span className="dim">
            <Safe text={picture.name} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Return where a picture is. */
function addressOf(picture: Schemas["Picture"]): string {
  return `/v1/pictures/${encodeURIComponent(picture.content_ref)}`;
}
