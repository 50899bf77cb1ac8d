/** A transcript while a batch of events is folded into it: its own copy, changed in place. */

import type { AgentCommand, Item, OpenTurn, Transcript } from "./items.ts";

/** Where an item stands: the same for all that one event makes. */
export interface Place {
  readonly key: string;
  readonly position: number;
  readonly at: string;
  readonly session: string | null;
}

type Of<K extends Item["kind"]> = Extract<Item, { kind: K }>;

/** Collects the items of a batch; the transcript that it began with stays as it was. */
export class Draft {
  items: Item[];
  open: OpenTurn | null;
  commands: readonly AgentCommand[];
  context: Transcript["context"];

  constructor(from: Transcript) {
    this.items = [...from.items];
    this.open = from.open;
    this.commands = from.commands;
    this.context = from.context;
  }

  add(item: Item): void {
    this.items.push(item);
  }

  /** Add an item in front of the newest ones that are later; with none of those, at the end. */
  addBefore(item: Item, isLater: (other: Item) => boolean): void {
    const before = this.items.findLastIndex((other) => !isLater(other));
    this.items.splice(before + 1, 0, item);
  }

  last(): Item | undefined {
    return this.items[this.items.length - 1];
  }

  /** Change the newest item of a kind that fits, among the newest `depth`; tells whether it was there. */
  change<K extends Item["kind"]>(
    kind: K,
    fits: (item: Of<K>) => boolean,
    change: (item: Of<K>) => Item,
    depth = Number.POSITIVE_INFINITY,
  ): boolean {
    const end = Math.max(0, this.items.length - depth);
    for (let index = this.items.length - 1; index >= end; index -= 1) {
      const item = this.items[index];
      if (item?.kind === kind && fits(item as Of<K>)) {
        this.items[index] = change(item as Of<K>);
        return true;
      }
    }
    return false;
  }

  /** Take out the newest item that fits: another stream shows it. */
  drop(fits: (item: Item) => boolean): void {
    const index = this.items.findLastIndex(fits);
    if (index >= 0) {
      this.items.splice(index, 1);
    }
  }

  done(): Transcript {
    const { items, open, commands, context } = this;
    return { items, open, commands, context };
  }
}
