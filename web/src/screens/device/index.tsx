/** A program that asks to be signed in: who asks, and whether it is yours. */

import { Alert, Button, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { get, Problem, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import classes from "@/screens/device/device.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Unopened } from "@/ui/Unopened";

type Program = Schemas["AskingProgram"];

/** The screen of `/device/:code?`. */
export default function Screen() {
  const { code = "" } = useParams<{ code?: string }>();
  return (
    <Page title="Sign in the command line">
      <div className={classes.device}>
        {code === "" ? <CodeForm /> : <Asking key={code} code={code} />}
      </div>
    </Page>
  );
}

function CodeForm() {
  const [typed, setTyped] = useState("");
  const [, open] = useLocation();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        open(`/device/${encodeURIComponent(typed.trim())}`);
      }}
    >
      <Panel title="Code">
        <TextInput
          label="The code that your terminal shows"
          placeholder="WDJB-MJHT"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={20}
          autoComplete="off"
        />
        <Group mt="sm">
          <Button type="submit" disabled={typed.trim() === ""}>
            Continue
          </Button>
        </Group>
      </Panel>
    </form>
  );
}

function Asking({ code }: { readonly code: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["device", code],
    queryFn: () => get("/v1/device-logins/{user_code}", { path: { user_code: code } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error instanceof Problem) {
    const back = { to: "/device", name: "Another code" };
    return <Unopened problem={error} onRetry={() => void refetch()} back={back} />;
  }
  return data === undefined ? null : <Decision program={data} />;
}

function Decision({ program }: { readonly program: Program }) {
  const place = { user_code: program.user_code };
  const confirm = useCommand(() => post("/v1/device-logins/{user_code}/confirm", place, {}));
  const deny = useCommand(() => post("/v1/device-logins/{user_code}/deny", place, {}));
  if (confirm.state === "recorded") {
    return <Alert color="green">The command line is signed in. You can close this page.</Alert>;
  }
  if (deny.state === "recorded") {
    return <Alert color="yellow">Denied: the command line was not signed in.</Alert>;
  }
  return (
    <Panel title={program.user_code}>
      <p>
        <b>{program.machine}</b> at <b className="mono">{program.address}</b> asks to act as{" "}
        <b>{program.person}</b> for {program.days} {program.days === 1 ? "day" : "days"}, with at
        most the role <b>{program.scope}</b>.
      </p>
      {!program.is_your_address && (
        <Alert color="yellow" mb="sm">
          It asks from another address than yours.
        </Alert>
      )}
      <p className="dim">
        Confirm only if you have just run <code>treadle login</code> yourself and your terminal
        shows the same code. If somebody else sent you here, they would act in your name.
      </p>
      <Group gap="xs" mt="sm">
        <CommandButton
          needs="none"
          command={confirm}
          disabled={deny.state === "sending"}
          onClick={() => void confirm.send()}
        >
          Confirm
        </CommandButton>
        <CommandButton
          needs="none"
          command={deny}
          variant="default"
          disabled={confirm.state === "sending"}
          onClick={() => void deny.send()}
        >
          Deny
        </CommandButton>
      </Group>
      <Failure problem={confirm.problem ?? deny.problem} />
    </Panel>
  );
}
