/** Adds an agent of the person's own: any program that speaks the Agent Client Protocol. */

import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { SERVER } from "@/api/roles";
import { argumentsOf } from "@/screens/agents/command_line";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { ProjectContext } from "@/ui/ForRole";
import classes from "@/ui/page.module.css";

/** Take a name, a command and what it may see of the environment. */
export function AddAgent() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [form, setForm] = useState({ name: "", title: "", command: "", environment: "" });
  const command = useCommand(() =>
    post(
      "/v1/agents",
      {},
      {
        name: form.name.trim(),
        title: form.title.trim(),
        command: argumentsOf(form.command),
        environment: form.environment.split(/[\s,]+/).filter((name) => name !== ""),
      },
    ),
  );
  const submit = async () => {
    const added = await command.send();
    if (added) {
      await queries.invalidateQueries({ queryKey: ["agents"] });
      go(`/agents/${encodeURIComponent(added.status.name)}`);
    }
  };
  const field = (name: keyof typeof form, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={form[name]}
      spellCheck={false}
      onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
    />
  );
  return (
    <div className={classes.column}>
      <h2>Add a custom agent</h2>
      <p>
        Any program that speaks the Agent Client Protocol over standard input and output. It is
        saved as a file in the configuration folder on the machine of the API, which you can edit.
      </p>
      <Form className={classes.form} onSubmit={() => void submit()}>
        {field("name", "Name", "mine")}
        {field("title", "Title", "My agent")}
        {field("command", "Command", "my-agent --acp")}
        {field("environment", "Environment variables", "MY_API_KEY")}
        <div className={classes.line}>
          <ProjectContext value={SERVER}>
            <CommandButton
              needs="admin"
              type="submit"
              disabled={form.name.trim() === "" || form.command.trim() === ""}
              command={command}
            >
              Add agent
            </CommandButton>
          </ProjectContext>
        </div>
        <Failure problem={command.problem} note="Your text is saved." />
      </Form>
    </div>
  );
}
