/** The reworks of a pull request: the one that runs, those before, why each was made, and what they have cost. */

import { Linked } from "@/screens/thread/Linked";
import { reworksOf, sumOf, type WatchedPullRequest } from "@/screens/thread/pull_request";
import classes from "@/screens/thread/thread.module.css";
import { Safe } from "@/ui/Safe";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";

/** List them, the newest first; nothing where there were none. */
export function Reworks({ found }: { readonly found: WatchedPullRequest }) {
  const listed = reworksOf(found);
  return (
    <Section title={`Reworks${sumOf(found)}`}>
      {listed.length > 0 && (
        <ul className={classes.plainList}>
          {listed.map(({ number, status, word, subject, url, by, told }) => (
            <li key={number}>
              <Status status={status} word={word} /> <Linked url={url} text={subject} />{" "}
              <span className="dim">
                by <Safe text={by} />
                {told !== "" && (
                  <>
                    , <Safe text={told} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
