/** An event that this page does not know: a folded card, never raw text in the conversation. */

import type { UnknownItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Long } from "@/conversation/transcript/Long";

/** Show what came, as it came. */
export function Unknown({ item }: { readonly item: UnknownItem }) {
  return (
    <Fold
      name={item.key}
      head={<span className="dim">Event: {item.name.replaceAll("_", " ")}</span>}
    >
      {() => <Long text={JSON.stringify(item.body, null, 2) ?? ""} />}
    </Fold>
  );
}
