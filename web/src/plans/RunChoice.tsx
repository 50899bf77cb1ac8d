/** How freely an approved plan runs: asked beside its approval, with what each choice leads to. */

import { Group, Radio } from "@mantine/core";
import { useId } from "react";
import { AS_PLANNED, conductOf, MANNERS, type Manner, presetOf, stopWords } from "@/plans/autonomy";
import type { Conduct } from "@/plans/models";

interface Props {
  readonly conducts: readonly Conduct[];
  /** How many nodes run as threads, whose own plans ask in any case. */
  readonly threads: number;
  readonly chosen: Manner;
  readonly onChoose: (manner: Manner) => void;
  readonly isDisabled: boolean;
}

/** Show the choices; as the plan says is one of them only where none of the others is the same. */
export function RunChoice({ conducts, threads, chosen, onChoose, isDisabled }: Props) {
  const words = useId();
  const name = useId();
  const isMixed = presetOf(conducts) === AS_PLANNED;
  const manners = (Object.keys(MANNERS) as Manner[]).filter(
    (manner) => isMixed || manner !== AS_PLANNED,
  );
  const conduct = conductOf(conducts, chosen);
  return (
    <div>
      <Group gap={12} role="radiogroup" aria-labelledby={name} aria-describedby={words}>
        <span id={name}>Run:</span>
        {manners.map((manner) => (
          <Radio
            key={manner}
            size="sm"
            name={name}
            label={MANNERS[manner]}
            checked={manner === chosen}
            disabled={isDisabled}
            onChange={() => onChoose(manner)}
          />
        ))}
      </Group>
      <div id={words} className="dim" aria-live="polite">
        {conduct && stopWords(conduct, threads)}
      </div>
    </div>
  );
}
