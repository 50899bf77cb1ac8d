/** Makes a plan template to fill in. */

import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { ofHost } from "@/api/resources";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import classes from "@/ui/page.module.css";

interface Props {
  readonly repository: string;
  /** Where the file is written; empty is the first that has the repository. */
  readonly host: string;
}

/** Take a name; the file is written with comments that say what may stand in it. */
export function NewTemplate({ repository, host }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [made, setMade] = useState<Schemas["FoundTemplate"] | null>(null);
  const command = useCommand((_: string, wanted: string, where: string) =>
    post("/v1/templates", {}, { name: wanted.trim(), repository: where || null }, ofHost(host)),
  );
  const submit = async (where: string) => {
    const found = await command.send(name, where);
    if (found) {
      setMade(found);
      setName("");
      await queries.invalidateQueries({ queryKey: ["templates"] });
    }
  };
  const isEmpty = name.trim() === "";
  return (
    <Form className={classes.form} style={{ padding: 8 }} onSubmit={() => void submit("")}>
      <TextInput
        label="New template"
        placeholder="name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={classes.line}>
        <Button type="submit" variant="default" disabled={isEmpty}>
          For me
        </Button>
        {repository !== "" && (
          <Button variant="default" disabled={isEmpty} onClick={() => void submit(repository)}>
            In the repository
          </Button>
        )}
      </div>
      <Failure problem={command.problem} note="The name is saved." />
      {made && (
        <p role="status">
          Created at <code>{made.path}</code>: open it in your editor to fill it in.
        </p>
      )}
    </Form>
  );
}
