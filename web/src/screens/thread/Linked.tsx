/** A link to an address from outside. */

import { Anchor } from "@mantine/core";
import { linkOf } from "@/screens/thread/pull_request";
import { Safe } from "@/ui/Safe";
import { withMarks } from "@/ui/suspicious_text";

/** A link where the address may be one; its text from outside is marked where it deceives. */
export function Linked({
  url,
  text,
  label,
}: {
  readonly url: string;
  readonly text: string;
  /** What it leads to, where its text alone does not say that. */
  readonly label?: string;
}) {
  const link = linkOf(url);
  return link === null ? (
    <Safe text={text} />
  ) : (
    <Anchor
      href={link}
      aria-label={label === undefined ? undefined : withMarks(label)}
      target="_blank"
      rel="noopener noreferrer nofollow"
      size="sm"
      underline="always"
    >
      <Safe text={text} />
    </Anchor>
  );
}
