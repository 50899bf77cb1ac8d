/** What removing a passkey does, as a question; pure. */

import type { Schemas } from "@/api/client";

type Passkey = Pick<Schemas["PasskeyView"], "name" | "is_current">;

/** Ask whether a passkey goes, of as many as the person has. */
export function questionOf({ name, is_current }: Passkey, held: number): string {
  const asked = `Remove ${name}?`;
  if (held === 1) {
    return `${asked} It is your only passkey: you are signed out, and get in again only with an invitation of an admin.`;
  }
  return is_current
    ? `${asked} You are signed in with it, so you are signed out here, and tokens made with it are revoked.`
    : `${asked} Browsers that signed in with it are signed out, and tokens that you made there are revoked.`;
}
