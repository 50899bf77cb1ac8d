/** Draws one item of a conversation; one that did not change is not drawn again. */

import { memo } from "react";
import type { Item } from "@/conversation/projection/items";
import { Ask } from "@/conversation/transcript/items/Ask";
import { Delay } from "@/conversation/transcript/items/Delay";
import { Line, Notes, Reset, Step } from "@/conversation/transcript/items/Line";
import { Setup } from "@/conversation/transcript/items/Setup";
import { Message, Prompt, Speech } from "@/conversation/transcript/items/Speech";
import { Summary } from "@/conversation/transcript/items/Summary";
import { Todo } from "@/conversation/transcript/items/Todo";
import { Tool } from "@/conversation/transcript/items/Tool";
import { Turn } from "@/conversation/transcript/items/Turn";
import { Unknown } from "@/conversation/transcript/items/Unknown";
import { Verification } from "@/conversation/transcript/items/Verification";

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
    case "setup":
      return <Setup item={item} />;
    case "unknown":
      return <Unknown item={item} />;
  }
});
