/** Draws one item of a talk; one that did not change is not drawn again. */

import { memo } from "react";
import type { Item } from "@/live/fold/items";
import { Ask } from "@/transcript/items/Ask";
import { Delay } from "@/transcript/items/Delay";
import { Line, Notes, Reset, Step } from "@/transcript/items/Line";
import { Message, Prompt, Speech } from "@/transcript/items/Speech";
import { Summary } from "@/transcript/items/Summary";
import { Todo } from "@/transcript/items/Todo";
import { Tool } from "@/transcript/items/Tool";
import { Turn } from "@/transcript/items/Turn";
import { Unknown } from "@/transcript/items/Unknown";
import { Verification } from "@/transcript/items/Verification";

/** Show an item as its kind is read. */
export const ItemView = memo(function ItemView({ item }: { readonly item: Item }) {
  switch (item.kind) {
    case "message":
      return <Message item={item} />;
    case "prompt":
      return <Prompt item={item} />;
    case "speech":
      return <Speech item={item} />;
    case "tool":
      return <Tool item={item} />;
    case "todo":
      return <Todo item={item} />;
    case "turn":
      return <Turn item={item} />;
    case "delay":
      return <Delay item={item} />;
    case "notes":
      return <Notes item={item} />;
    case "line":
      return <Line item={item} />;
    case "reset":
      return <Reset item={item} />;
    case "ask":
      return <Ask item={item} />;
    case "verification":
      return <Verification item={item} />;
    case "summary":
      return <Summary item={item} />;
    case "step":
      return <Step item={item} />;
    case "unknown":
      return <Unknown item={item} />;
  }
});
