/** What could be meant by what is typed: commands, or files. */

import classes from "@/conversation/composer/composer.module.css";
import { Safe } from "@/ui/Safe";

/** One of them. */
export interface Choice {
  readonly key: string;
  readonly argument?: string;
  readonly description?: string;
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  /** What is said below them: that there are more. */
  readonly note: string;
  readonly onChoose: (index: number) => void;
}

/** Show the list that belongs to the field below it; the field keeps the focus. */
export function Choices({ id, label, choices, active, note, onChoose }: Props) {
  return (
    <div className={classes.menu}>
      <div id={id} role="listbox" aria-label={label}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field that has the focus takes the keys
          <div
            key={choice.key}
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
            onClick={() => onChoose(index)}
          >
            <span className={`mono ${classes.choiceName}`}>
              <Safe text={choice.key} />
              {choice.argument && <span className="dim"> {choice.argument}</span>}
            </span>
            {choice.description && <span className="dim">{choice.description}</span>}
          </div>
        ))}
      </div>
      {note !== "" && <div className={`dim ${classes.note}`}>{note}</div>}
    </div>
  );
}
