/** Moments to come, in the reader's own time, with how long it is until the first. */

import { formatDuration } from "@/format";
import { useNow } from "@/ui/Ago";

const FORMAT = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Show times in order. */
export function Times({ times }: { readonly times: readonly string[] }) {
  const now = useNow();
  const [first, ...rest] = times;
  if (first === undefined) {
    return <span className="dim">none</span>;
  }
  return (
    <span>
      <time dateTime={first}>{FORMAT.format(new Date(first))}</time>{" "}
      <span className="dim">(in {formatDuration(Date.parse(first) - now)})</span>
      {rest.map((time) => (
        <span key={time} className="dim">
          {" · "}
          <time dateTime={time}>{FORMAT.format(new Date(time))}</time>
        </span>
      ))}
    </span>
  );
}
