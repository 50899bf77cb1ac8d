/** Controls that need a role: off, with the reason, for whoever lacks it. */

import { createContext, type KeyboardEvent, type ReactNode, useContext } from "react";
import { useMe } from "@/api/queries";
import { ANY, lackOf, type Role } from "@/api/roles";
import classes from "@/ui/ui.module.css";

/** The project that the controls inside are about; any project without one. */
export const ProjectContext = createContext(ANY);

/** Return why the person may not do what needs a role here; empty where they may. */
export function useLack(needed: Role): string {
  return lackOf(useMe().data, useContext(ProjectContext), needed);
}

/** Return the same for each role. */
export function useLacks(): Readonly<Record<Role, string>> {
  const me = useMe().data;
  const project = useContext(ProjectContext);
  const lack = (needed: Role) => lackOf(me, project, needed);
  return {
    none: "",
    viewer: lack("viewer"),
    proposer: lack("proposer"),
    author: lack("author"),
    approver: lack("approver"),
    admin: lack("admin"),
  };
}

interface Props {
  readonly needs: Role;
  /** Whether the reason stands below the controls; it is always their tooltip. */
  readonly isTold?: boolean;
  readonly children: ReactNode;
}

/** The keys of bars that decide: they do nothing where the bar is off. */
const DECIDING = /^([a-z]|Enter)$/i;

function hush(event: KeyboardEvent): void {
  if (DECIDING.test(event.key)) {
    event.stopPropagation();
  }
}

/** Show controls, all of them off where the person lacks the role. */
export function ForRole({ needs, isTold = false, children }: Props) {
  const lack = useLack(needs);
  if (lack === "") {
    return children;
  }
  return (
    <fieldset disabled className={classes.needs} title={lack} onKeyDownCapture={hush}>
      {children}
      {isTold && <p className="dim">{lack}</p>}
    </fieldset>
  );
}
