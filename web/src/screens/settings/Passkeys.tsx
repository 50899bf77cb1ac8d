/** Your passkeys, where people sign in with them: what there is, one more, one less. */

import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { questionOf } from "@/screens/settings/removal";
import classes from "@/screens/settings/settings.module.css";
import { Ago } from "@/ui/Ago";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";

/** A page of its own: its policy allows the one script that asks the device. */
const ADD = "/sign-in/passkey/new?to=/settings";

/** Show the person's passkeys; nothing where they have none and can have none. */
export function Passkeys() {
  const { data } = useQuery({ queryKey: ["passkeys"], queryFn: () => get("/v1/passkeys") });
  if (data === undefined || (data.passkeys.length === 0 && !data.may_add)) {
    return null;
  }
  const add = (
    <Button component="a" href={ADD} variant="default">
      Add a passkey
    </Button>
  );
  return (
    <Panel title="Passkeys" actions={data.may_add ? add : undefined}>
      <ul className={classes.passkeys}>
        {data.passkeys.map((each) => (
          <Row key={each.passkey_id} passkey={each} held={data.passkeys.length} />
        ))}
      </ul>
      {data.passkeys.length === 1 && (
        <p className="dim">
          Add one on another device: without any passkey you need a new invitation of an admin.
        </p>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly passkey: Schemas["PasskeyView"];
  /** How many the person has. */
  readonly held: number;
}

function Row({ passkey, held }: RowProps) {
  const queries = useQueryClient();
  const remove = useCommand(async (command_id: string) => {
    const { passkey_id } = passkey;
    // the question has said what it means to remove the only one
    const body = { command_id, is_forced: held === 1 };
    const gone = await post("/v1/passkeys/{passkey_id}/remove", { passkey_id }, body);
    if (gone.is_current) {
      window.location.assign("/");
    } else {
      await queries.invalidateQueries({ queryKey: ["passkeys"] });
    }
  });
  return (
    <li className={classes.passkey}>
      <span>
        {passkey.name}
        {passkey.is_current && <span className="dim"> · this session</span>}
      </span>
      <span className="dim">
        added <Ago at={passkey.created_at} suffix=" ago" /> ·{" "}
        {passkey.used_at === null ? (
          "not used since"
        ) : (
          <>
            last used <Ago at={passkey.used_at} suffix=" ago" />
          </>
        )}
      </span>
      <Confirm
        label="Remove"
        question={questionOf(passkey, held)}
        verb="Remove"
        isSending={remove.state === "sending"}
        onConfirm={() => void remove.send()}
      />
      <Failure problem={remove.problem} />
    </li>
  );
}
