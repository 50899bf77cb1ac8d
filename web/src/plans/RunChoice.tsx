/** How freely an approved plan runs: asked beside its approval, with what each choice leads to. */

import { Group, Radio } from "@mantine/core";
import { useId } from "react";
import {
  AS_PLANNED,
  describeStops,
  presetOf,
  RUN_MODES,
  type RunMode,
  stopsIn,
} from "@/plans/autonomy";
import type { AutonomyOption } from "@/plans/models";

interface Props {
  readonly options: readonly AutonomyOption[];
  /** How many nodes run as threads, whose own plans ask in any case. */
  readonly threads: number;
  readonly chosen: RunMode;
  readonly onChoose: (mode: RunMode) => void;
  readonly isDisabled: boolean;
}

/** Show the choices; as the plan says is one of them only where none of the others is the same. */
export function RunChoice({ options, threads, chosen, onChoose, isDisabled }: Props) {
  const words = useId();
  const name = useId();
  const isMixed = presetOf(options) === AS_PLANNED;
  const modes = (Object.keys(RUN_MODES) as RunMode[]).filter(
    (mode) => isMixed || mode !== AS_PLANNED,
  );
  const option = stopsIn(options, chosen);
  return (
    <div>
      <Group gap={12} role="radiogroup" aria-labelledby={name} aria-describedby={words}>
        <span id={name}>Run:</span>
        {modes.map((mode) => (
          <Radio
            key={mode}
            size="sm"
            name={name}
            label={RUN_MODES[mode]}
            checked={mode === chosen}
            disabled={isDisabled}
            onChange={() => onChoose(mode)}
          />
        ))}
      </Group>
      <div id={words} className="dim" aria-live="polite">
        {option && describeStops(option, threads)}
      </div>
    </div>
  );
}
