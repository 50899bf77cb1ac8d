/** The keys that do something now, by the part of the page they belong to. */

import { useScopes } from "@/keyboard/registry";
import { Kbd } from "@/ui/Kbd";
import classes from "@/ui/keys.module.css";

/** List them, the nearest part first. */
export function KeyList() {
  const scopes = useScopes()
    .filter((scope) => scope.actions.some((action) => action.keys !== ""))
    .toReversed();
  return (
    <div className={classes.scopes}>
      {scopes.map(({ name, actions }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two scopes may have one name
        <section key={`${name}/${index}`} aria-label={name}>
          <h3>{name}</h3>
          <dl className={classes.keys}>
            {actions
              .filter((action) => action.keys !== "")
              .map((action) => (
                <div key={action.keys + action.label}>
                  <dt>
                    <Kbd keys={action.keys} />
                  </dt>
                  <dd>{action.label}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
