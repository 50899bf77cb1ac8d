/** The commands that fit what is typed. */

import classes from "@/composer/composer.module.css";
import type { SlashCommand } from "@/composer/slash";

interface Props {
  readonly id: string;
  readonly commands: readonly SlashCommand[];
  readonly active: number;
  readonly onChoose: (command: SlashCommand) => void;
}

/** Show the list that belongs to the field below it; the field keeps the focus. */
export function SlashMenu({ id, commands, active, onChoose }: Props) {
  return (
    <div id={id} className={classes.menu} role="listbox" aria-label="Commands">
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field that has the focus takes the keys
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.choice}
          ref={(element) => {
            if (index === active) {
              element?.scrollIntoView({ block: "nearest" });
            }
          }}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
        >
          <span className="mono">
            {command.name} <span className="dim">{command.argument}</span>
          </span>
          <span className="dim">
            {command.description}
            {command.run === undefined && " · the agent's own"}
          </span>
        </div>
      ))}
    </div>
  );
}
