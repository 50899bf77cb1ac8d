/** The pages that sign in with a passkey, or register one: one script, of its own, beside the page. */

import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { components } from "./api/schema";

type Options = components["schemas"]["PasskeyOptions"];
type Registration = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Authentication = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type Step = "invitation" | "new" | "sign-in";

const PATHS: Record<Step, string> = {
  invitation: "/v1/passkey-registrations",
  new: "/v1/passkeys",
  "sign-in": "/v1/passkey-sign-ins",
};
const UNSUPPORTED = "This browser has no passkeys: use a newer one.";

class Refusal extends Error {}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Treadle": "1" },
    body: JSON.stringify(body),
  });
  const found = (await answer.json()) as Answer & { detail?: string };
  if (!answer.ok) throw new Refusal(found.detail ?? "The server refused it.");
  return found;
}

/** What the server calls the passkey in lists: where it was made. */
function placeName(): string {
  const { userAgent } = navigator;
  const system = /Android|iPhone|iPad|Windows|Mac OS|CrOS|Linux/.exec(userAgent)?.[0];
  return `passkey, ${system ?? "unknown system"}`;
}

async function run(step: Step, invitation: string): Promise<void> {
  const path = PATHS[step];
  const asked = await post<Options>(path, step === "invitation" ? { invitation } : {});
  const answer = { ceremony: asked.ceremony };
  if (step === "sign-in") {
    const optionsJSON = asked.options as unknown as Authentication;
    const credential = await startAuthentication({ optionsJSON });
    await post(`${path}/finish`, { ...answer, credential });
    return;
  }
  const optionsJSON = asked.options as unknown as Registration;
  const credential = await startRegistration({ optionsJSON });
  await post(`${path}/finish`, { ...answer, credential, name: placeName() });
}

function said(error: unknown): string {
  if (error instanceof Refusal) return capitalised(error.message);
  if (error instanceof Error && error.name === "InvalidStateError") {
    return "This device has a passkey of yours already.";
  }
  if (error instanceof Error && error.name === "NotAllowedError") {
    return "The passkey was not used: try again.";
  }
  return error instanceof TypeError ? "The server does not answer: try again." : String(error);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.?$/, ".");
}

function begin(): void {
  const place = document.getElementById("passkey");
  const button = place?.querySelector("button");
  const line = place?.querySelector("[role=alert]");
  if (!place || !button || !line) return;
  const step = (place.dataset.step ?? "sign-in") as Step;
  // kept here only: not in the history of the browser, nor where a screenshot shows the address
  const invitation = location.hash.slice(1);
  if (step === "invitation") history.replaceState(null, "", location.pathname);
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    line.textContent = "";
    try {
      if (!("PublicKeyCredential" in window)) throw new Refusal(UNSUPPORTED);
      await run(step, invitation);
      location.replace(place.dataset.to ?? "/");
    } catch (error) {
      line.textContent = said(error);
      button.disabled = false;
    }
  });
}

begin();
