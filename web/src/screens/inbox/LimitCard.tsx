/** A spending limit that is reached: raise it, or stop the turns that wait. */

import { Group, NumberInput } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { SERVER } from "@/api/roles";
import { plural } from "@/format";
import classes from "@/screens/inbox/inbox.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { ProjectContext } from "@/ui/ForRole";
import { dollars, proposedLimit } from "@/ui/money";

interface Props {
  readonly asked: Schemas["AskedLimit"];
  readonly project: string | undefined;
}

/** Ask for a higher limit; the answer is bound to what is shown. */
export default function LimitCard({ asked, project }: Props) {
  const isOfAll = asked.request.scope.kind === "month";
  return (
    <ProjectContext value={isOfAll ? SERVER : (project ?? "")}>
      <Fields asked={asked} needs={isOfAll ? "admin" : "approver"} />
    </ProjectContext>
  );
}

function Fields({ asked, needs }: Pick<Props, "asked"> & { readonly needs: "admin" | "approver" }) {
  const { request, content_hash } = asked;
  const [usd, setUsd] = useState<number | string>(proposedLimit(request.limit, request.spent));
  const refresh = useRefresh(["inbox"]);
  const shown = { request_id: request.request_id, content_hash };
  const raise = useCommand((command_id: string, limit: number) =>
    post("/v1/money/raise", {}, { command_id, ...shown, usd: limit }),
  );
  const stop = useCommand((command_id: string) =>
    post("/v1/money/stop", {}, { command_id, ...shown }),
  );
  const least = Math.max(request.limit, request.spent);
  const isHigher = typeof usd === "number" && usd * 1_000_000 > least;
  return (
    <div>
      <p className={classes.paragraph}>
        {dollars(request.spent)} of {dollars(request.limit)} spent
        {request.unknown ? `, plus ${plural(request.unknown, "turn")} of unknown cost` : ""}.
        Running turns finish; new ones wait.
      </p>
      <Group gap="xs" align="end">
        <NumberInput
          size="xs"
          label={`New limit, more than ${dollars(least)}`}
          prefix="$"
          min={0}
          max={1_000_000}
          decimalScale={2}
          value={usd}
          onChange={setUsd}
        />
        <CommandButton
          needs={needs}
          command={raise}
          disabled={!isHigher}
          onClick={() => void raise.send(Number(usd)).then(refresh)}
        >
          {isHigher ? `Raise to ${dollars(Number(usd) * 1_000_000)}` : "Raise"}
        </CommandButton>
        <CommandButton
          needs={needs}
          variant="default"
          command={stop}
          onClick={() => void stop.send().then(refresh)}
        >
          Stop waiting turns
        </CommandButton>
      </Group>
      <Failure problem={raise.problem ?? stop.problem} />
    </div>
  );
}
