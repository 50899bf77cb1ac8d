/** How the agent was started and what it was told: one line, and all of it behind. */

import type { SetupItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Notes } from "@/conversation/transcript/items/Line";
import { Prompt, promptWords } from "@/conversation/transcript/items/Speech";
import classes from "@/conversation/transcript/transcript.module.css";
import { truncate } from "@/format";
import { Safe } from "@/ui/Safe";

/** Show the line. */
export function Setup({ item }: { readonly item: SetupItem }) {
  const words = item.items.flatMap((each) =>
    each.kind === "prompt" ? [promptWords(each)] : each.lines.map((line) => truncate(line, 80)),
  );
  return (
    <Fold
      name={item.key}
      head={
        <span className={classes.setup}>
          <Safe text={words.join(" · ")} />
        </span>
      }
    >
      {() =>
        item.items.map((each) =>
          each.kind === "prompt" ? (
            <Prompt key={each.key} item={each} />
          ) : (
            <Notes key={each.key} item={each} />
          ),
        )
      }
    </Fold>
  );
}
