/** What this calendar month has cost, beside its limits; an admin sets them. */

import { Button, NumberInput, Progress } from "@mantine/core";
import { useEffect, useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { useMoney } from "@/api/reports";
import { SERVER } from "@/api/roles";
import own from "@/screens/report/report.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { dollars, levelOf, spentOf } from "@/ui/money";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";

type Chosen = Record<"month_usd" | "project_usd", number | null>;

const FIELDS: readonly (readonly [keyof Chosen, string, string])[] = [
  ["month_usd", "All work", "USD per month; empty for no limit"],
  ["project_usd", "Each repository", "USD per month; empty for no limit"],
];

/** Show the month, and its limits as fields. */
export function MonthlyLimits() {
  const { data } = useMoney();
  if (data === undefined) {
    return null;
  }
  return (
    <ProjectContext value={SERVER}>
      <Panel title={`Spending and limits, ${data.month} (${data.time_zone})`}>
        {data.standing.map((standing) => (
          <Standing key={`${standing.scope.kind} ${standing.scope.name}`} standing={standing} />
        ))}
        <Fields money={data} />
      </Panel>
    </ProjectContext>
  );
}

function Standing({ standing }: { readonly standing: Schemas["LimitView"] }) {
  const { words, limit, spent = 0, reserved = 0, unknown = 0 } = standing;
  const { share, tone } = levelOf(spent, limit ?? 0);
  return (
    <div className={own.standing}>
      <span>{words}</span>
      {limit && (
        <Progress
          value={share}
          color={tone}
          aria-label={`${dollars(spent)} of ${dollars(limit)} spent for ${words}`}
        />
      )}
      <span className={own.sum}>
        {spentOf({ told: spent, unknown }) || dollars(0)}
        {limit ? ` of ${dollars(limit)}` : ""}
      </span>
      {reserved > 0 && (
        <span className={`dim ${own.sum}`}>{dollars(reserved)} reserved by running turns</span>
      )}
    </div>
  );
}

function Fields({ money }: { readonly money: Schemas["MoneyView"] }) {
  const now: Chosen = {
    month_usd: money.monthly.month_usd ?? null,
    project_usd: money.monthly.project_usd ?? null,
  };
  const shown = JSON.stringify(now);
  const [chosen, setChosen] = useState<Chosen>(now);
  useEffect(() => setChosen(JSON.parse(shown) as Chosen), [shown]);
  const refresh = useRefresh(["money"]);
  const command = useCommand((command_id: string, limits: Chosen | null) =>
    post("/v1/money/limits", {}, { command_id, ...limits, is_reset: limits === null }),
  );
  const send = (limits: Chosen | null) => void command.send(limits).then(refresh);
  return (
    <Form className={classes.form} onSubmit={() => send(chosen)}>
      <div className={classes.fields}>
        {FIELDS.map(([name, label, description]) => (
          <NumberInput
            key={name}
            size="xs"
            label={label}
            description={description}
            placeholder="no limit"
            prefix="$"
            min={0.01}
            max={1_000_000}
            decimalScale={2}
            value={chosen[name] ?? ""}
            onChange={(value) =>
              setChosen({ ...chosen, [name]: typeof value === "number" ? value : null })
            }
          />
        ))}
      </div>
      <div className={classes.line}>
        <CommandButton
          type="submit"
          needs="admin"
          variant="default"
          disabled={JSON.stringify(chosen) === shown}
          command={command}
        >
          Set limits
        </CommandButton>
        {money.is_set && (
          <ForRole needs="admin">
            <Button variant="subtle" onClick={() => send(null)}>
              Reset to settings
            </Button>
          </ForRole>
        )}
        <span className="dim">
          At a limit, running turns finish, new ones wait, and you are asked.
        </span>
      </div>
      <Failure problem={command.problem} />
    </Form>
  );
}
