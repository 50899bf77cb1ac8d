/** What to do where no agent is ready: the nearest ones, each with the commands that are still to be run. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useAgents } from "@/api/resources";
import classes from "@/screens/new_thread/new_thread.module.css";
import { suggestedAgent, toSetUp } from "@/screens/new_thread/suggested";
import { Missing } from "@/ui/AgentPicker";

const SHOWN = 3;

/** Show it; nothing where an agent is ready. */
export function AgentSetUp({ repository }: { readonly repository: string }) {
  const query = useAgents(repository);
  const agents = query.data?.agents;
  if (agents === undefined || suggestedAgent(agents, []) !== null) {
    return null;
  }
  return (
    <section className={classes.setUp} aria-label="Set up an agent">
      <h2>No agent is ready yet</h2>
      <p className="dim">
        Run the commands of one agent in a terminal on the engine's machine. This page checks again
        when you come back.
      </p>
      <ul className={classes.agents}>
        {toSetUp(agents)
          .slice(0, SHOWN)
          .map((agent) => (
            <li key={agent.name}>
              <strong>{agent.title || agent.name}</strong>
              <Missing agent={agent} />
            </li>
          ))}
      </ul>
      <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        Check again
      </Button>{" "}
      <Link href="/agents">All agents</Link>
    </section>
  );
}
