/** Who tells what waits: this tab, the browser while the page is closed, and the engine's channels. */

import { Button, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { plural } from "@/format";
import { EVERYTHING, PushRules, type Rules } from "@/screens/settings/PushRules";
import classes from "@/screens/settings/settings.module.css";
import { Ago } from "@/ui/Ago";
import { type DesktopState, setDesktop, useDesktop } from "@/ui/desktop";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import { canPush, PushRefused, subscribe, unsubscribe, usePushes } from "@/ui/push";

const DESKTOP: Readonly<Record<DesktopState, string>> = {
  on: "You are notified about new requests when no tab of this page is visible.",
  off: "New requests show only in the tab's title and icon.",
  offer: "New requests show only in the tab's title and icon.",
  later: "New requests show only in the tab's title and icon.",
  denied: "Notifications are blocked for this site in the browser's settings.",
  impossible: "This browser does not support notifications here.",
};

export function Notifications() {
  const desktop = useDesktop();
  const isFixed = desktop === "denied" || desktop === "impossible";
  return (
    <Panel title="Notifications">
      <div className={classes.notifications}>
        <Switch
          size="xs"
          label="Desktop notifications for new inbox items"
          description={DESKTOP[desktop]}
          checked={desktop === "on"}
          disabled={isFixed}
          onChange={(event) => void setDesktop(event.currentTarget.checked)}
        />
        <Closed />
        <Browsers />
        <Channels />
      </div>
    </Panel>
  );
}

/** The switch of this browser; where it is on, the page itself tells nothing, so that nothing is told twice. */
function Closed() {
  const queries = useQueryClient();
  const { data } = usePushes({ always: canPush() });
  const [refusal, setRefusal] = useState("");
  const [typed, setTyped] = useState<Rules | null>(null);
  const change = useCommand(async (_id: string, isOn: boolean, rules: Rules) => {
    setRefusal("");
    try {
      if (isOn && data !== undefined) {
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        await subscribe(data.public_key, { ...rules, zone });
      } else {
        await unsubscribe();
      }
    } catch (error) {
      if (!(error instanceof PushRefused)) {
        throw error;
      }
      setRefusal(error.message);
    }
    await queries.invalidateQueries({ queryKey: ["pushes"] });
  });
  if (!canPush()) {
    return <p className="dim">Open this page with https:// to be notified while it is closed.</p>;
  }
  const own = data?.browsers.find((each) => each.subscription_id === data.own);
  const isOn = own !== undefined;
  const rules = typed ?? own?.rules ?? EVERYTHING;
  const save = isOn && !isSame(rules, own.rules) ? () => void change.send(true, rules) : undefined;
  return (
    <>
      <Switch
        size="xs"
        label="Notify this browser while the page is closed"
        description="By the browser's push service, encrypted."
        checked={isOn}
        disabled={data === undefined || change.state === "sending"}
        onChange={(event) => void change.send(event.currentTarget.checked, rules)}
      />
      <PushRules rules={rules} onChange={setTyped} onSave={save} />
      {refusal !== "" && <p role="alert">{refusal}</p>}
      <Failure problem={change.problem} />
    </>
  );
}

function isSame(one: Rules, other: Rules): boolean {
  const { zone: _, ...rules } = one;
  return Object.entries(rules).every(
    ([name, value]) => String(value) === String(other[name as keyof Rules]),
  );
}

function Browsers() {
  const { data } = usePushes({ always: canPush() });
  if (data === undefined || data.browsers.length === 0) {
    return null;
  }
  return (
    <div>
      <h3>Browsers</h3>
      <ul className={classes.passkeys} aria-label="Browsers that are notified">
        {data.browsers.map((each) => (
          <Browser
            key={each.subscription_id}
            browser={each}
            isOwn={each.subscription_id === data.own}
          />
        ))}
      </ul>
    </div>
  );
}

interface BrowserProps {
  readonly browser: Schemas["PushView"];
  readonly isOwn: boolean;
}

function Browser({ browser, isOwn }: BrowserProps) {
  const queries = useQueryClient();
  const subscription = browser.subscription_id;
  const [said, setSaid] = useState("");
  const test = useCommand(async (command_id: string) => {
    const found = await post("/v1/push/{subscription}/test", { subscription }, { command_id });
    setSaid(found.state === "sent" ? "Sent" : `Not sent: ${found.reason}`);
  });
  const remove = useCommand(async (command_id: string) => {
    await (isOwn
      ? unsubscribe()
      : post("/v1/push/{subscription}/remove", { subscription }, { command_id }));
    await queries.invalidateQueries({ queryKey: ["pushes"] });
  });
  return (
    <li className={classes.passkey} data-subscription={subscription}>
      <span>
        {browser.browser}
        {isOwn && <span className="dim"> · this browser</span>}
      </span>
      <span className="dim">
        since <Ago at={browser.made_at} /> <span role="status">{said}</span>
      </span>
      <Button variant="default" loading={test.state === "sending"} onClick={() => void test.send()}>
        Send a test
      </Button>
      <Button variant="subtle" color="gray" onClick={() => void remove.send()}>
        Remove
      </Button>
      <Failure problem={test.problem ?? remove.problem} />
    </li>
  );
}

/** The channels of config.toml, for those who may see them. */
function Channels() {
  const { data } = useQuery({
    queryKey: ["news"],
    queryFn: () => get("/v1/news"),
    retry: false,
  });
  if (data === undefined || data.channels.length === 0) {
    return null;
  }
  return (
    <div>
      <h3>Channels of the engine</h3>
      <ul className={classes.passkeys} aria-label="Channels of the engine">
        {data.channels.map((each) => (
          <Channel key={each.channel.name} view={each} />
        ))}
      </ul>
    </div>
  );
}

function Channel({ view }: { readonly view: Schemas["ChannelView"] }) {
  const [said, setSaid] = useState("");
  const channel = view.channel.name;
  const test = useCommand(async (command_id: string) => {
    const found = await post("/v1/news/channels/{channel}/test", { channel }, { command_id });
    setSaid(found.state === "sent" ? "Sent" : `Not sent: ${found.reason}`);
  });
  return (
    <li className={classes.passkey}>
      <span>
        {channel} <span className="dim">· {view.channel.kind}</span>
      </span>
      <span className="dim">
        {[
          view.waiting > 0 ? `${view.waiting} waiting` : "",
          view.given_up > 0 ? `${plural(view.given_up, "message")} reached nobody` : "",
          view.reason,
        ]
          .filter(Boolean)
          .join(" · ")}{" "}
        <span role="status">{said}</span>
      </span>
      <Button variant="default" loading={test.state === "sending"} onClick={() => void test.send()}>
        Send a test
      </Button>
      <Failure problem={test.problem} />
    </li>
  );
}
